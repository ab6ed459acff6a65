import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningApp, startApp } from '../app.ts';
import { type Config, readConfig } from '../config.ts';
import { firstRunFile } from '../first-run.ts';

/** Longest time between the signal and the end of the process: the grace that orchestrators usually give is 30 s. */
const mostShutdownMs = 28_000;

/** Runs the service: the API and the holder pages, and the background work too unless WORKERS is off. */
export async function serve(): Promise<void> {
  const config = readConfig();
  await run(config, { serves: true, works: config.workers });
}

/** Does the background work only, beside processes that serve. */
export async function work(): Promise<void> {
  await run({ ...readConfig(), drainMs: 0 }, { serves: false, works: true });
}

/** Runs until SIGTERM, SIGINT or SIGHUP, then drains. A signal during the start ends it after that. */
async function run(config: Config, roles: { serves: boolean; works: boolean }): Promise<void> {
  const { promise: stopping, resolve: stop } = Promise.withResolvers<number>();
  const state = { asked: false };
  const ask = (drainMs: number) => {
    // Whoever asks twice does not want to wait.
    if (state.asked) process.exit(1);
    state.asked = true;
    setTimeout(() => process.exit(1), mostShutdownMs).unref();
    stop(drainMs);
  };
  process.on('SIGTERM', () => ask(config.drainMs));
  // Ctrl-C and a closed terminal: no load balancer has to notice first.
  process.on('SIGINT', () => ask(0));
  process.on('SIGHUP', () => ask(0));

  const running = await startApp(config, roles);
  if (state.asked) {
    // Nobody has been told of this process yet.
    await shutDown(running, 0);
    return;
  }
  greet(running, config.publicUrl, config.dataDir);
  await shutDown(running, await stopping);
}

async function shutDown(running: RunningApp, drainMs: number): Promise<void> {
  const { log } = running.app;
  log.info({ drainMs }, 'draining');
  running.drain();
  await sleep(drainMs);
  try {
    await running.close();
    log.info('stopped');
    process.exit(0);
  } catch (error) {
    log.error({ err: error }, 'the shutdown failed');
    process.exit(1);
  }
}

function greet({ url, firstRun, app }: RunningApp, publicUrl: string, dataDir: string): void {
  const lines =
    url === ''
      ? ['Punchcard does the background work']
      : [`Punchcard serves ${url}`, `  API reference   ${publicUrl}/docs`];
  const file = firstRunFile(dataDir);
  if (firstRun !== null) {
    lines.push(
      `  API key         ${firstRun.apiKey}`,
      `  operator token  ${firstRun.operatorToken}`,
      `  Both are shown this once and kept in ${file}`,
    );
  } else if (existsSync(file)) {
    lines.push(`  API key and operator token of the first start are in ${file}`);
  }
  if (app.apple.development) {
    lines.push('  Passes are signed with a development certificate: phones refuse them (punchcard doctor)');
  }
  console.log(lines.join('\n'));
}
