import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import {
  appendFile,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { BackupPart, UnsummedPart } from './format.ts';
import { openBackupFile } from './open-file.ts';
import { writeBackupFile } from './write-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'backup-file-'));
after(() => rm(folder, { recursive: true }));
let path = '';
let serial = 0;
beforeEach(() => {
  serial += 1;
  path = join(folder, `${serial}.backup`);
});

const header = {
  format: 'test-1',
  createdAt: '2026-11-22T00:00:00.000Z',
  server: '18.4',
  migrations: [{ name: '0001_first.sql', checksum: 'abc' }],
  facts: { key: null },
};
/** Larger than a frame. */
const large = Buffer.from(`${'x'.repeat(2_500_000)}\n`);
const sequences = [{ table: 'notes', column: 'id', last: '7' }];
const parts: UnsummedPart[] = [
  { kind: 'table', table: 'notes', columns: ['id', 'text'] },
  { kind: 'rows', bytes: Buffer.from('1\tone\n2\ttw') },
  { kind: 'rows', bytes: Buffer.from('o\n') },
  { kind: 'rows', bytes: large },
  { kind: 'table end' },
  { kind: 'table', table: 'nothing', columns: ['id'] },
  { kind: 'table end' },
  { kind: 'end', sequences },
];

async function* flowing(some: readonly UnsummedPart[]): AsyncGenerator<UnsummedPart> {
  yield* some;
}

async function all(): Promise<BackupPart[]> {
  const read: BackupPart[] = [];
  for await (const part of (await openBackupFile(path, ['test-1'], null)).parts()) read.push(part);
  return read;
}

describe('a backup file', () => {
  it('is read as it was written, and says how much it holds', async () => {
    const totals = await writeBackupFile(path, header, flowing(parts), null);
    assert.deepEqual(totals, { tables: 2, rows: 3, sequences });
    assert.deepEqual((await openBackupFile(path, ['test-1'], null)).header, header);
    const read = await all();
    const rows = Buffer.concat(read.flatMap((part) => (part.kind === 'rows' ? [part.bytes] : [])));
    assert.ok(rows.equals(Buffer.concat([Buffer.from('1\tone\n2\ttwo\n'), large])));
    assert.deepEqual(
      read.flatMap((part) => (part.kind === 'table end' ? [part.rows] : [])),
      [3, 0],
    );
    assert.deepEqual(read.at(-1), { kind: 'end', totals });
  });

  it('is for its owner alone, and takes the place of no other file', async () => {
    await writeBackupFile(path, header, flowing(parts), null);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    await assert.rejects(writeBackupFile(path, header, flowing(parts), null), /exists already/);
  });

  it('replaces no file that another program has written there', async () => {
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    async function* slow(): AsyncGenerator<UnsummedPart> {
      begun.resolve();
      await goOn.promise;
      yield* parts;
    }
    const later = writeBackupFile(path, { ...header, server: 'later' }, slow(), null);
    await begun.promise;
    await writeBackupFile(path, header, flowing(parts), null);
    goOn.resolve();
    await assert.rejects(later, /exists already/);
    assert.deepEqual((await openBackupFile(path, ['test-1'], null)).header, header);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith(`${serial}.`)),
      [`${serial}.backup`],
    );
  });

  it('does not get its name when the rows break off', async () => {
    async function* broken(): AsyncGenerator<UnsummedPart> {
      yield* parts.slice(0, 3);
      throw new Error('the connection was lost');
    }
    await assert.rejects(writeBackupFile(path, header, broken(), null), /the connection was lost/);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith(`${serial}.`)),
      [],
    );
  });

  it('is refused wherever it was cut', async () => {
    await writeBackupFile(path, header, flowing(parts), null);
    const whole = await readFile(path);
    for (const length of [0, 1, 60, whole.indexOf(10) + 1, whole.length - 100, whole.length - 1]) {
      await truncate(path, length);
      await assert.rejects(all(), /is damaged|is not a backup/, `${length} of ${whole.length} bytes`);
      await writeFile(path, whole);
    }
    await all();
  });

  it('is refused with any of its bytes changed', async () => {
    await writeBackupFile(
      path,
      header,
      flowing(parts.filter((part) => !('bytes' in part && part.bytes === large))),
      null,
    );
    const whole = await readFile(path);
    for (let at = 0; at < whole.length; at += 7) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await writeFile(path, changed);
      await assert.rejects(all(), /damaged|not a backup|of the format/, `byte ${at}`);
    }
  });

  it('is refused with something behind its end', async () => {
    await writeBackupFile(path, header, flowing(parts), null);
    await appendFile(path, 'more');
    await assert.rejects(all(), /damaged/);
  });

  it('is refused when rows were exchanged and compressed again', async () => {
    await writeBackupFile(path, header, flowing(parts), null);
    const whole = await readFile(path);
    const start = whole.indexOf(10) + 1;
    const plain = zstdDecompressSync(whole.subarray(start, -32));
    plain[plain.indexOf('one')] = 'O'.charCodeAt(0);
    const changed = Buffer.concat([whole.subarray(0, start), zstdCompressSync(plain)]);
    const seal = createHash('sha256').update(changed).digest();
    await writeFile(path, Buffer.concat([changed, seal]));
    await assert.rejects(all(), /a table is not what was written/);
  });

  it('is sealed for those who have the key, and for no other', async () => {
    const [seal, other] = ['key', 'other'].map(
      (key) => (text: string) => createHmac('sha256', key).update(text).digest(),
    );
    assert.ok(seal !== undefined && other !== undefined);
    await writeBackupFile(path, header, flowing(parts), seal);
    const isSealed = async (key: typeof seal | null) =>
      (await openBackupFile(path, ['test-1'], key)).isSealed;
    assert.deepEqual(
      [await isSealed(seal), await isSealed(other), await isSealed(null)],
      [true, false, false],
    );
    const { header: read, parts: readAgain } = await openBackupFile(path, ['test-1'], null);
    assert.deepEqual(read, { ...header, sealed: true });
    for await (const _ of readAgain());
    // Changed without the key, with a hash that is right.
    const whole = await readFile(path);
    const content = Buffer.from(whole.subarray(0, -64).toString('latin1').replace('18.4', '18.5'), 'latin1');
    const digest = createHash('sha256').update(content).digest();
    await writeFile(path, Buffer.concat([content, digest, whole.subarray(-32)]));
    assert.equal(await isSealed(seal), false);
    await writeBackupFile(`${path}2`, header, flowing(parts), null);
    assert.equal((await openBackupFile(`${path}2`, ['test-1'], seal)).isSealed, false);
  });

  it('is the one that was opened, whatever gets its name or its bytes afterwards', async () => {
    await writeBackupFile(path, header, flowing(parts), null);
    const opened = await openBackupFile(path, ['test-1'], null);
    await writeBackupFile(`${path}2`, header, flowing(parts.slice(5)), null);
    await rename(`${path}2`, path);
    let tables = 0;
    for await (const part of opened.parts()) if (part.kind === 'table') tables += 1;
    assert.equal(tables, 2);
    const reopened = await openBackupFile(path, ['test-1'], null);
    const whole = await readFile(path);
    whole[whole.length >> 1] = (whole[whole.length >> 1] ?? 0) ^ 1;
    await writeFile(path, whole);
    await assert.rejects(async () => {
      for await (const _ of reopened.parts());
    }, /damaged/);
  });

  it('is refused when it is none, or of another format', async () => {
    await writeFile(path, 'PGDMP\u0001\u000e');
    await assert.rejects(openBackupFile(path, ['test-1'], null), /is not a backup/);
    await writeFile(path, '{"dump": true}\nrows');
    await assert.rejects(openBackupFile(path, ['test-1'], null), /is not a backup/);
    await writeBackupFile(`${path}2`, { ...header, format: 'test-2' }, flowing(parts), null);
    await assert.rejects(
      openBackupFile(`${path}2`, ['test-1'], null),
      /of the format test-2, and this program reads test-1/,
    );
    await assert.rejects(openBackupFile(`${path}3`, ['test-1'], null), /ENOENT/);
  });
});
