import assert from 'node:assert/strict';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, it } from 'node:test';
import pg from 'pg';
import { silentLog } from '../src/kit/embedded-postgres/log.ts';
import { stopAbandonedServer } from '../src/kit/embedded-postgres/postmaster.ts';
import { findRunningServer } from '../src/kit/embedded-postgres/start.ts';
import { award, makeProgram } from '../src/loyalty/account.fixture.ts';
import { Client, type Json } from './client.ts';
import { makeCard } from './factories.ts';
import { type TestApp, temporaryDataDir } from './harness.ts';
import { assertInvariants } from './invariants.ts';
import { rowCounts } from './restored.ts';
import { refuse, succeed } from './run-command.ts';
import { freePort, ServiceProcess } from './service-process.ts';
import { until } from './wallets.ts';

/** The service as `npm start` runs it, with a database of its own. */
async function embedded(more: Record<string, string> = {}): Promise<{
  dataDir: string;
  service: ServiceProcess;
  settings: Record<string, string>;
}> {
  const dataDir = await temporaryDataDir();
  // Its tills come as fast as they are answered.
  const settings = { DATABASE_URL: '', DATA_DIR: dataDir, RATE_LIMIT_PER_SECOND: '100000', ...more };
  const service = new ServiceProcess(await freePort(), settings);
  after(async () => {
    await service.end('SIGKILL');
    await stopAbandonedServer(join(dataDir, 'postgres'), silentLog);
  });
  return { dataDir, service, settings };
}

/** SQL on the database of a running service. */
async function sqlIn(dataDir: string): Promise<TestApp['sql']> {
  const pool = new pg.Pool({ connectionString: (await findRunningServer(dataDir)) ?? '', max: 2 });
  pool.on('error', () => undefined);
  after(() => pool.end());
  return async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows;
}

it('an embedded database is backed up while it works hard, lost, and restored to one moment of that', async () => {
  const first = await embedded();
  await first.service.start();
  const { apiKey, url } = JSON.parse(await readFile(join(first.dataDir, 'first-run.json'), 'utf8'));
  const client = new Client(first.service.url, url, apiKey);
  const { pass } = await makeProgram(client, { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 } });
  const cards: Json[] = [await makeCard(client, pass.passId)];

  let done = 0;
  let isOver = false;
  const till = async () => {
    while (!isOver) {
      const card = done % 10 === 0 ? await makeCard(client, pass.passId) : cards[done % cards.length];
      if (done % 10 === 0) cards.push(card);
      await award(client, card, 1);
      done += 1;
    }
  };
  const tills = [till(), till(), till(), till()];
  await until('there is some work', () => done > 50, 60_000);
  const [least, file] = [done, join(first.dataDir, 'busy.backup')];
  await succeed(['backup', file], first.settings);
  const most = done + tills.length;
  await until('the work has gone on', () => done > most + 20, 60_000);
  isOver = true;
  await Promise.all(tills);
  await refuse(/Another process is already running/, ['restore', file], first.settings);
  await first.service.end('SIGKILL');

  const second = await embedded();
  await refuse(/no key is configured/, ['restore', file], second.settings);
  await copyFile(join(first.dataDir, 'secrets.json'), join(second.dataDir, 'secrets.json'));
  await succeed(['restore', file], second.settings);
  await refuse(/The database is not empty/, ['restore', file], second.settings);
  await second.service.start();
  assert.ok(!second.service.printed.includes('API key'), 'it is nothing new');

  const sql = await sqlIn(second.dataDir);
  await assertInvariants(sql);
  const [{ awards = 0 } = {}] = await sql<{ awards: number }>(
    'select count(*)::int as awards from loyalty_entries',
  );
  assert.ok(awards >= least && awards <= most, `${least} before, ${awards} restored, ${most} after`);
  const restored = new Client(second.service.url, url, apiKey);
  await award(restored, cards[0], 5);

  // Of a service that is stopped, too; and a backup holds what there is.
  await second.service.end('SIGTERM');
  const quiet = join(second.dataDir, 'quiet.backup');
  const printed = await succeed(['backup', quiet], second.settings);
  // What waits to be numbered and counted stays as it was in the backup.
  const third = await embedded({ WORKERS: 'off' });
  await copyFile(join(first.dataDir, 'secrets.json'), join(third.dataDir, 'secrets.json'));
  await succeed(['restore', quiet], third.settings);
  await third.service.start();
  const { schema_migrations: _, ...counts } = await rowCounts(await sqlIn(third.dataDir));
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  assert.ok(printed.includes(`: ${rows} rows of `), printed);
  await assertInvariants(await sqlIn(third.dataDir));
  await third.service.end('SIGTERM');
});
