import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { openTenants } from '../../src/kit/citus/tenants.ts';
import { openDatabase, type Tx } from '../../src/kit/db/database.ts';
import { sqlState } from '../../src/kit/db/database-errors.ts';
import { sql } from '../../src/kit/db/sql.ts';
import { createTestDatabase, dropTestDatabase, needsCluster } from '../harness.ts';
import { until } from '../wallets.ts';

describe('the work of one tenant on a cluster', needsCluster, async () => {
  if (needsCluster.skip !== undefined) return;
  const url = await createTestDatabase();
  const closing: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const close of closing.reverse()) await close();
    await dropTestDatabase(url);
  });

  /** The tenants of a process; `toNode` says where its sessions on nodes lead. */
  async function openProcess(toNode = (its: string) => its) {
    const unreached: string[] = [];
    const options = { url, connections: 4, onError: ({ message }: Error) => unreached.push(message) };
    const database = openDatabase(options);
    const tenants = await openTenants(database, {
      ...options,
      open: (its) => openDatabase({ ...its, url: toNode(its.url), onError: () => undefined }),
    });
    closing.push(() => database.close());
    closing.push(() => tenants.close());
    return { tenants, database, unreached };
  }

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    closing.push(() => client.end());
    return client;
  }

  const admin = await connect();
  await admin.query(
    'create table test_notes (workspace_id uuid, note text, primary key (note, workspace_id))',
  );
  await admin.query(
    "select create_distributed_table('test_notes', 'workspace_id', colocate_with => 'passes')",
  );
  await admin.query('create table test_alone (id int)');
  const { tenants, database } = await openProcess();
  const coordinator = Number(new URL(url).port);

  /** Where a tenant's rows are by the cluster's own account. */
  async function placeOf(tenant: string): Promise<{ id: string; port: number }> {
    const { rows } = await admin.query(
      `select shardid as id, nodeport as port from pg_dist_shard_placement
      where shardid = get_shard_id_for_distribution_column('test_notes', $1::uuid)`,
      [tenant],
    );
    return rows[0];
  }

  async function write(tx: Tx, tenant: string, note: string): Promise<number> {
    await sql`insert into test_notes (workspace_id, note) values (${tenant}, ${note})`.execute(tx);
    return portOf(tx);
  }

  async function portOf(db: Parameters<ReturnType<typeof sql>['execute']>[0]): Promise<number> {
    const { rows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(db);
    return rows[0]?.port ?? 0;
  }

  async function notesOf(tenant: string): Promise<string[]> {
    const { rows } = await admin.query('select note from test_notes where workspace_id = $1 order by note', [
      tenant,
    ]);
    return rows.map(({ note }) => note);
  }

  /** Moves all rows of a tenant to the other worker; once the move waits for another transaction, `waiting` is called. */
  async function move(tenant: string, waiting?: () => void): Promise<void> {
    const { id, port } = await placeOf(tenant);
    const { rows } = await admin.query(
      'select nodename as host, nodeport as port from pg_dist_node where shouldhaveshards and nodeport <> $1',
      [port],
    );
    const mover = await connect();
    const { rows: own } = await mover.query('select pg_backend_pid() as pid');
    const moved = mover.query("select citus_move_shard_placement($1, $2, $3, $2, $4, 'block_writes')", [
      id,
      rows[0].host,
      port,
      rows[0].port,
    ]);
    if (waiting !== undefined) {
      await until('the move waits', async () => {
        const { rows: blocked } = await admin.query(
          'select from citus_lock_waits union all select from pg_locks where pid = $1 and not granted',
          [own[0].pid],
        );
        const { rows: onNodes } = await admin.query(
          "select from run_command_on_workers($$select count(*) from pg_locks where locktype = 'advisory' and not granted$$) where result <> '0'",
        );
        return blocked.length + onNodes.length > 0;
      });
      waiting();
    }
    await moved;
  }

  it('is done on the node that has its rows, by their shards', async () => {
    const tenant = randomUUID();
    const { id, port } = await placeOf(tenant);
    assert.equal(await tenants.transaction(tenant, (tx) => write(tx, tenant, 'first')), port);
    assert.deepEqual(await notesOf(tenant), ['first']);
    const { rows } = await tenants.read(tenant, (db) =>
      sql<Record<string, string>>`explain select * from test_notes where workspace_id = ${tenant}`.execute(
        db,
      ),
    );
    assert.match(JSON.stringify(rows), new RegExp(`test_notes_${id}`));
    assert.doesNotMatch(JSON.stringify(rows), /Citus/);
    assert.equal(await tenants.read(tenant, portOf), port);
    assert.equal(await tenants.transaction(null, portOf), coordinator);
  });

  it('names its tenant in a list, too; and asks for what is of others as well by the names of tables', async () => {
    const [tenant, other] = [randomUUID(), randomUUID()];
    const { id } = await placeOf(tenant);
    await tenants.transaction(other, (tx) => write(tx, other, 'of another'));
    const planOf = (tenantIds: readonly string[]) =>
      tenants.read(tenant, async (db) => {
        const { rows } = await sql`
          explain select * from test_notes where workspace_id = any(${tenantIds}::uuid[])
        `.execute(db);
        return JSON.stringify(rows);
      });
    assert.match(await planOf([tenant, tenant]), new RegExp(`test_notes_${id}`));
    assert.match(await planOf([tenant, other]), /Citus/);
    const notes = await tenants.read(tenant, async (db) => {
      const { rows } = await sql<{
        note: string;
      }>`select note from test_notes where note = 'of another'`.execute(db);
      return rows.map(({ note }) => note);
    });
    assert.deepEqual(notes, ['of another']);
  });

  it('leaves nothing behind where it fails', async () => {
    const tenant = randomUUID();
    const failing = tenants.transaction(tenant, async (tx) => {
      await write(tx, tenant, 'undone');
      await sql`select 1 / ${0}::int`.execute(tx);
    });
    await assert.rejects(failing, (error) => sqlState(error) === '22012');
    assert.deepEqual(await notesOf(tenant), []);
  });

  it('holds up who moves its rows, and is done where they are from then on', async () => {
    const tenant = randomUUID();
    const { port } = await placeOf(tenant);
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const first = tenants.transaction(tenant, async (tx) => {
      await portOf(tx);
      begin();
      await released;
      return write(tx, tenant, 'before');
    });
    await begun;
    await move(tenant, release);
    assert.equal(await first, port);
    const { port: there } = await placeOf(tenant);
    assert.notEqual(there, port);
    // This process does not know yet: whatever it has done on the node that had them is undone, and done again.
    await tenants.transaction(tenant, (tx) => write(tx, tenant, 'behind'));
    assert.deepEqual(await notesOf(tenant), ['before', 'behind']);
    await until('it knows', async () => (await tenants.read(tenant, portOf)) === there);
    assert.equal(await tenants.transaction(tenant, (tx) => write(tx, tenant, 'there')), there);
    assert.deepEqual(await notesOf(tenant), ['before', 'behind', 'there']);
  });

  it('is read where its rows are, also by a process that has not heard of a move', async () => {
    const tenant = randomUUID();
    await tenants.transaction(tenant, (tx) => write(tx, tenant, 'before'));
    const { tenants: others } = await openProcess();
    const read = () =>
      others.read(tenant, async (db) => {
        const { rows } = await sql<{ note: string }>`
          select note from test_notes where workspace_id = ${tenant} order by note
        `.execute(db);
        return rows.map(({ note }) => note);
      });
    assert.deepEqual(await read(), ['before']);
    await move(tenant);
    await database.transaction((tx) => write(tx, tenant, 'after'));
    assert.deepEqual(await read(), ['after', 'before']);
  });

  it('goes through the coordinator where it names a table that is there alone', async () => {
    const tenant = randomUUID();
    const port = await tenants.transaction(tenant, async (tx) => {
      await sql`select from test_alone`.execute(tx);
      return write(tx, tenant, 'by the coordinator');
    });
    assert.equal(port, coordinator);
    assert.deepEqual(await notesOf(tenant), ['by the coordinator']);
  });

  it('keeps out a transaction that wants no writers', async () => {
    const tenant = randomUUID();
    const names = await admin.query(
      "select logicalrelid::text as name from pg_dist_partition where partmethod = 'h'",
    );
    const still = async () => {
      await admin.query('begin');
      try {
        await admin.query(`lock table ${names.rows.map(({ name }) => name).join(', ')} in share mode nowait`);
      } finally {
        await admin.query('rollback');
      }
    };
    await tenants.transaction(tenant, async (tx) => {
      await portOf(tx);
      await assert.rejects(still(), /could not obtain lock|failure on connection/);
    });
    await still();
  });

  it('goes through the coordinator where a node is not reached, or is another server', async () => {
    const tenant = randomUUID();
    const deadServer = (its: string) => Object.assign(new URL(its), { port: '1' }).href;
    for (const toNode of [deadServer, () => url]) {
      const lost = await openProcess(toNode);
      const note = randomUUID();
      assert.equal(await lost.tenants.transaction(tenant, (tx) => write(tx, tenant, note)), coordinator);
      assert.equal(await lost.tenants.read(tenant, portOf), coordinator);
      assert.deepEqual(
        lost.unreached.map((message) => message.replace(/^.*? /, '')),
        ['is not reached: work goes through the coordinator'],
      );
      assert.ok((await notesOf(tenant)).includes(note));
    }
  });
});
