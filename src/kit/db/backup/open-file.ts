import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import {
  type BackupHeader,
  type BackupPart,
  BackupProblem,
  type BackupTotals,
  codes,
  headBytes,
  mostBytes,
  TableSum,
} from './format.ts';

const kinds = new Map<number, BackupPart['kind']>(
  Object.entries(codes).map(([kind, code]) => [code, kind as BackupPart['kind']]),
);

/** A backup that was opened: what it says of itself, and its parts, as often as they are wanted. */
export interface BackupFile {
  readonly header: BackupHeader;
  /** Raises `BackupProblem` as soon as something is not as it was written, and at the end where something is missing. */
  parts(): AsyncGenerator<BackupPart>;
}

/** Opens a backup of this format. Raises `BackupProblem` for any other file. */
export async function openBackupFile(path: string, format: string): Promise<BackupFile> {
  const line = await firstLine(path);
  const header = readHeader(line);
  if (header === null) throw new BackupProblem(`${path} is not a backup of this program`);
  if (header.format !== format)
    throw new BackupProblem(
      `${path} is of the format ${header.format}, and this program reads ${format}: use the version that wrote it`,
    );
  return { header, parts: () => checked(path, line) };
}

/** Reads a file through, which raises where it is not as it was written; `see` is shown each part. */
export async function readThrough(
  { parts }: BackupFile,
  see: (part: BackupPart) => void = () => undefined,
): Promise<BackupTotals> {
  let totals: BackupTotals = { tables: 0, rows: 0, sequences: [] };
  for await (const part of parts()) {
    see(part);
    if (part.kind === 'end') totals = part.totals;
  }
  return totals;
}

function readHeader(line: Buffer): BackupHeader | null {
  try {
    const header = JSON.parse(line.toString('utf8')) as BackupHeader;
    return typeof header.format === 'string' && Array.isArray(header.migrations) ? header : null;
  } catch {
    return null;
  }
}

/** Empty where the file does not begin with a line. */
async function firstLine(path: string): Promise<Buffer> {
  const bytes = await readAt(path, 0, mostBytes);
  return bytes.subarray(0, bytes.indexOf(10) + 1);
}

/** So many bytes of a file, or those that there are. */
async function readAt(path: string, position: number, length: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function* checked(path: string, line: Buffer): AsyncGenerator<BackupPart> {
  const damaged = (what: string) => new BackupProblem(`${path} is damaged: ${what}`);
  let table = new TableSum();
  let end: BackupPart | null = null;
  try {
    for await (const { kind, payload } of framesIn(plainBytes(path, line, damaged))) {
      if (end !== null) throw damaged('something follows its end');
      if (kind === 'rows') {
        table.add(payload);
        yield { kind, bytes: payload };
        continue;
      }
      const part = { kind, ...JSON.parse(payload.toString('utf8')) } as BackupPart;
      if (part.kind === 'table') table = new TableSum();
      if (part.kind === 'table end') {
        const { rows, sha256 } = table.end();
        if (rows !== part.rows || sha256 !== part.sha256) throw damaged('a table is not what was written');
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
  yield end;
}

const sealBytes = 32;

/** What was compressed. Raises what `damaged` makes at the end, where the hash there is not that of the file. */
async function* plainBytes(
  path: string,
  line: Buffer,
  damaged: (what: string) => BackupProblem,
): AsyncGenerator<Buffer> {
  const { size } = await stat(path);
  const ends = Math.max(line.length, size - sealBytes);
  const hash = createHash('sha256').update(line);
  const plain = createZstdDecompress();
  const flown = pipeline(
    createReadStream(path, { start: line.length, end: Math.max(line.length, ends - 1) }),
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
  const told = await readAt(path, ends, sealBytes);
  if (!told.equals(hash.digest())) throw damaged('it is not what was written');
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
