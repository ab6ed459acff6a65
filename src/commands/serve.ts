import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningApp, startApp } from '../app.ts';
import { readConfig } from '../config.ts';

/** Longest time between the signal and the end of the process: the grace that orchestrators usually give is 30 s. */
const mostShutdownMs = 28_000;

/** Runs the service until SIGTERM or SIGINT, then drains it. */
export async function serve(): Promise<void> {
  const config = readConfig();
  const running = await startApp(config);
  greet(running, config.publicUrl, config.dataDir);

  let stopping = false;
  const stop = (drainMs: number) => {
    // Whoever asks twice does not want to wait.
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), mostShutdownMs).unref();
    void shutDown(running, drainMs);
  };
  process.on('SIGTERM', () => stop(config.drainMs));
  // Ctrl-C: no load balancer has to notice first.
  process.on('SIGINT', () => stop(0));
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
  const lines = [`Punchcard serves ${url}`, `  API reference   ${publicUrl}/docs`];
  if (firstRun !== null) {
    lines.push(
      `  API key         ${firstRun.apiKey}`,
      `  operator token  ${firstRun.operatorToken}`,
      `  Both are shown this once and kept in ${dataDir}/first-run.json`,
    );
  }
  if (app.apple.development) {
    lines.push('  Passes are signed with a development certificate: phones refuse them (punchcard doctor)');
  }
  console.log(lines.join('\n'));
}
