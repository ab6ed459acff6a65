import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { listMisplaced } from '../../src/kit/citus/citus.ts';
import { decodeId } from '../../src/kit/ids.ts';
import { placement } from '../../src/start/placement.ts';
import type { Client } from '../client.ts';
import { makeCard, makePass } from '../factories.ts';
import {
  createBareDatabase,
  createLoneDatabases,
  dropTestDatabase,
  needsCluster,
  startTestApp,
  temporaryDataDir,
} from '../harness.ts';
import { assertInvariants } from '../invariants.ts';
import { rowCounts, secretsOf } from '../restored.ts';
import { succeed } from '../run-command.ts';

describe('a backup of a cluster', needsCluster, async () => {
  if (needsCluster.skip !== undefined) return;
  const app = await startTestApp({ WORKERS: 'off' });
  const source = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.config.dataDir };
  const passes: { client: Client; passId: string }[] = [];
  for (let count = 0; count < 4; count++) {
    const { client } = await app.newWorkspace('pro', 1_000);
    passes.push({ client, passId: (await makePass(client)).passId });
  }

  /** An empty database for a backup to be loaded into; on the cluster if `isCluster`. */
  async function emptyOne(isCluster: boolean) {
    const url = await (isCluster ? createBareDatabase() : createLoneDatabases());
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    after(async () => {
      await pool.end();
      await dropTestDatabase(url);
    });
    const settings = { ...(await secretsOf(app)), DATABASE_URL: url, DATA_DIR: await temporaryDataDir() };
    const sql = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows;
    return { pool, settings, sql };
  }

  const file = join(app.config.dataDir, 'busy.backup');

  it('is of one moment on all nodes, however much is written at the same time', async () => {
    let isOver = false;
    // What one transaction writes is on several nodes: two rows that no moment has without each other.
    const pairs = await app.sql<{ a: string; b: string }>(
      `with placed as (
        select workspace_id, nodeport from workspaces
        join citus_shards on shardid = get_shard_id_for_distribution_column('passes', workspace_id)
      )
      select x.workspace_id as a, y.workspace_id as b from placed x join placed y on x.nodeport < y.nodeport limit 1`,
    );
    const [pair] = pairs;
    assert.ok(pair, 'workspaces live on several nodes');
    const suppress = async () => {
      const client = new pg.Client({ connectionString: app.databaseUrl });
      await client.connect();
      for (let n = 0; !isOver; n++) {
        await client.query('begin');
        for (const id of [pair.a, pair.b])
          await client.query(
            "insert into suppressions (workspace_id, email_hash, reason, created_at) values ($1, sha256($2::text::bytea), 'unsubscribed', now())",
            [id, `${n}`],
          );
        await client.query('commit');
      }
      await client.end();
    };
    const issue = async ({ client, passId }: { client: Client; passId: string }) => {
      while (!isOver) await makeCard(client, passId);
    };
    const load = Promise.all([suppress(), ...passes.map(issue)]);
    try {
      await succeed(['backup', file], source);
    } finally {
      isOver = true;
    }
    await load;
    for (const isCluster of [true, false]) {
      const target = await emptyOne(isCluster);
      await succeed(['restore', file], target.settings);
      if (!isCluster) await assertInvariants(target.sql);
      const sums = await target.sql(
        'select workspace_id, count(*)::int as count from suppressions group by 1 order by 1',
      );
      assert.equal(sums.length, 2);
      assert.equal(sums[0]?.count, sums[1]?.count);
      assert.ok(((await rowCounts(target.sql)).instances ?? 0) > 0);
      if (isCluster) assert.deepEqual(await listMisplaced(target.pool, placement), []);
    }
  });

  it('of one workspace goes to one server, and from there into another cluster', async () => {
    const { client, workspaceId } = await app.newWorkspace('pro', 50);
    const { passId } = await makePass(client);
    for (let count = 0; count < 3; count++) await makeCard(client, passId);
    const rowsOf = async (sql: typeof app.sql) => {
      const id = decodeId('ws', workspaceId);
      const rows = [];
      for (const table of ['instances', 'api_keys', 'credit_entries', 'workspaces'])
        rows.push(
          ...(await sql(
            `select to_jsonb(t) - '{suspended_at,last_used_at}'::text[] as row from ${table} t where workspace_id = $1 order by t::text`,
            [id],
          )),
        );
      assert.ok(rows.length > 5);
      return rows;
    };
    const left = await rowsOf(app.sql);
    let from = source;
    for (const isCluster of [false, true]) {
      const target = await emptyOne(isCluster);
      await succeed(['migrate'], target.settings);
      const moved = join(app.config.dataDir, `moved-${isCluster}.workspace`);
      const keys = { ...(await secretsOf(app)), ...from };
      await succeed(['workspaces', 'export', '--copy', workspaceId, moved], keys);
      await succeed(['workspaces', 'import', moved], target.settings);
      assert.deepEqual(await rowsOf(target.sql), left);
      from = target.settings;
    }
  });
});
