import type { RunningApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { greet, runService } from './run-service.ts';
import { serveMany } from './serve-many.ts';

/** Runs the service: the API and the holder pages, and the background work too unless WORKERS is off. */
export async function serve(): Promise<void> {
  const config = readConfig();
  if (config.processes > 1) return serveMany(config);
  const onReady = (running: RunningApp) => greet(running, config, running.url);
  await runService(config, { serves: true, works: config.workers, onReady });
}

/** Does the background work only, next to processes that serve. */
export async function work(): Promise<void> {
  const config = { ...readConfig(), drainMs: 0 };
  const onReady = (running: RunningApp) => greet(running, config, running.url);
  await runService(config, { serves: false, works: true, onReady });
}
