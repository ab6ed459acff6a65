import { mkdir, readFile, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readable } from '../kit/time.ts';
import type { Finding } from '../wallet/apple/certificates/inspect-identity.ts';

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
