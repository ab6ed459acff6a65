import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDataDir } from '../../test/harness.ts';
import { checkBackup, checkDisk, judgeDisk, noteBackup } from './back-up.ts';

test('the age of the last backup', async () => {
  const dataDir = await temporaryDataDir();
  const at = new Date('2026-11-22T03:00:00Z');
  assert.match((await checkBackup(dataDir, at)).what, /^No backup was made yet/);
  await noteBackup(join(dataDir, 'new'), at);
  await noteBackup(dataDir, at);
  assert.deepEqual(await checkBackup(dataDir, new Date('2026-11-23T03:10:00Z')), {
    level: 'ok',
    what: 'The last backup is of 2026-11-22 03:00:00 UTC',
  });
  const late = await checkBackup(dataDir, new Date('2026-11-23T05:00:00Z'));
  assert.equal(late.level, 'warning');
  assert.match(late.what, /more than a day ago$/);
  await writeFile(join(dataDir, 'last-backup.json'), '{"at":');
  assert.match((await checkBackup(dataDir, at)).what, /^No backup/);
});

test('the free space of the disk', async () => {
  const levels = [4e8, 5e9, 11e9].map((free) => judgeDisk('/data', free, 100e9).level);
  assert.deepEqual(levels, ['error', 'warning', 'ok']);
  const [found] = await checkDisk(await temporaryDataDir());
  assert.match(found?.what ?? '', /^[\d.]+ GB of [\d.]+ GB are free on the disk of/);
  assert.deepEqual(await checkDisk('/nowhere/at/all'), []);
});
