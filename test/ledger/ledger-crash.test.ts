import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/kit/embedded-postgres/start.ts';
import { Client } from '../client.ts';
import { makeCard, makePass } from '../factories.ts';
import { startTcpProxy, type TcpProxy } from '../fakes/tcp-proxy.ts';
import { type TestApp, temporaryDataDir } from '../harness.ts';
import { assertInvariants } from '../invariants.ts';
import { freePort, ServiceProcess } from '../service-process.ts';
import { until } from '../wallets.ts';
import { assertHistory, assertKept, History } from './crash-history.ts';
import { insist, type Program, type Shop, startLoad } from './crash-load.ts';
import { pick, randomOf } from './random.ts';

const kills = 60;
const stops = 8;
const clients = 32;
/** How long a call may go on after the last fault. */
const patienceMs = 15_000;
/** Repeats a run, as far as the moments of two processes can be repeated. */
const seed = Number(process.env.LEDGER_CRASH_SEED ?? Date.now() % 2 ** 31);
const publicUrl = 'https://cards.example.test';

const name = `${kills} kills of the service and ${stops} immediate stops of the database under load`;
test(`${name}: what was acknowledged is there once, what was refused is not, nothing is stuck`, {
  timeout: 900_000,
}, async (t) => {
  t.diagnostic(`seed ${seed}`);
  const random = randomOf(seed);
  const ground = await startGround(t);
  const { services, database, sql } = ground;
  const closing = new AbortController();
  t.after(() => closing.abort());
  const shop = await openShop(ground, closing.signal);
  const history = new History();
  const load = startLoad(shop, history, clients, seed + 1);

  for (let round = 0; round < stops; round++) {
    const times = share(kills / services.length, round);
    const killed = services.map((service, at) => killTimes(service, times, at === 0 ? ground.proxy : null));
    await Promise.race([load.failed, Promise.all(killed)]);
    await Promise.race([load.failed, stopDatabase()]);
    await assertInvariants(sql);
  }
  const late = await Promise.race([load.failed, load.finish(patienceMs)]);
  assert.deepEqual(late, [], `calls without an answer ${patienceMs} ms after the last fault`);

  assert.ok(history.size > 10 * kills, `only ${history.size} calls were acknowledged`);
  assert.ok(history.refusals > kills, `only ${history.refusals} calls were refused`);
  t.diagnostic(
    `${history.told} answers, ${history.refusals} of them refusals; ${history.size} calls were done`,
  );
  await assertHistory(sql, history);
  await assertInvariants(sql);
  for (const { call } of sample(history.answers, 200))
    history.acknowledged(call, await insist(shop, random, call));
  await until(
    'nobody waits for a lock or sits in a transaction',
    async () => (await sql(leftOver)).length === 0,
  );
  for (const service of services) assert.equal(await service.end('SIGTERM'), 0);

  /** Kills a service again and again; now and then at the moment of a COMMIT, where the proxy can tell. */
  async function killTimes(service: ServiceProcess, times: number, proxy: TcpProxy | null): Promise<void> {
    for (let kill = 0; kill < times; kill++) {
      await answered(10 + random() * 50);
      await sleep(random() * 100);
      if (proxy !== null && random() < 0.7) {
        const met = new Promise<void>((resolve) =>
          proxy.holdOn('commit\0', random() < 0.5 ? 'request' : 'reply', async () => {
            await service.end('SIGKILL');
            resolve();
            return 'cut';
          }),
        );
        await Promise.race([met, sleep(500)]);
        proxy.holdOn('\0never', 'request', async () => 'cut');
      }
      await service.end('SIGKILL');
      await service.start();
    }
  }

  /** Until the clients have some more answers; not for ever, since the other service may be down. */
  async function answered(count: number): Promise<void> {
    const end = performance.now() + 2_000;
    const enough = history.told + count;
    while (history.told < enough && performance.now() < end) await sleep(5);
  }

  /** An immediate stop under the running services, which go on with the next server as the same processes. */
  async function stopDatabase(): Promise<void> {
    const pids = services.map(({ pid }) => pid);
    const server = database.pid;
    process.kill(server, 'SIGQUIT');
    const known = history.answers;
    await until('the database runs again', () => database.pid !== server, 30_000);
    await until('calls are acknowledged again', () => history.size > known.length + clients, 30_000);
    await assertKept(sql, known);
    assert.deepEqual(
      services.map(({ pid, isRunning }) => isRunning && pid),
      pids,
      'a service did not survive',
    );
  }
});

interface Ground {
  readonly services: readonly ServiceProcess[];
  readonly database: EmbeddedPostgres;
  /** Between the first service and the database. */
  readonly proxy: TcpProxy;
  readonly dataDir: string;
  readonly sql: TestApp['sql'];
}

/** Two services on a database of their own, all gone after the test. */
async function startGround(t: TestContext): Promise<Ground> {
  const dataDir = await temporaryDataDir();
  const database = await startEmbeddedPostgres({ dataDir: await temporaryDataDir() });
  const proxy = await startTcpProxy(database.url);
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  // Its server is stopped under it.
  pool.on('error', () => undefined);
  const environment = {
    DATA_DIR: dataDir,
    PUBLIC_URL: publicUrl,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_SECOND: '100000',
    DRAIN_MS: '0',
  };
  const services = [
    new ServiceProcess(await freePort(), { ...environment, DATABASE_URL: proxy.url }),
    new ServiceProcess(await freePort(), { ...environment, DATABASE_URL: database.url }),
  ];
  t.after(async () => {
    for (const service of services) await service.end('SIGKILL');
    await proxy.close();
    await pool.end();
    await database.stop();
  });
  // One after the other: the first makes the workspace.
  for (const service of services) await service.start();
  return {
    services,
    database,
    proxy,
    dataDir,
    sql: async <Row extends pg.QueryResultRow>(text: string) => (await pool.query<Row>(text)).rows,
  };
}

async function openShop({ services, dataDir }: Ground, closed: AbortSignal): Promise<Shop> {
  const firstRun = JSON.parse(await readFile(`${dataDir}/first-run.json`, 'utf8'));
  const ways = services.map(({ url }) => ({
    client: new Client(url, publicUrl, firstRun.apiKey),
    operator: new Client(url, publicUrl, firstRun.operatorToken),
  }));
  const { client } = pick(() => 0, ways);
  const points = { mode: 'POINTS', reward: { title: 'Free coffee', cost: 10 } };
  const stamps = { mode: 'STAMPS', reward: { title: 'Free bun' }, threshold: 6 };
  return {
    closed,
    ways,
    workspaceId: firstRun.workspaceId,
    programs: [
      await launch(client, points, false),
      await launch(client, stamps, false),
      await launch(client, points, true),
    ],
  };
}

/** A program in which no balance can fall below zero, with a few cards. */
async function launch(
  client: Client,
  program: { mode: string; reward: object },
  isMoody: boolean,
): Promise<Program> {
  const { passId } = await makePass(client);
  const made = await client.post('/loyalty/programs', { passId, ...program, refundPolicy: 'within_balance' });
  const { programId } = made.body;
  await client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
  const cards = [];
  for (let n = 0; n < 8; n++) {
    const identifier = `first ${n}`;
    cards.push({ ...(await makeCard(client, passId, { holder: { identifier } })), identifier });
  }
  return { passId, programId, mode: made.body.mode, isMoody, cards };
}

/** Connections that hold up others, or would for ever. */
const leftOver = `
  select pid, state, wait_event, query from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
    and (state like 'idle in transaction%' or wait_event_type = 'Lock' or xact_start < now() - interval '3 seconds')`;

/** What falls to a round of something that is to be spread over all. */
function share(total: number, round: number): number {
  return Math.floor((total * (round + 1)) / stops) - Math.floor((total * round) / stops);
}

/** So many of them, from the first to the last. */
function sample<T>(all: readonly T[], size: number): T[] {
  const step = Math.max(1, Math.floor(all.length / size));
  return all.filter((_, at) => at % step === 0);
}
