import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { readShardMap } from '../../src/kit/citus/shard-map.ts';
import { readCaptured, type Statement, statementsOf } from '../growth/statements.ts';
import { createTestDatabase, dropTestDatabase } from '../harness.ts';
import { asksEverywhere, byCoordinator, notOnClusters, notYet, onlyOnClusters } from './everywhere.ts';
import { leavesShards, taskCounts } from './parts.ts';

/*
 * Every statement that the other tests have made the program send, on a Citus cluster: it is planned and executed, and each
 * of its parts is sent to one shard, those of `everywhere.ts` excepted. The tables are empty, since what the coordinator
 * plans depends on the statement and its values alone.
 *
 * `TEST_CITUS_URL=… npm test` captures the statements of the usual tests on a single PostgreSQL first, with --plans FILE… those of
 * some; with TEST_DATABASE_URL they are captured on the cluster, too.
 */
const folder = process.env.PUNCHCARD_TEST_STATEMENTS;
if (folder === undefined)
  throw new Error(
    'Run: TEST_CITUS_URL=… npm run test:plans -- FILE…, with tests whose statements are asked for',
  );
const isComplete = process.env.PUNCHCARD_TEST_IS_COMPLETE === '1';
const isOfCluster = process.env.PUNCHCARD_TEST_IS_OF_CLUSTER === '1';

const url = await createTestDatabase();
const client = new pg.Client({ connectionString: url });
await client.connect();
after(async () => {
  await client.end();
  await dropTestDatabase(url);
});
const statements = statementsOf(readCaptured(folder));

describe('every statement on a cluster', () => {
  it(`is one that Citus carries out, and asks one shard: ${statements.length} of them`, async () => {
    const { rows } = await client.query("select from pg_extension where extname = 'citus'");
    assert.equal(
      rows.length,
      1,
      'the database is no cluster: TEST_DATABASE_URL names the coordinator of one',
    );
    const faults = new Set<string>();
    const stillWrong = new Set<string>();
    for (const statement of statements) {
      const [name = ''] = statement.callers;
      for (const fault of await faultsOf(statement)) {
        if (!isOfCluster && notOnClusters.includes(name)) continue;
        if (name in notYet) stillWrong.add(name);
        else if (!(name in asksEverywhere && fault === severalShards))
          faults.add(`${name} ${fault}\n${statement.text.trim()}`);
      }
    }
    assert.deepEqual([...faults], []);
    if (!isComplete) return;
    const known = new Set(statements.map(({ callers }) => callers[0]));
    const gone = Object.keys(asksEverywhere).filter(
      (name) => !known.has(name) && (isOfCluster || !onlyOnClusters.includes(name)),
    );
    assert.deepEqual(gone, [], 'may ask all shards, and no longer exist');
    const right = Object.keys(notYet).filter((name) => !stillWrong.has(name));
    assert.deepEqual(right, [], 'are already right');
  });
});

describe('every statement about one workspace', () => {
  it('is carried out by the node that has its rows, with the names of shards alone', async () => {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    const map = await readShardMap(pool);
    const shards = await map?.shardsOf(randomUUID());
    await pool.end();
    assert.ok(shards);
    const { host: hostname, port } = shards.node;
    const node = new pg.Client({
      connectionString: Object.assign(new URL(url), { hostname, port: String(port) }).href,
    });
    await node.connect();
    const faults = new Set<string>();
    let count = 0;
    for (const { text, examples, callers } of statements) {
      const renamed = shards.rename(text);
      const name = callers[0] ?? '';
      if (renamed === text || name in asksEverywhere || byCoordinator.includes(name)) continue;
      if (!isOfCluster && notOnClusters.includes(name)) continue;
      count += 1;
      for (const values of examples) {
        const failure = await failureOf(renamed, values, node);
        if (failure !== null) faults.add(`${name} fails: ${failure}\n${renamed.trim()}`);
        else if (await leavesShards(node, renamed, values))
          faults.add(`${name} leaves its shards\n${renamed.trim()}`);
      }
    }
    await node.end();
    assert.deepEqual([...faults], []);
    assert.ok(count > 0);
  });
});

const severalShards = 'asks several shards';

async function faultsOf({ text, examples }: Statement): Promise<Set<string>> {
  const faults = new Set<string>();
  for (const values of examples) {
    const failure = await failureOf(text, values);
    if (failure !== null) faults.add(`fails: ${failure}`);
    else if (Math.max(0, ...(await taskCounts(client, text, values))) > 1) faults.add(severalShards);
  }
  return faults;
}

/** Why the cluster refuses a statement; null where it does not. Nothing is kept of what it does. */
async function failureOf(text: string, values: readonly unknown[], on = client): Promise<string | null> {
  await on.query('begin');
  try {
    await on.query(text, [...values]);
    return null;
  } catch (error) {
    return error instanceof pg.DatabaseError && isOfEmptyTables(error) ? null : String(error);
  } finally {
    await on.query('rollback');
  }
}

/**
 * A row that names another which is not there: by its state, or where many are copied to a shard by its words. Or an account that
 * has moved on, by which a posting loses a race.
 */
function isOfEmptyTables(error: pg.DatabaseError): boolean {
  return (
    error.code?.startsWith('23') === true || /violates foreign key constraint|"lost race"/.test(error.message)
  );
}
