import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { openDatabase } from '../../src/kit/db/database.ts';
import { inspectSessions } from '../../src/kit/db/inspect-sessions.ts';
import { prepared, sql } from '../../src/kit/db/sql.ts';
import { decodeId } from '../../src/kit/ids.ts';
import { makeProgram } from '../../src/loyalty/account.fixture.ts';
import { assertRefused, type Json } from '../client.ts';
import { inParallel, makeCard, tally } from '../factories.ts';
import { temporaryDataDir } from '../harness.ts';
import { assertInvariants } from '../invariants.ts';
import { freePort, ServiceProcess } from '../service-process.ts';
import { until } from '../wallets.ts';
import { Installation } from './installation.ts';
import { ignoringBounds } from './pgbouncer.ts';
import { type PooledDatabase, startPooledDatabase } from './pooled-database.ts';
import { pgbouncerProgram } from './programs.ts';

const main = new URL('../../src/main.ts', import.meta.url).pathname;

describe('behind PgBouncer in transaction mode', { skip: pgbouncerProgram.missing }, async () => {
  const pooled = await startPooledDatabase();
  const { databaseUrl, pooler } = pooled;
  const installation = await Installation.start({ pooled });
  const { client, workspaceId } = await installation.newWorkspace();
  const { pass } = await makeProgram(client, { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 } });
  const target = (card: Json) => ({ passId: pass.passId, instanceId: card.instanceId });
  const newCard = () => makeCard(client, pass.passId, { holder: { identifier: randomUUID() } });
  const entriesOf = (card: Json) =>
    installation.sql<{ ref: string; points: number }>(
      'select external_ref as ref, points::int from loyalty_entries where instance_id = $1 order by seq',
      [decodeId('inst', card.instanceId)],
    );

  it('awards that come at once, some of them twice, count once each', async () => {
    const cards = await inParallel(10, newCard);
    // Two senders each send the same.
    const replies = await inParallel(20, async (sender) => {
      const own: number[] = [];
      for (let turn = 0; turn < 20; turn++) {
        const externalRef = `${Math.floor(sender / 2)}-${turn}`;
        const award = { ...target(cards[turn % cards.length]), points: 1, externalRef };
        own.push((await client.post('/loyalty/points', award)).status);
      }
      return own;
    });
    assert.deepEqual(tally(replies.flat()), { 200: 400 });
    for (const card of cards) {
      const entries = await entriesOf(card);
      assert.equal(entries.length, 20);
      assert.equal(new Set(entries.map(({ ref }) => ref)).size, 20);
    }
    await assertInvariants(installation.sql);
  });

  it('statements have no names, which another server process would not know', async () => {
    const database = openDatabase({ url: pooler.url, connections: 3, onError: () => undefined });
    const ask = (value: number) =>
      prepared<{ value: number }>`select ${value}::int as value`.execute(database.db);
    const answers = await Promise.all(Array.from({ length: 30 }, (_, value) => ask(value)));
    assert.deepEqual(
      answers.map(({ rows }) => rows[0]?.value),
      answers.map((_, value) => value),
    );
    const { rows } = await sql`select from pg_prepared_statements`.execute(database.db);
    assert.equal(rows.length, 0);
    await database.close();
  });

  it('a reward is redeemed once by the many that ask at once', async () => {
    const card = await newCard();
    await client.post('/loyalty/points', { ...target(card), points: 15 });
    const replies = await inParallel(12, () => client.post('/loyalty/redeem', target(card)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    const [earned, redeemed, ...more] = await entriesOf(card);
    assert.deepEqual([earned?.points, redeemed?.points, more], [15, -10, []]);
  });

  it('uploads of codes, and cards that take them, work', async () => {
    const { body } = await client.post('/passes', {
      title: 'Pool',
      type: 'coupon',
      barcode: { mode: 'pool' },
    });
    const barcodes = Array.from({ length: 3_000 }, (_, at) => `code-${at}`);
    assert.ok((await client.post(`/passes/${body.passId}/barcodes`, { barcodes })).status < 300);
    await client.patch(`/passes/${body.passId}`, { status: 'published' });
    const cards = await inParallel(60, () => makeCard(client, body.passId));
    assert.equal(new Set(cards.map(({ barcode }) => barcode)).size, 60);
  });

  it('no statement, lock or open transaction lasts longer than it may', async () => {
    const database = openDatabase({ url: pooler.url, connections: 8, onError() {} });
    const reports = await inParallel(40, () => inspectSessions(database.pool)).finally(() =>
      database.close(),
    );
    for (const report of reports) assert.deepEqual(report, { unbounded: null, forgetful: null });

    const card = await newCard();
    const bystander = new pg.Client({ connectionString: databaseUrl });
    await bystander.connect();
    await bystander.query('begin');
    await bystander.query('select from instances where instance_id = $1 and workspace_id = $2 for update', [
      decodeId('inst', card.instanceId),
      decodeId('ws', workspaceId),
    ]);
    const refused = await client.impatient.post('/loyalty/points', {
      ...target(card),
      points: 1,
      externalRef: 'held',
    });
    assertRefused(refused, 'overloaded');
    await bystander.query('rollback');
    await bystander.end();
    const retried = await client.post('/loyalty/points', { ...target(card), points: 1, externalRef: 'held' });
    assert.equal(retried.status, 200, retried.text);
    assert.equal((await entriesOf(card)).length, 1);
  });

  it('three processes migrate an empty database at once, and leave no lock behind', async () => {
    const empty = await startPooledDatabase({ migrated: false, bounded: false });
    const direct = new pg.Client({ connectionString: empty.databaseUrl });
    await direct.connect();
    const runs = await inParallel(3, () => migrateBy(empty.pooler.url));
    const applied = runs.flatMap((printed) => printed.match(/\d{4}_\w+\.sql/g) ?? []);
    const { rows } = await direct.query('select name from schema_migrations order by 1');
    assert.deepEqual(
      applied.toSorted(),
      rows.map(({ name }) => name),
    );
    assert.match(await migrateBy(empty.pooler.url), /up to date/);
    const locks = await direct.query(`
      select * from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`);
    assert.deepEqual(locks.rows, []);
    await direct.end();
    await empty.close();
  });

  it('goes on when PgBouncer is killed and comes back, and loses nothing', async () => {
    const card = await newCard();
    const acknowledged: string[] = [];
    let over = false;
    const load = inParallel(6, async (sender) => {
      for (let turn = 0; !over; ) {
        const externalRef = `sender-${sender}-${turn}`;
        const { status, body, text } = await client.post('/loyalty/points', {
          ...target(card),
          points: 1,
          externalRef,
        });
        if (status === 200) {
          acknowledged.push(externalRef);
          turn++;
        } else assert.deepEqual([status, body.retryable], [500, true], text);
      }
    });
    await until('points are awarded', () => acknowledged.length > 50, 60_000);
    await pooler.kill();
    await until(
      'it is noticed',
      async () => (await fetch(`${installation.apis[0]?.url}/readyz`)).status === 503,
    );
    await pooler.start();
    const before = acknowledged.length;
    await until('points are awarded again', () => acknowledged.length > before + 50, 60_000);
    over = true;
    await load;
    const refs = (await entriesOf(card)).map(({ ref }) => ref);
    assert.deepEqual(refs.toSorted(), acknowledged.toSorted());
    await assertInvariants(installation.sql);
  });
});

describe('a start behind a PgBouncer that', { skip: pgbouncerProgram.missing }, () => {
  /** What a start, and the doctor, say of it. */
  async function startBehind(pooled: PooledDatabase) {
    after(() => pooled.close());
    const settings = { DATABASE_URL: pooled.pooler.url, DATA_DIR: await temporaryDataDir() };
    const service = new ServiceProcess(await freePort(), settings);
    after(() => service.end('SIGKILL'));
    service.launch();
    await until('it gives up', () => !service.isRunning, 60_000);
    assert.equal(await service.ended(), 1, service.said);
    assert.match(service.complained, /^punchcard: [^\n]+\n$/);
    return { complained: service.complained, doctor: await run('doctor', settings) };
  }

  it('knows no time-outs gives up and says what to add', async () => {
    const { complained, doctor } = await startBehind(await startPooledDatabase({ settings: {} }));
    const addition = `ignore_startup_parameters = ${ignoringBounds.ignore_startup_parameters}`;
    assert.ok(complained.includes(addition), complained);
    assert.ok(doctor.includes(addition), doctor);
  });

  it('drops the time-outs gives up and says how to set them', async () => {
    const { complained, doctor } = await startBehind(await startPooledDatabase({ bounded: false }));
    assert.match(complained, /not bounded: .*alter role \w+ in database \w+ set statement_timeout = 5000;/);
    assert.match(doctor, /✗ A statement could last for ever\n.*set lock_timeout = 2000;/);
  });
});

const migrateBy = (url: string) => run('migrate', { DATABASE_URL: url });

/** A command that waits for what never comes is ended, and has printed nothing. */
const timeoutMs = 60_000;

/** What a command prints. */
function run(command: string, settings: Record<string, string>): Promise<string> {
  const env = { PATH: process.env.PATH, ...settings };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, command], { env, timeout: timeoutMs }, (_, printed, complained) =>
      resolve(printed + complained),
    );
  });
}
