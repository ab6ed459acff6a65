import { copyFile, type FileHandle, open, stat, truncate } from 'node:fs/promises';

/** What an operator should hear of; a pino logger fits. */
export type Log = { info(message: string): void; warn(message: string): void };

export const silentLog: Log = { info() {}, warn() {} };

const logLimitBytes = 5_000_000;
const tailBytes = 16_000;

/**
 * Opens the server's log for appending, mode 0600, and returns how long it was. The server keeps the
 * descriptor, so it goes on logging when this process is gone.
 */
export async function openServerLog(path: string): Promise<{ file: FileHandle; length: number }> {
  await keepLogBounded(path);
  const file = await open(path, 'a', 0o600);
  return { file, length: (await file.stat()).size };
}

/**
 * Moves the content of a log over 5 MB to `<path>.1`. It is copied and cut, not renamed, since the server
 * writes on through its own descriptor. A line written in between can be lost.
 */
export async function keepLogBounded(path: string, limitBytes = logLimitBytes): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= limitBytes) return;
  // On a full disk the copy fails; cutting the log then frees space.
  await copyFile(path, `${path}.1`).catch(() => {});
  await truncate(path).catch(() => {});
}

/** What was logged after the first `start` bytes; at most the last 16 kB of it. */
export async function readLogSince(path: string, start: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const from = Math.max(Math.min(start, size), size - tailBytes);
    const buffer = Buffer.alloc(size - from);
    await file.read(buffer, 0, buffer.length, from);
    return buffer.toString('utf8');
  } finally {
    await file.close();
  }
}
