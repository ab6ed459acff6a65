import { stripVTControlCharacters, styleText } from 'node:util';
import { type Logger, pino, stdSerializers } from 'pino';

/**
 * Opens a log on the standard output: by default, readable lines on a terminal and JSON elsewhere. Lines are collected
 * briefly, since one per request would cost the event loop a system call each; the rest is written when the process ends.
 * A reader that is gone, or a full disk, loses lines and never ends the process.
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
  /** Null: `pretty` on a terminal, JSON elsewhere. */
  readonly format?: 'json' | 'pretty' | null;
}

/** The characters that are written at once, and the longest that one waits. */
const usuallyTogether = 32_768;
/** The bytes that a pipe takes whole, however many processes write to it (PIPE_BUF of Linux); a longer line may be broken. */
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

const levels: Readonly<Record<number, readonly [name: string, color: 'gray' | 'green' | 'yellow' | 'red']>> =
  {
    10: ['trace', 'gray'],
    20: ['debug', 'gray'],
    30: ['info', 'green'],
    40: ['warn', 'yellow'],
    50: ['error', 'red'],
  };

/**
 * A line of the log for people: time, level, message, what a request was and became, and the rest as it is; below it the
 * stack of an error. In colour where the standard output is a terminal.
 */
export function readableLine(json: string): string {
  const { level, time, msg, pid: _pid, hostname: _host, ...facts } = JSON.parse(json);
  const { method, route, status, ms, op, requestId, err, ...others } = facts;
  const [name, color] = levels[level] ?? [String(level), 'gray'];
  const request = [method, route, status, ms === undefined ? null : `${ms} ms`, op, requestId];
  const rest = Object.entries(others).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const words = [msg, ...request, ...rest].filter((word) => word != null);
  const at = styleText('gray', new Date(time).toISOString().slice(11, 23));
  const line = `${at} ${styleText(color, name.padEnd(5))} ${plain(words.join(' '))}\n`;
  if (err === undefined) return line;
  const { stack, type, message } = err;
  return `${line}${plain(stack ?? `${type}: ${message}`).replaceAll(/^/gm, '    ')}\n`;
}

/** What comes from outside must not steer the terminal. */
function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[^\P{Cc}\n]/gu, ' ');
}
