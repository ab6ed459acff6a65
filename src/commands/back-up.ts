import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import { createKeyedHash } from '../kit/crypto/at-rest.ts';
import { writeBackup } from '../kit/db/backup/write-backup.ts';
import { findEncryptionKey } from '../secrets.ts';
import { noteBackup } from './last-backup.ts';
import { useServer } from './use-database.ts';

/** Name and version of the format: a change that an older program cannot read makes it another. */
export const backupFormat = 'punchcard-backup-1';

/**
 * Writes everything that the database holds into one file, beside a running service or without one. In a folder the file
 * gets the time for a name. The key that seals secrets is not in it, only what tells it from others.
 */
export async function backUp(target: string): Promise<void> {
  const began = performance.now();
  const at = new Date();
  const config = readConfig();
  const isFolder = await stat(target).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const path = isFolder ? join(target, `punchcard-${nameOf(at)}.backup`) : target;
  const key = await keyFingerprint(config);
  const { tables, rows } = await useServer((url) =>
    writeBackup(url, path, { name: 'punchcard backup', format: backupFormat, facts: async () => ({ key }) }),
  );
  const { size } = await stat(path);
  await noteBackup(config.dataDir, at).catch((error) =>
    console.error(
      `! The backup is made, but ${config.dataDir} could not note it for the doctor: ${error.code}`,
    ),
  );
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`✓ ${path}: ${rows} rows of ${tables} tables, ${size} bytes, in ${seconds} s`);
  console.log(
    key === null
      ? '! No encryption key is configured here: restore will not be able to tell whether it has the right one'
      : `  Keep ENCRYPTION_KEY or secrets.json apart from it: key ${key}`,
  );
}

/** What tells the configured key from others, without telling anything of it; null where none is configured. */
export async function keyFingerprint(config: Config): Promise<string | null> {
  const key = await findEncryptionKey(config);
  return key === null ? null : createKeyedHash(key, 'backups')('fingerprint').toString('hex').slice(0, 16);
}

/** `20261231T235959Z` */
function nameOf(at: Date): string {
  return at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
}
