import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { boundNodes, explainUnbounded, inspectNodes } from '../../src/kit/citus/nodes.ts';
import { openDatabase, type Tx } from '../../src/kit/db/database.ts';
import {
  CommitUnknown,
  isHeldUp,
  isTransient,
  sqlState,
  type Violation,
  violatedConstraint,
} from '../../src/kit/db/database-errors.ts';
import { startTcpProxy } from '../../tools/fakes/tcp-proxy.ts';
import { createTestDatabase, dropTestDatabase, needsCluster, nodesOf } from '../harness.ts';

/** What a node of the cluster does to a transaction, which waits for it, loses it or is refused by it. */
describe('a transaction on a node', needsCluster, () => {
  let url = '';
  let database: ReturnType<typeof openDatabase>;
  let proxy: Awaited<ReturnType<typeof startTcpProxy>>;
  let observer: pg.Pool;
  const violations: Violation[] = [];
  /** Two keys: the first lives on the node behind the proxy, the second on the other. */
  let keys: [number, number] = [0, 0];

  before(async () => {
    url = await createTestDatabase();
    const [, node = ''] = nodesOf(url);
    proxy = await startTcpProxy(node);
    observer = new pg.Pool({ connectionString: url, max: 3 });
    observer.on('error', () => undefined);
    await observer.query(`create table notes (key int primary key, n int not null default 0,
      constraint notes_small check (n < 1000))`);
    await observer.query(
      'create table remarks (key int primary key, constraint remarks_of_note foreign key (key) references notes)',
    );
    await observer.query("select create_distributed_table('notes', 'key', shard_count => 4)");
    await observer.query("select create_distributed_table('remarks', 'key', colocate_with => 'notes')");
    await observer.query('insert into notes select generate_series(1, 100)');
    // Whatever is created after this waits until all nodes have heard of it.
    const direct = new URL(node);
    await observer.query(
      `select citus_update_node(nodeid, $1, $2) from pg_dist_node where nodename = $3 and nodeport = $4`,
      [new URL(proxy.url).hostname, new URL(proxy.url).port, direct.hostname, direct.port],
    );
    const { rows } = await observer.query(
      `select array[min(key) filter (where nodeport = $1), min(key) filter (where nodeport <> $1)] as keys
      from notes join citus_shards on shardid = get_shard_id_for_distribution_column('notes', key)`,
      [new URL(proxy.url).port],
    );
    keys = rows[0].keys;
    const client = await observer.connect();
    await boundNodes(client).finally(() => client.release());
    database = openDatabase({
      url,
      connections: 4,
      onError() {},
      onViolation: (violated) => violations.push(violated),
    });
  });
  after(async () => {
    await database.close();
    await observer.end();
    await proxy.close();
    await dropTestDatabase(url);
  });

  const add = (tx: Tx, key: number) => sql`update notes set n = n + 1 where key = ${key}`.execute(tx);
  const countOf = async (key: number) =>
    (await observer.query('select n from notes where key = $1', [key])).rows[0].n;

  it('waits for a lock as long as it may, and is held up then', async () => {
    const holder = await observer.connect();
    await holder.query('begin');
    await holder.query('select from notes where key = $1 for update', [keys[0]]);
    await assert.rejects(
      database.transaction((tx) => add(tx, keys[0])),
      (error) => isHeldUp(error) && sqlState(error) === '55P03',
    );
    await holder.query('rollback');
    holder.release();
  });

  it('names what it has violated as the schema does', async () => {
    const refused = async (work: (tx: Tx) => Promise<unknown>) => {
      const failure = await database.transaction(work).then(
        () => assert.fail('nothing was violated'),
        (error) => error,
      );
      return [sqlState(failure), violatedConstraint(failure)];
    };
    assert.deepEqual(await refused((tx) => sql`insert into notes values (${keys[0]})`.execute(tx)), [
      '23505',
      'notes_pkey',
    ]);
    assert.deepEqual(await refused((tx) => sql`insert into remarks values (1000)`.execute(tx)), [
      '23503',
      'remarks_of_note',
    ]);
    assert.deepEqual(
      await refused((tx) => sql`update notes set n = 1000 where key = ${keys[0]}`.execute(tx)),
      ['23514', 'notes_small'],
    );
    assert.deepEqual(
      new Set(violations.map(({ constraint }) => constraint)),
      new Set(['notes_pkey', 'remarks_of_note']),
    );
    assert.equal(violations.at(-1)?.table, 'remarks');
  });

  it('is tried again where two nodes have waited for each other, or is held up', async () => {
    const before = [await countOf(keys[0]), await countOf(keys[1])];
    let waiting = 2;
    const both = Promise.withResolvers<void>();
    const crosswise = (first: number, second: number) =>
      database.transaction(async (tx) => {
        await add(tx, first);
        if (--waiting === 0) both.resolve();
        await both.promise;
        await add(tx, second);
      });
    const ends = await Promise.allSettled([crosswise(keys[0], keys[1]), crosswise(keys[1], keys[0])]);
    const done = ends.filter(({ status }) => status === 'fulfilled').length;
    for (const end of ends) assert.ok(end.status === 'fulfilled' || isHeldUp(end.reason), String(end));
    assert.ok(done > 0);
    const now = [await countOf(keys[0]), await countOf(keys[1])];
    assert.deepEqual(
      now,
      before.map((count) => count + done),
    );
  });

  it('may be tried again where the node was lost before the commit', async () => {
    const before = await countOf(keys[0]);
    const failing = database.transaction(async (tx) => {
      await add(tx, keys[0]);
      proxy.isDown = true;
      await add(tx, keys[0]);
    });
    await assert.rejects(failing, isTransient);
    await assert.rejects(
      database.transaction((tx) => add(tx, keys[0])),
      isTransient,
    );
    // The others have nothing to do with it.
    await database.transaction((tx) => add(tx, keys[1]));
    proxy.isDown = false;
    assert.equal(await countOf(keys[0]), before);
    await database.transaction((tx) => add(tx, keys[0]));
    assert.equal(await countOf(keys[0]), before + 1);
  });

  it('has an unknown outcome where the node was lost while it commits', async () => {
    for (const [moment, added] of [
      ['request', 0],
      ['reply', 1],
    ] as const) {
      const before = await countOf(keys[0]);
      proxy.cutOn('COMMIT', moment);
      await assert.rejects(
        database.transaction((tx) => add(tx, keys[0])),
        CommitUnknown,
      );
      assert.equal(await countOf(keys[0]), before + added, moment);
    }
  });

  it('has bounds on nodes that lacked them, and keeps shorter ones', async () => {
    const name = new URL(url).pathname.slice(1);
    const [, node = ''] = nodesOf(url);
    const onNode = async (statement: string) => {
      const client = new pg.Client({ connectionString: node });
      await client.connect();
      await client.query('set citus.enable_alter_role_set_propagation = off');
      await client
        .query(`alter role current_user in database ${name} ${statement}`)
        .finally(() => client.end());
    };
    await onNode('reset lock_timeout');
    await onNode("set statement_timeout = '4s'");
    const nodes = await inspectNodes(observer);
    assert.deepEqual(
      nodes.map(({ failure, unbounded }) => [failure, unbounded]),
      [
        [null, []],
        [null, ['lock_timeout']],
        [null, []],
      ],
    );
    const warning = explainUnbounded(nodes) ?? '';
    assert.ok(
      warning.includes(`not bounded: ${new URL(proxy.url).hostname}:${new URL(proxy.url).port}. `),
      warning,
    );
    assert.match(warning, /set lock_timeout = 2000;$/);
    const client = await observer.connect();
    await boundNodes(client).finally(() => client.release());
    assert.equal(explainUnbounded(await inspectNodes(observer)), null);
    await onNode('set statement_timeout = 5000');
  });

  it('that is away is distinguished from those that answer', async () => {
    proxy.isDown = true;
    const nodes = await inspectNodes(observer).finally(() => {
      proxy.isDown = false;
    });
    assert.deepEqual(
      nodes.map(({ failure }) => failure !== null),
      [false, true, false],
    );
    assert.equal(explainUnbounded(nodes), null);
  });
});
