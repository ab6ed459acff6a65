import { mkdir, readFile, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import { createKeyedHash } from '../kit/crypto/at-rest.ts';
import type { Seal } from '../kit/db/backup/format.ts';
import { writeBackup } from '../kit/db/backup/write-backup.ts';
import { readable } from '../kit/time.ts';
import { findEncryptionKey } from '../start/secrets.ts';
import type { Finding } from '../wallet/apple/certificates/inspect-identity.ts';
import { useServer } from './use-database.ts';

/** Names and versions of the format, the newest first: a change that an older program cannot read makes it another. */
export const backupFormats = ['punchcard-backup-2', 'punchcard-backup-1'] as const;

/**
 * Writes everything that the database holds into one file, while a service runs or without one. In a folder the file
 * is named after the time. The key that seals secrets is not in it, only its fingerprint.
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
  const key = await fileKey(config);
  const { tables, rows } = await useServer((url) =>
    writeBackup(url, path, {
      name: 'punchcard backup',
      format: backupFormats[0],
      seal: key?.seal ?? null,
      facts: async () => ({ key: key?.fingerprint ?? null }),
    }),
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
      ? '! No encryption key is configured here: restore will not be able to check whether it has the right one, nor who has written the file'
      : `  Keep ENCRYPTION_KEY or secrets.json apart from it: key ${key.fingerprint}`,
  );
}

/** What the configured key is to files. */
interface FileKey {
  /** Identifies the key, without revealing anything of it. */
  readonly fingerprint: string;
  /** By a key that is derived from it for this alone. */
  readonly seal: Seal;
}

/** Null where no key is configured. */
export async function fileKey(config: Config): Promise<FileKey | null> {
  const key = await findEncryptionKey(config);
  if (key === null) return null;
  const fingerprint = createKeyedHash(key, 'backups')('fingerprint').toString('hex').slice(0, 16);
  return { fingerprint, seal: createKeyedHash(key, 'seals of files') };
}

/** `20261231T235959Z` */
function nameOf(at: Date): string {
  return at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

const fileIn = (dataDir: string) => join(dataDir, 'last-backup.json');

/** Notes in the data directory that a backup was made, for the doctor. Raises what writing a file does. */
export async function noteBackup(dataDir: string, at: Date): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(fileIn(dataDir), `${JSON.stringify({ at: at.toISOString() })}\n`, { mode: 0o600 });
}

/** How old the last backup is that was noted in a data directory. */
export async function checkBackup(dataDir: string, now: Date): Promise<Finding> {
  const at = await lastBackup(dataDir);
  const level = 'warning';
  if (at === null) {
    return {
      level,
      what: 'No backup was made yet with `punchcard backup`',
      advice:
        'Make one every day, as docs/OPERATIONS.md has it; not needed where the database is kept by other means.',
    };
  }
  const what = `The last backup is of ${readable(at)}`;
  if (now.getTime() - at.getTime() <= dayMs) return { level: 'ok', what };
  return {
    level,
    what: `${what}: more than a day ago`,
    advice: 'See why `punchcard backup` no longer runs every day.',
  };
}

/** Cron does not begin at the same second. */
const dayMs = 25 * 3_600_000;

async function lastBackup(dataDir: string): Promise<Date | null> {
  try {
    const at = new Date(JSON.parse(await readFile(fileIn(dataDir), 'utf8')).at);
    return Number.isNaN(at.getTime()) ? null : at;
  } catch {
    return null;
  }
}

/** What is free on the disk of a data directory; nothing before there is one. */
export async function checkDisk(dataDir: string): Promise<Finding[]> {
  const disk = await statfs(dataDir).catch(() => null);
  return disk === null ? [] : [judgeDisk(dataDir, disk.bavail * disk.bsize, disk.blocks * disk.bsize)];
}

/** Below a tenth it gets scarce; with less than half a gigabyte a database may stop. */
export function judgeDisk(dataDir: string, free: number, size: number): Finding {
  const what = `${(free / 1e9).toFixed(1)} GB of ${(size / 1e9).toFixed(1)} GB are free on the disk of ${dataDir}`;
  const advice =
    'Make room, or move DATA_DIR to a larger disk: an embedded database stops when the disk is full.';
  if (free < 5e8) return { level: 'error', what, advice };
  return free < size / 10 && free < 1e10 ? { level: 'warning', what, advice } : { level: 'ok', what };
}
