import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, link, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import {
  type BackupHeader,
  type BackupPart,
  BackupProblem,
  type BackupTotals,
  codes,
  headBytes,
  mostBytes,
  type Seal,
  type Sequence,
  TableSum,
  type UnsummedPart,
} from './format.ts';

/**
 * Writes a backup: a line of JSON, then the parts, compressed. It gets its name when it is whole and on the disk; until
 * then, and for good where the process is killed, it has another one that ends in `.unfinished`. Readable for the owner
 * alone. Raises `BackupProblem` where there is a file of that name. Without a seal anyone could have written it.
 */
export async function writeBackupFile(
  path: string,
  header: BackupHeader,
  parts: AsyncIterable<UnsummedPart>,
  seal: Seal | null,
): Promise<BackupTotals> {
  if (await exists(path)) throw taken(path);
  const draft = `${path}.${randomBytes(4).toString('hex')}.unfinished`;
  const line = Buffer.from(`${JSON.stringify(seal === null ? header : { ...header, sealed: true })}\n`);
  const totals = { tables: 0, rows: 0, sequences: [] };
  try {
    await writeFile(draft, line, { flag: 'wx', mode: 0o600 });
    await pipeline(
      encode(parts, totals),
      createZstdCompress(),
      (bytes) => sealed(line, bytes, seal),
      createWriteStream(draft, { flags: 'a', flush: true }),
    );
    await giveName(draft, path);
    await flushFolder(dirname(path));
    return totals;
  } finally {
    await rm(draft, { force: true });
  }
}

async function* encode(
  parts: AsyncIterable<UnsummedPart>,
  totals: { tables: number; rows: number; sequences: readonly Sequence[] },
): AsyncGenerator<Buffer> {
  let table = new TableSum();
  for await (const part of parts) {
    switch (part.kind) {
      case 'table':
        table = new TableSum();
        yield frame('table', json({ table: part.table, columns: part.columns }));
        break;
      case 'rows':
        table.add(part.bytes);
        for (let at = 0; at < part.bytes.length; at += mostBytes)
          yield frame('rows', part.bytes.subarray(at, at + mostBytes));
        break;
      case 'table end': {
        const sum = table.end();
        totals.tables += 1;
        totals.rows += sum.rows;
        yield frame('table end', json(sum));
        break;
      }
      case 'end':
        totals.sequences = part.sequences;
        yield frame('end', json({ totals }));
    }
  }
}

/** The bytes, and behind them the hash of the whole file, and its seal. */
async function* sealed(
  line: Buffer,
  bytes: AsyncIterable<Buffer>,
  seal: Seal | null,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256').update(line);
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  const digest = hash.digest();
  yield digest;
  if (seal !== null) yield seal(digest.toString('hex'));
}

function frame(kind: BackupPart['kind'], payload: Buffer): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(codes[kind]);
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function taken(path: string): BackupProblem {
  return new BackupProblem(`${path} exists already: name another file`);
}

/** Not by `rename`, which silently replaces a file that another program has written there. */
async function giveName(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    if (await exists(path)) throw taken(path);
    // Some file systems have no links.
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(code)) throw error;
    await rename(draft, path);
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The new name is on the disk only then. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path);
  await folder.sync().finally(() => folder.close());
}
