import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppOptions, type RunningApp, startApp } from '../app.ts';
import type { Config } from '../config.ts';
import { firstRunFile } from '../start/first-run.ts';
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

/** Says on the standard output what runs, and where: at that address, or nowhere when it is empty. */
export function greet(
  { firstRun, app }: RunningApp,
  { publicUrl, dataDir }: Config,
  url: string,
  more: readonly string[] = [],
): void {
  const lines =
    url === ''
      ? ['Punchcard does the background work']
      : [`Punchcard serves ${url}`, ...more, `  API reference   ${publicUrl}/docs`];
  const file = firstRunFile(dataDir);
  // What is no terminal may be a file or a journal: others read it, and it is kept.
  if (firstRun !== null && process.stdout.isTTY) {
    lines.push(
      `  API key         ${firstRun.apiKey}`,
      `  operator token  ${firstRun.operatorToken}`,
      `  Both are shown this once and kept in ${file}`,
    );
    if (firstRun.consoleUrl !== undefined)
      lines.push(`  Sign in, once, within 30 minutes: ${firstRun.consoleUrl}`);
  } else if (existsSync(file)) {
    lines.push(`  API key and operator token of the first start are in ${file}`);
  }
  if (app.apple.development) {
    lines.push('  Passes are signed with a development certificate: phones refuse them (punchcard doctor)');
  }
  console.log(lines.join('\n'));
}
