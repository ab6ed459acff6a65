import { setTimeout as sleep } from 'node:timers/promises';
import { type AppOptions, type RunningApp, startApp } from '../app.ts';
import type { Config } from '../config.ts';
import { type Asked, listenToSignals } from './stop-signals.ts';

interface Options extends AppOptions {
  /** Called when it is up; not of one that was asked to end during its start. */
  onReady(running: RunningApp): void;
  /** What SIGHUP means instead of the end; false where it means that. */
  readonly onHangUp?: () => boolean;
}

/** Runs until SIGTERM, SIGINT or SIGHUP, then drains. A signal during the start ends it after that. */
export async function runService(config: Config, options: Options): Promise<void> {
  const signals = listenToSignals({ drainMs: config.drainMs, onHangUp: options.onHangUp });
  const running = await startApp(config, options);
  signals.watch(running);
  // A process that was asked to end during its start has not reported yet.
  const isNew = signals.isAsked;
  if (!isNew) options.onReady(running);
  const asked = await signals.asked;
  await shutDown(running, isNew ? { ...asked, drainMs: 0 } : asked);
}

async function shutDown(running: RunningApp, { signal, drainMs }: Asked): Promise<void> {
  const { log } = running.app;
  log.info({ signal, drainMs }, drainMs > 0 ? 'draining: still serving, no longer ready' : 'ending');
  running.drain();
  await sleep(drainMs);
  await exitClosed(running);
}

/** Closes it and ends the process: with 0 when all came to its end, of others too. */
export async function exitClosed(running: RunningApp, othersEnded = true): Promise<never> {
  const { log } = running.app;
  try {
    const isWhole = await running.close();
    log.info('stopped');
    process.exit(isWhole && othersEnded ? 0 : 1);
  } catch (error) {
    log.error({ err: error }, 'the shutdown failed');
    process.exit(1);
  }
}
