import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { startApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { findDueJobs, jobs } from '../../src/jobs.ts';
import { createTestDatabase, dropTestDatabase, temporaryDataDir } from '../harness.ts';
import { growDatabase } from './grow.ts';

/*
 * What `npm run grow` makes is at rest: a measurement on it must not include a recount of all ledgers.
 */
const url = await createTestDatabase();
const until = new Date(new Date().toISOString().slice(0, 10));
await growDatabase(url, { scale: 0.0005, workspaces: 8, seed: 1, until, hasBacklog: false }, () => undefined);
const running = await startApp(
  readConfig({
    PORT: '0',
    PUBLIC_URL: 'https://cards.example.test',
    DATA_DIR: await temporaryDataDir(),
    DATABASE_URL: url,
    LOG_LEVEL: 'silent',
  }),
  // At noon: shortly before midnight the next recount would be due while this runs.
  { works: false, now: () => new Date(until.getTime() + 12 * 3_600_000) },
);
after(async () => {
  await running.close();
  await dropTestDatabase(url);
});

it('a grown service has nothing to do in the background', async () => {
  const ctx = { app: running.app, requestId: 'test' };
  const busy: string[] = await findDueJobs(ctx);
  for (const { name, everyMs, run } of jobs) if (everyMs !== undefined && (await run(ctx))) busy.push(name);
  assert.deepEqual(busy, []);
});
