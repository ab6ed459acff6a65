import { type Logger, pino, stdSerializers } from 'pino';

/**
 * A log of JSON lines on the standard output. Lines are collected for a moment, since one per request would cost the
 * event loop a system call each; whatever is left is written when the process ends. A reader that is gone, or a full
 * disk, costs lines and never the process.
 */
export function openLog(level: string): Logger {
  const output = pino.destination({
    sync: false,
    minLength: 4_096,
    periodicFlush: 100,
    maxLength: mostWaiting,
  });
  let canWrite = true;
  output.on('write', () => {
    canWrite = true;
  });
  output.on('error', () => {
    canWrite = false;
  });
  const writeLast = output.flushSync.bind(output);
  // Left to itself it tries its last write again for ever, on a full disk too.
  output.flushSync = () => {
    if (canWrite) writeLast();
  };
  return pino({ level, serializers: { err: errorForLog } }, output);
}

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
