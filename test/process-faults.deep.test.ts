import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { eventually } from '../src/kit/embedded-postgres/harness.fixture.ts';
import { silentLog } from '../src/kit/embedded-postgres/log.ts';
import { readPostmasterFile, stopAbandonedServer } from '../src/kit/embedded-postgres/postmaster.ts';
import { startTcpProxy } from '../tools/fakes/tcp-proxy.ts';
import { Client, type Reply } from './client.ts';
import { makePass } from './factories.ts';
import { createTestDatabase, dropTestDatabase, temporaryDataDir } from './harness.ts';
import { assertInvariants } from './invariants.ts';
import { freePort, ServiceProcess } from './service-process.ts';
import { mountSmallDisk } from './small-disk.ts';

/** What a load test did: the cards that were acknowledged, by reference, and every answer on the way there. */
interface Load {
  readonly cards: Map<string, string>;
  readonly replies: Reply[];
  /** Begins no more operations, and waits until each one that was begun has been acknowledged. */
  finish(): Promise<void>;
}

/** Issues cards from several clients; each reference is tried again until it is acknowledged. */
function issueCards(client: Client, passId: string): Load {
  const cards = new Map<string, string>();
  const replies: Reply[] = [];
  let over = false;
  const workers = Array.from({ length: 6 }, async (_, worker) => {
    for (let turn = 0; !over; turn++) {
      const externalRef = `${worker}-${turn}`;
      for (;;) {
        const reply = await client.impatient.post(`/passes/${passId}/instances`, { externalRef });
        replies.push(reply);
        if (reply.status === 201) {
          cards.set(externalRef, reply.body.instanceId);
          break;
        }
        await sleep(20);
      }
    }
  });
  return {
    cards,
    replies,
    async finish() {
      over = true;
      await Promise.all(workers);
    },
  };
}

/** Refusals that a client may answer with a retry, and nothing else. */
function assertRetryable(replies: readonly Reply[]): void {
  for (const { status, body, headers } of replies) {
    if (status < 300) continue;
    if (status === 503) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    else assert.deepEqual([status, body.code, body.retryable], [500, 'internal_error', true], body.error);
  }
}

async function assertAllThere(client: Client, { cards }: Load): Promise<void> {
  for (const [externalRef, instanceId] of cards) {
    const found = await client.get(`/instances/${instanceId}`);
    assert.equal(found.status, 200, `${externalRef}: ${found.text}`);
  }
}

async function clientOf(service: ServiceProcess, dataDir: string): Promise<Client> {
  const { apiKey, url } = JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8'));
  return new Client(service.url, url, apiKey);
}

async function timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
  const start = performance.now();
  return { result: await work, ms: performance.now() - start };
}

/** A running service with a database of its own below `parent`, both gone after the tests. */
async function startEmbedded(dataDir: string): Promise<ServiceProcess> {
  const service = new ServiceProcess(await freePort(), {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_SECOND: '100000',
  });
  after(async () => {
    await service.end('SIGKILL');
    await stopAbandonedServer(join(dataDir, 'postgres'), silentLog);
  });
  await service.start();
  return service;
}

/** Rows of the embedded database, asked behind the service's back. */
async function askEmbedded<Row extends pg.QueryResultRow>(dataDir: string, text: string): Promise<Row[]> {
  const password = (await readFile(join(dataDir, 'postgres.password'), 'utf8')).trim();
  const connection = new pg.Client({
    host: join(dataDir, 'postgres'),
    user: 'postgres',
    database: 'postgres',
    password,
  });
  await connection.connect();
  return (await connection.query<Row>(text).finally(() => connection.end())).rows;
}

describe('the embedded database is killed under the service', () => {
  it('answers with what may be retried, recovers, and loses nothing', async () => {
    const dataDir = await temporaryDataDir();
    const service = await startEmbedded(dataDir);
    const { pid } = service;
    const client = await clientOf(service, dataDir);
    const { passId } = await makePass(client);
    const load = issueCards(client, passId);
    for (let kill = 1; kill <= 3; kill++) {
      await eventually('cards are issued', async () => load.cards.size > kill * 30);
      const server = await readPostmasterFile(join(dataDir, 'postgres'));
      process.kill(server?.pid ?? 0, 'SIGKILL');
      const before = load.cards.size;
      await eventually('it has recovered', async () => load.cards.size > before + 10);
    }
    await load.finish();
    assertRetryable(load.replies);
    await assertAllThere(client, load);
    const { counts } = (await client.get(`/passes/${passId}`)).body;
    assert.equal(counts.issued, load.cards.size, 'a card was issued that no client has an answer for');
    await assertInvariants((text) => askEmbedded(dataDir, text));
    assert.equal(service.pid, pid);
    assert.equal(await service.end('SIGINT'), 0);
  });
});

describe('the database of DATABASE_URL is lost', async () => {
  const databaseUrl = await createTestDatabase();
  const proxy = await startTcpProxy(databaseUrl);
  const dataDir = await temporaryDataDir();
  const service = new ServiceProcess(await freePort(), {
    DATABASE_URL: proxy.url,
    DATABASE_NODE_POOL: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_SECOND: '100000',
  });
  after(async () => {
    await service.end('SIGKILL');
    await proxy.close();
    await dropTestDatabase(databaseUrl);
  });
  await service.start();
  const client = await clientOf(service, dataDir);
  const isReady = () => fetch(`${service.url}/readyz`).then(({ status }) => status === 200);

  it('answers every request in time, says that it is not ready, and recovers by itself', async () => {
    const { pid } = service;
    const { passId } = await makePass(client);
    const load = issueCards(client, passId);
    await eventually('cards are issued', async () => load.cards.size > 20);

    proxy.isDown = true;
    const noticed = await timed(eventually('readiness turns', async () => !(await isReady())));
    assert.ok(noticed.ms < 5_000, `noticed after ${noticed.ms} ms`);
    const { impatient } = client;
    const asked = await Promise.all([
      timed(impatient.get('/passes')),
      timed(impatient.post('/passes', { title: 'In vain', type: 'coupon' })),
      timed(impatient.as('pk_live_00000000000000000000000000000000000').get('/me')),
      timed(client.get('/healthz')),
    ]);
    for (const { ms } of asked) assert.ok(ms < 5_000, `answered after ${ms} ms`);
    const [read, write, anonymous, alive] = asked.map(({ result }) => result);
    assertRetryable([read, write] as Reply[]);
    assert.ok((read as Reply).status >= 500 && (write as Reply).status >= 500);
    assert.deepEqual([anonymous?.status, alive?.status], [401, 200]);

    proxy.isDown = false;
    const recovered = await timed(eventually('it is ready', isReady));
    assert.ok(recovered.ms < 5_000, `ready after ${recovered.ms} ms`);
    await load.finish();
    assertRetryable(load.replies);
    await assertAllThere(client, load);
    assert.equal(service.pid, pid);
    assert.ok(service.isRunning);
  });

  it('says within two seconds that it is not ready when the database falls silent, and lives on', async () => {
    proxy.isSilent = true;
    const asked: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const { result, ms } = await timed(fetch(`${service.url}/readyz`));
      assert.equal(result.status, 503);
      asked.push(ms);
    }
    // The service waits 1.5 s for the database; of what a busy machine adds, the quickest has least.
    assert.ok(Math.min(...asked) < 2_000, `answered after ${asked} ms`);
    assert.equal((await client.get('/healthz')).status, 200);
    proxy.isSilent = false;
    await eventually('it is ready', isReady);
  });
});

describe('a database that the service must not touch', () => {
  it('gives up in one line when the database is newer than the program', async () => {
    const databaseUrl = await createTestDatabase();
    after(() => dropTestDatabase(databaseUrl));
    const database = new pg.Client({ connectionString: databaseUrl });
    await database.connect();
    await database.query("insert into schema_migrations (name, checksum) values ('9999_future.sql', '')");
    await database.end();
    const dataDir = await temporaryDataDir();
    const service = new ServiceProcess(await freePort(), { DATABASE_URL: databaseUrl, DATA_DIR: dataDir });
    service.launch();
    assert.equal(await service.ended(), 1);
    assert.match(service.complained, /^punchcard: The database has migration 9999_future\.sql, [^\n]+\n$/);
    assert.ok(!existsSync(join(dataDir, 'first-run.json')));
  });
});

/** With room for a new database and little more. */
const disk = mountSmallDisk(100);

describe('the disk of the data directory fills up', {
  skip: disk === null && 'mounting a disk needs root',
}, () => {
  after(() => disk?.unmount());

  it('refuses writes, goes on reading, and loses nothing', async () => {
    const dataDir = join(disk?.path ?? '', 'data');
    const service = await startEmbedded(dataDir);
    const { pid } = service;
    const client = await clientOf(service, dataDir);
    const { passId } = await makePass(client);
    const cards: string[] = [];
    const issue = () => client.post(`/passes/${passId}/instances/batch`, { instances: fatCards() });
    const note = ({ body }: Reply) => {
      for (const { instance } of body.results ?? []) if (instance) cards.push(instance.instanceId);
    };
    note(await issue());
    assert.ok(cards.length > 0);

    disk?.fill();
    let refused: Reply | undefined;
    for (let turn = 0; turn < 200 && refused === undefined; turn++) {
      const reply = await issue();
      note(reply);
      const failed =
        reply.status >= 500 || reply.body.results.some((one: { status: number }) => one.status >= 500);
      if (failed) refused = reply;
    }
    assert.ok(refused, 'the disk never filled up');
    const problems = refused.body.results?.filter((one: { status: number }) => one.status >= 500) ?? [];
    for (const { error } of problems)
      assert.deepEqual([error.code, error.retryable], ['internal_error', true]);
    if (refused.status >= 500) assertRetryable([refused]);
    const read = await client.get(`/instances/${cards[0]}`);
    if (read.status !== 200) assertRetryable([read]);
    assert.equal((await client.get('/healthz')).status, 200);
    assert.equal(service.pid, pid);

    disk?.free();
    await eventually('it writes again', async () => {
      const reply = await client.post(`/passes/${passId}/instances`, {});
      if (reply.status === 201) cards.push(reply.body.instanceId);
      else assertRetryable([reply]);
      return reply.status === 201;
    });
    for (const card of cards) assert.equal((await client.get(`/instances/${card}`)).status, 200);
    await assertInvariants((text) => askEmbedded(dataDir, text));
    assert.ok(service.isRunning);
    assert.equal(service.pid, pid);
    assert.equal(await service.end('SIGINT'), 0);
  });
});

/** 20 cards of 40 kB that no compression makes smaller. */
function fatCards() {
  const metadata = () =>
    Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`k${at}`, randomBytes(750).toString('base64')]),
    );
  return Array.from({ length: 20 }, () => ({ metadata: metadata() }));
}
