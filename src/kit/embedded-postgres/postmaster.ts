import { execFile } from 'node:child_process';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Log } from './log.ts';
import { socketFile } from './paths.ts';

/** How long a shutdown may take before the next, harsher one. */
type StopPatience = { fastMs: number; immediateMs: number };

const defaultPatience: StopPatience = { fastMs: 10_000, immediateMs: 3_000 };
const pollMs = 10;
const settledMs = 1_000;

/** Only when `status` is `ready` do port and socket directory count. */
type PostmasterFile = { pid: number; port: number; sockets: string; status: string; writtenMs: number };

/**
 * What a running server says of itself in postmaster.pid, line by line, and when it last wrote there. Undefined when
 * the file is missing or not finished.
 */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  try {
    // Through one handle: a server that starts puts a new file in the place of the one before it.
    await using file = await open(pidFile(cluster));
    const [text, { mtimeMs: writtenMs }] = [await file.readFile('utf8'), await file.stat()];
    const lines = text.split('\n').map((line) => line.trim());
    const [pid, port] = [Number.parseInt(lines[0] ?? '', 10), Number.parseInt(lines[3] ?? '', 10)];
    return pid > 0 ? { pid, port, sockets: lines[4] ?? '', status: lines[7] ?? '', writtenMs } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stops the server that a killed process left behind on this cluster, and removes a postmaster.pid that names
 * some other process: PostgreSQL would take that one for a server and refuse to start.
 */
export async function stopAbandonedServer(cluster: string, log: Log): Promise<void> {
  const named = await readPostmasterFile(cluster);
  if (named && (await isPostmasterOf(named.pid, cluster))) {
    log.info(`Stopping the database server (pid ${named.pid}) that an earlier process left running.`);
    await stopPostmaster(named.pid, async () => !(await isPostmasterOf(named.pid, cluster)));
  } else if (named ? isAlive(named.pid) : await isSettled(pidFile(cluster))) {
    // The file of a dead process stays: it lets PostgreSQL check for survivors of that server.
    await rm(pidFile(cluster), { force: true });
  }
  if (!(await readPostmasterFile(cluster))) {
    await rm(`${socketFile(cluster)}.lock`, { force: true });
  }
}

/**
 * Fast shutdown (transactions are rolled back, everything is on disk), after 10 s an immediate one (nothing
 * committed is lost, the next start recovers), and at last a kill.
 */
export async function stopPostmaster(
  pid: number,
  isGone: () => boolean | Promise<boolean>,
  patience: StopPatience = defaultPatience,
): Promise<void> {
  const steps = [
    ['SIGINT', patience.fastMs],
    ['SIGQUIT', patience.immediateMs],
    ['SIGKILL', patience.immediateMs],
  ] as const;
  for (const [signal, waitMs] of steps) {
    if (await isGone()) return;
    sendSignal(pid, signal);
    const end = performance.now() + waitMs;
    while (performance.now() < end) {
      if (await isGone()) return;
      await sleep(pollMs);
    }
  }
}

/**
 * Whether `pid` is, now, a PostgreSQL server working in `cluster`, and not a later process with its number.
 */
export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return isPostmasterByCommandLine(pid, cluster);
  try {
    const [name, itsDirectory, ours] = await Promise.all([
      readFile(`/proc/${pid}/comm`, 'utf8'),
      stat(`/proc/${pid}/cwd`),
      stat(cluster),
    ]);
    return name.trim() === 'postgres' && itsDirectory.ino === ours.ino && itsDirectory.dev === ours.dev;
  } catch {
    // Gone, a zombie, or another account's process, which PostgreSQL, too, does not take for its own.
    return false;
  }
}

async function isPostmasterByCommandLine(pid: number, cluster: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)('/bin/ps', ['-o', 'command=', '-p', String(pid)]).catch(
    () => ({
      stdout: '',
    }),
  );
  return stdout.includes('/postgres ') && stdout.includes(` ${cluster} `);
}

function pidFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

/** A server that is just starting may not have filled its file yet. */
async function isSettled(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) > settledMs;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended on its own.
  }
}
