import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningApp, startApp } from '../app.ts';
import { type Config, readConfig } from '../config.ts';
import { firstRunFile } from '../first-run.ts';

/** Longest time between the signal and the end of the process: the grace that orchestrators usually give is 30 s. */
const mostShutdownMs = 28_000;
/** A Ctrl-C under `npm start` comes twice: from the terminal, and once more from npm. */
const sameSignalMs = 1_000;

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
  const { promise: stopping, resolve: stop } = Promise.withResolvers<Asked>();
  const state: { askedAt: number | null; running: RunningApp | null } = { askedAt: null, running: null };
  const cut = (reason: string) => {
    state.running?.app.log.warn({ requests: state.running.inFlight }, `${reason}: ended at once`);
    process.exit(1);
  };
  const ask = (signal: NodeJS.Signals, drainMs: number) => {
    const now = performance.now();
    // Whoever asks twice does not want to wait.
    if (state.askedAt !== null && now - state.askedAt > sameSignalMs) cut('a second signal');
    if (state.askedAt !== null) return;
    state.askedAt = now;
    setTimeout(() => cut(`not stopped in ${mostShutdownMs} ms`), mostShutdownMs).unref();
    stop({ signal, drainMs });
  };
  process.on('SIGTERM', () => ask('SIGTERM', config.drainMs));
  // Ctrl-C and a closed terminal: no load balancer has to notice first.
  process.on('SIGINT', () => ask('SIGINT', 0));
  process.on('SIGHUP', () => ask('SIGHUP', 0));

  const running = await startApp(config, roles);
  state.running = running;
  // Nobody has been told yet of a process that was asked during its start.
  const isNew = state.askedAt !== null;
  if (!isNew) greet(running, config.publicUrl, config.dataDir);
  const asked = await stopping;
  await shutDown(running, isNew ? { ...asked, drainMs: 0 } : asked);
}

/** What the first signal asks for. */
interface Asked {
  readonly signal: NodeJS.Signals;
  readonly drainMs: number;
}

async function shutDown(running: RunningApp, { signal, drainMs }: Asked): Promise<void> {
  const { log } = running.app;
  log.info({ signal, drainMs }, drainMs > 0 ? 'draining: still serving, no longer ready' : 'ending');
  running.drain();
  await sleep(drainMs);
  try {
    const isWhole = await running.close();
    log.info('stopped');
    process.exit(isWhole ? 0 : 1);
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
  // What is no terminal may be a file or a journal: others read it, and it is kept.
  if (firstRun !== null && process.stdout.isTTY) {
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
