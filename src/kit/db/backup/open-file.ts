import { createHash, timingSafeEqual } from 'node:crypto';
import { createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import {
  type BackupHeader,
  type BackupPart,
  BackupProblem,
  type BackupTotals,
  codes,
  hashBytes,
  headBytes,
  mostBytes,
  type Seal,
  TableSum,
} from './format.ts';

const kinds = new Map<number, BackupPart['kind']>(
  Object.entries(codes).map(([kind, code]) => [code, kind as BackupPart['kind']]),
);

/** An open backup: its description, and its parts, as often as they are wanted. */
export interface BackupFile {
  readonly header: BackupHeader;
  /** Whether it has the seal of the key: then only an owner of the key can have made or changed it. */
  readonly isSealed: boolean;
  /** Raises `BackupProblem` as soon as something is not as it was written, and at the end where something is missing. */
  parts(): AsyncGenerator<BackupPart>;
}

/**
 * Opens a backup of one of these formats, the newest of which comes first, and reads it to its end: not a byte is decompressed before
 * the hash of all of them is right. It stays open until the program ends, so that another file that gets its name later is
 * never taken for it. Raises `BackupProblem` for any other file.
 */
export async function openBackupFile(
  path: string,
  formats: readonly string[],
  seal: Seal | null,
): Promise<BackupFile> {
  const file = openSync(path, 'r');
  const line = readAt(file, 0, mostBytes);
  const header = readHeader(line.subarray(0, line.indexOf(10) + 1));
  if (header === null)
    throw new BackupProblem(`${path} is not a backup of this program, or its first line is damaged`);
  if (!formats.includes(header.format))
    throw new BackupProblem(
      `${path} is of the format ${header.format}, and this program reads ${formats[0]}: use the version that wrote it, or write it anew with this one`,
    );
  const damaged = (what: string) => new BackupProblem(`${path} is damaged: ${what}`);
  const { size } = fstatSync(file);
  const end = size - hashBytes * (header.sealed === true ? 2 : 1);
  const begin = line.indexOf(10) + 1;
  if (end <= begin) throw damaged('its end is missing');
  const hash = createHash('sha256');
  for await (const bytes of bytesOf(file, 0, end)) hash.update(bytes);
  const digest = hash.digest();
  const [written, mark] = [readAt(file, end, hashBytes), readAt(file, end + hashBytes, hashBytes)];
  if (!written.equals(digest)) throw damaged('it is not what was written');
  const isSealed =
    header.sealed === true && seal !== null && timingSafeEqual(mark, seal(digest.toString('hex')));
  return { header, isSealed, parts: () => checked({ file, begin, end, digest, damaged }) };
}

/** Reads a file through, which raises where it is not as it was written. */
export async function readThrough({ parts }: Pick<BackupFile, 'parts'>): Promise<BackupTotals> {
  let totals: BackupTotals = { tables: 0, rows: 0, sequences: [] };
  for await (const part of parts()) if (part.kind === 'end') totals = part.totals;
  return totals;
}

/** The description, all in characters that a terminal may show; the `facts` may hold any. */
function readHeader(line: Buffer): BackupHeader | null {
  try {
    const header = JSON.parse(line.toString('utf8')) as BackupHeader;
    const { format, createdAt, server, migrations, facts } = header;
    const texts = [format, createdAt, server, ...migrations.flatMap((one) => [one.name, one.checksum])];
    const isPlain = texts.every((text) => typeof text === 'string' && /^[ -~]*$/.test(text));
    const isSaid = Object.values(facts).every((fact) => fact === null || typeof fact === 'string');
    return isPlain && isSaid ? header : null;
  } catch {
    return null;
  }
}

/** Reads that many bytes of a file, or all up to its end. */
function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}

function bytesOf(file: number, begin: number, end: number): AsyncIterable<Buffer> {
  return createReadStream('', { fd: file, start: begin, end: end - 1, autoClose: false });
}

/** A file that was read to its end once, and what it was then. */
interface Hashed {
  readonly file: number;
  /** Of what is compressed. */
  readonly begin: number;
  readonly end: number;
  readonly digest: Buffer;
  readonly damaged: (what: string) => BackupProblem;
}

async function* checked(hashed: Hashed): AsyncGenerator<BackupPart> {
  const { damaged } = hashed;
  let table: TableSum | null = null;
  const totals = { tables: 0, rows: 0 };
  let end: Extract<BackupPart, { kind: 'end' }> | null = null;
  try {
    for await (const { kind, payload } of framesIn(plainBytes(hashed))) {
      if (end !== null) throw damaged('something follows its end');
      const isInTable = kind === 'rows' || kind === 'table end';
      if (isInTable !== (table !== null)) throw damaged('its parts are out of order');
      if (kind === 'rows') {
        table?.add(payload);
        yield { kind, bytes: payload };
        continue;
      }
      const part = { ...JSON.parse(payload.toString('utf8')), kind } as BackupPart;
      if (part.kind === 'table') table = new TableSum();
      if (part.kind === 'table end') {
        const sum = table?.end();
        if (sum?.rows !== part.rows || sum.sha256 !== part.sha256)
          throw damaged('a table is not what was written');
        table = null;
        totals.tables += 1;
        totals.rows += part.rows;
      }
      if (part.kind === 'end') end = part;
      else yield part;
    }
  } catch (error) {
    // What cannot be decompressed, and what has frames of no kind.
    if (error instanceof SyntaxError || isCompression(error)) throw damaged((error as Error).message);
    throw error;
  }
  if (end === null) throw damaged('its end is missing');
  if (end.totals?.tables !== totals.tables || end.totals.rows !== totals.rows)
    throw damaged('it does not hold as much as it says');
  yield end;
}

/** What was compressed. Raises what `damaged` makes at the end, where it is not what it was when the file was opened. */
async function* plainBytes({ file, begin, end, digest, damaged }: Hashed): AsyncGenerator<Buffer> {
  const hash = createHash('sha256').update(readAt(file, 0, begin));
  const plain = createZstdDecompress();
  const flown = pipeline(
    bytesOf(file, begin, end),
    async function* (bytes: AsyncIterable<Buffer>) {
      for await (const chunk of bytes) {
        hash.update(chunk);
        yield chunk;
      }
    },
    plain,
  );
  // It is noticed where the bytes are read.
  flown.catch(() => undefined);
  yield* plain as AsyncIterable<Buffer>;
  if (!digest.equals(hash.digest())) throw damaged('it was changed while it was read');
}

interface Frame {
  readonly kind: BackupPart['kind'];
  readonly payload: Buffer;
}

async function* framesIn(bytes: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let left: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    left = left.length === 0 ? chunk : Buffer.concat([left, chunk]);
    for (;;) {
      if (left.length < headBytes) break;
      const kind = kinds.get(left.readUInt8());
      const ends = headBytes + left.readUInt32BE(1);
      if (kind === undefined || ends > headBytes + mostBytes) throw new SyntaxError('a frame of no kind');
      if (left.length < ends) break;
      yield { kind, payload: left.subarray(headBytes, ends) };
      left = left.subarray(ends);
    }
  }
  if (left.length > 0) throw new SyntaxError('it ends in the middle');
}

function isCompression(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && /^(ZSTD_|Z_|ERR_ZSTD|ERR_ZLIB)/.test(String(error.code))
  );
}
