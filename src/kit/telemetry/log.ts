import { type Logger, pino, stdSerializers } from 'pino';
import { readableLine } from './readable-line.ts';

/**
 * A log on the standard output: lines to read on a terminal, JSON elsewhere, unless told. Lines are collected for a moment, since one per request would cost the
 * event loop a system call each; whatever is left is written when the process ends. A reader that is gone, or a full
 * disk, costs lines and never the process.
 */
export function openLog(level: string, { isShared = false, format = null }: Options = {}): Logger {
  const together = isShared ? atomic : usuallyTogether;
  const output = pino.destination({
    sync: false,
    maxLength: mostWaiting,
    ...(isShared && { maxWrite: atomic }),
  });
  let canWrite = true;
  output.on('write', () => {
    canWrite = true;
  });
  output.on('error', () => {
    canWrite = false;
  });
  // Added to what waits for the file, each line would have all of that measured and copied again.
  let lines: string[] = [];
  let length = 0;
  const handOver = () => {
    if (length === 0) return;
    const text = lines.join('');
    lines = [];
    length = 0;
    output.write(text);
  };
  setInterval(handOver, longestWaitMs).unref();
  const writeLast = output.flushSync.bind(output);
  // Left to itself it tries its last write again for ever, on a full disk too.
  output.flushSync = () => {
    handOver();
    if (canWrite) writeLast();
  };
  const isReadable = (format ?? (process.stdout.isTTY ? 'pretty' : 'json')) === 'pretty';
  const write = (json: string) => {
    const line = isReadable ? readableLine(json) : json;
    if (isShared && length + line.length > atomic) handOver();
    lines.push(line);
    length += line.length;
    if (length >= together) handOver();
  };
  return pino({ level, serializers: { err: errorForLog } }, { write });
}

interface Options {
  /** Whether other processes write to the same output: then no line of theirs comes between the parts of one of ours. */
  readonly isShared?: boolean;
  /** Null: what whoever reads it can read. */
  readonly format?: 'json' | 'pretty' | null;
}

/** So many characters are written at once, and none waits longer than this. */
const usuallyTogether = 32_768;
/** So many bytes a pipe takes whole, however many write to it (PIPE_BUF of Linux); a longer line may be broken. */
const atomic = 4_096;
const longestWaitMs = 100;

/** What may wait for a slow reader, in characters; lines beyond it are lost. */
const mostWaiting = 1_000_000;

/** What PostgreSQL adds to an error: it quotes the rows and values that it is about. */
const quoting = ['detail', 'where', 'hint', 'internalQuery'] as const;

/** An error with its stack and its causes, without values out of the database. */
export function errorForLog(error: Error): object {
  const shown: Record<string, unknown> = { ...stdSerializers.err(error) };
  for (const name of quoting) delete shown[name];
  return shown;
}
