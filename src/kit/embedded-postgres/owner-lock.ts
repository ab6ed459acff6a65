import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { DataDirectoryInUse, EmbeddedPostgresError } from './errors.ts';
import type { DataPaths } from './paths.ts';

/** A data directory held by this process. */
type OwnerLock = { release(): void };

/** Open handles: one that is only reachable from a closure could be collected, and its lock with it. */
const held = new Set<DatabaseSync>();

const sqliteBusy = 5;

/**
 * Takes the data directory for this process, or raises `DataDirectoryInUse`. The operating system holds the
 * lock and drops it when the process dies, however it dies, so a dead owner is never mistaken for a living
 * one and two starts at the same moment cannot both win. It is an fcntl lock on a file, taken through SQLite
 * because Node has no call for it; it therefore also works between containers that share the directory.
 */
export function lockDataDirectory(paths: DataPaths): OwnerLock {
  const database = acquire(paths);
  held.add(database);
  announceOwner(paths.owner);
  return {
    release() {
      if (!held.delete(database)) return;
      rmSync(paths.owner, { force: true });
      database.close();
    },
  };
}

function acquire(paths: DataPaths): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(paths.lock);
    // Two that collide both step back for a moment; without a wait each could refuse because of the other.
    database.exec('PRAGMA busy_timeout = 250');
    // Nothing is ever written, so no journal file is needed next to the lock.
    database.exec('PRAGMA journal_mode = OFF');
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) {
      throw new DataDirectoryInUse(paths.dataDir, readOwner(paths.owner));
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new EmbeddedPostgresError(
      `${paths.lock} could not be locked (${reason}). Check that this account may write there and that the ` +
        'file system supports locks, or set DATA_DIR to another directory.',
      { cause: error },
    );
  }
}

function announceOwner(file: string): void {
  try {
    writeFileSync(file, `${process.pid} ${hostname()}\n`);
  } catch {
    // Only a name for the message of another process; on a full disk the lock is what counts.
  }
}

function readOwner(file: string): { pid: number; host?: string } {
  try {
    const [pid = '', host = ''] = readFileSync(file, 'utf8').trim().split(' ');
    return { pid: Number.parseInt(pid, 10) || 0, ...(host && host !== hostname() ? { host } : {}) };
  } catch {
    return { pid: 0 };
  }
}
