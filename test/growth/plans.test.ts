import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { createTestDatabase, dropTestDatabase } from '../harness.ts';
import { assertInvariants } from '../invariants.ts';
import { excused } from './excused.ts';
import {
  type Busiest,
  busyValues,
  comparedColumns,
  explain,
  findBusiest,
  nodesOf,
  type PlanNode,
} from './explain.ts';
import { growDatabase } from './grow.ts';
import { readIndexes, unboundedReads } from './plan-rules.ts';
import { readCaptured, type Statement, statementsOf } from './statements.ts';

/*
 * Every statement that the other tests have made the program send, explained on a grown database with the ids of its
 * largest workspace and busiest card. Nothing is timed: a plan that looks rows up by an index, or stops at a limit, costs
 * the same whatever there is.
 *
 * `npm test` and `npm run test:deep` capture the statements of their tests first; `npm run test:plans -- FILE…` those of some.
 * Whether each statement was sent is asked where both have run (`test/tiers.ts`).
 */
const folder = process.env.PUNCHCARD_TEST_STATEMENTS;
if (folder === undefined)
  throw new Error('Run: npm run test:plans -- FILE…, with tests whose statements are asked for');
const isComplete = process.env.PUNCHCARD_TEST_IS_COMPLETE === '1';
/** What was due when it was captured is due there, too. Large enough for indexes to be worth it, even in tables with a row a workspace. */
const size = {
  scale: 0.003,
  workspaces: 300,
  seed: 1,
  until: new Date(Date.now() - 86_400_000),
  hasBacklog: true,
};

const given = process.env.PUNCHCARD_GROWN_DATABASE;
const url = given ?? (await createTestDatabase());
const rows = given === undefined ? await growDatabase(url, size, () => undefined) : null;
const client = new pg.Client({ connectionString: url });
await client.connect();
after(async () => {
  await client.end();
  if (given === undefined) await dropTestDatabase(url);
});
const captured = readCaptured(folder);
const statements = statementsOf(captured);
const busiest = await findBusiest(client);
const indexes = await readIndexes(client);

describe('a grown database', () => {
  it('has rows in every table, and none that breaks a rule', { skip: rows === null }, async () => {
    // On a single PostgreSQL the service does not note where something is due, and no version but the one before writes to the outbox.
    const { rows: tables } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables
      where schemaname = 'public' and tablename not in ('schema_migrations', 'due_workspaces', 'event_outbox')`,
    );
    assert.deepEqual(
      tables.filter(({ name }) => !rows?.get(name)),
      [],
    );
    await assertInvariants(async (text, values = []) => (await client.query(text, values)).rows);
    assert.deepEqual(await orphans(), []);
  });
});

describe('the rule of plans', () => {
  it('reads what an index has of an expression', async () => {
    const text = '(left(workspace_id::text, 13) || folded_email) collate "C"';
    const faults = async (asked: string) => {
      await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off');
      const plan = await explain(
        client,
        `select from holders where folded_email is not null and ${text} ${asked}`,
        [],
      );
      await client.query('rollback');
      return unboundedReads(plan, indexes).map((fault) => fault.split(' by ')[0]);
    };
    assert.deepEqual(await faults("= 'a'"), []);
    assert.deepEqual(await faults("> 'a' limit 3"), []);
    assert.deepEqual(await faults("> 'a'"), ['reads everything of holders']);
    assert.deepEqual(await faults("> 'a' and locale = 'en' limit 3"), ['looks in holders']);
  });
});

describe('every statement', () => {
  it(`reads by an index, or as much as a limit says: ${statements.length} of them`, async () => {
    const faults = new Set<string>();
    for (const statement of statements) {
      const [name = ''] = statement.callers;
      for (const fault of await faultsOf(statement)) faults.add(`${name} ${fault}\n${statement.text.trim()}`);
    }
    assert.deepEqual([...faults], []);
    const known = new Set(statements.map(({ callers }) => callers[0]));
    if (isComplete)
      assert.deepEqual(
        Object.keys(excused).filter((name) => !known.has(name.split(' ')[0] ?? '')),
        [],
        'are excused, and no longer exist',
      );
  });

  it('finds the next page as fast far from the first: by the key where the last one ended', async () => {
    const faults = new Set<string>();
    for (const statement of statements) {
      const [name = ''] = statement.callers;
      if (excused[name] !== undefined) continue;
      for (const key of await searchedKeys(statement))
        faults.add(`${name} looks for ${key} page after page\n${statement.text.trim()}`);
    }
    assert.deepEqual([...faults], []);
  });

  it('was sent by some test, whatever function holds it', { skip: !isComplete }, () => {
    const seen = new Set(captured.flatMap(({ callers }) => callers));
    const missing = functionsWithStatements().filter((name) => !seen.has(name));
    assert.deepEqual(missing, []);
  });
});

/** The faults in the plans of a statement that nothing excuses, each once. */
async function faultsOf(statement: Statement): Promise<Set<string>> {
  const faults = new Set<string>();
  for (const values of await busyExamples(statement, busiest)) {
    if (unboundedReads(await explain(client, statement.text, values), indexes).length === 0) continue;
    for (const fault of await faultsOnLargeTables(statement, values)) faults.add(withoutValues(fault));
  }
  return faults;
}

function isExcused(name: string, fault: string): boolean {
  const [, table = ''] = /^(?:looks in|reads everything of) (\w+)/.exec(fault) ?? [];
  return name in excused || `${name} ${table}` in excused;
}

/**
 * Of a table of a few pages it is cheap to read or sort all; the planner does not where it is large. What it would do
 * then, it does where such plans are forbidden, as far as the table's statistics are those of a large one.
 */
async function faultsOnLargeTables(
  { text, callers: [name = ''] }: Statement,
  values: readonly unknown[],
): Promise<string[]> {
  let fewest: string[] | null = null;
  for (const forbidden of forbiddenPlans) {
    await client.query(`begin; ${forbidden.map((plan) => `set local enable_${plan} = off`).join('; ')}`);
    const faults = unboundedReads(await explain(client, text, values), indexes).filter(
      (fault) => !isExcused(name, fault),
    );
    await client.query('rollback');
    if (fewest === null || faults.length < fewest.length) fewest = faults;
  }
  return fewest ?? [];
}

const joinsOfAll = ['seqscan', 'hashjoin', 'mergejoin'];
const forbiddenPlans = [
  joinsOfAll,
  [...joinsOfAll, 'bitmapscan', 'sort'],
  [...joinsOfAll, 'bitmapscan', 'sort', 'hashagg', 'material'],
];

/** The keys that a statement goes on from, if its plan looks for them among the rows that it reads. */
async function searchedKeys(statement: Statement): Promise<Set<string>> {
  const keys = new Set<string>();
  const compared = await comparedColumns(client, statement.text);
  const cursors = [...compared.values()].filter(
    ([column, operator]) => /^[<>]$/.test(operator) && column.endsWith('_id'),
  );
  for (const values of cursors.length === 0 ? [] : await busyExamples(statement, busiest)) {
    const plan = await explain(client, statement.text, values);
    for (const { node } of nodesOf(plan))
      for (const [column] of cursors) if (isSearched(node, column)) keys.add(column);
  }
  return keys;
}

function isSearched(node: PlanNode, column: string): boolean {
  return node['Index Name'] !== undefined && new RegExp(`\\b${column} [<>] '`).test(node.Filter ?? '');
}

async function busyExamples({ text, examples }: Statement, ids: Busiest): Promise<unknown[][]> {
  const compared = await comparedColumns(client, text);
  return examples.map((values) => busyValues(values, compared, ids));
}

/** Of a fault that comes with other values in each run. */
function withoutValues(fault: string): string {
  return fault.replace(/'[^']*'(?:::[\w ]+)?/g, '?');
}

/** `file#function` of all that are exported from files of statements, and hold one. */
function functionsWithStatements(): string[] {
  const root = new URL('../../src/', import.meta.url);
  return globSync(['**/*.sql.ts', 'kit/db/claims.ts'], { cwd: root }).flatMap((path) => {
    const parts = readFileSync(new URL(path, root), 'utf8').split(/^export (?:async )?function /m);
    return parts.slice(1).flatMap((part) => {
      const body = part.slice(0, part.search(/^}/m));
      return /\.execute/.test(body) ? [`${path}#${part.slice(0, part.search(/\W/))}`] : [];
    });
  });
}

/** Rows whose foreign keys lead nowhere, by table. */
async function orphans(): Promise<unknown[]> {
  const { rows: keys } = await client.query<{ query: string }>(
    `select format('select %L as child, count(*) from %s c where (%s) is not null and not exists (select from %s p where %s)',
       conname, conrelid::regclass, string_agg('c.' || c.attname, ', '), confrelid::regclass,
       string_agg(format('c.%I = p.%I', c.attname, p.attname), ' and ')) as query
     from pg_constraint
     cross join lateral unnest(conkey, confkey) as k(child, parent)
     join pg_attribute c on c.attrelid = conrelid and c.attnum = k.child
     join pg_attribute p on p.attrelid = confrelid and p.attnum = k.parent
     where contype = 'f' group by pg_constraint.oid, conname, conrelid, confrelid`,
  );
  const found = [];
  for (const { query } of keys) {
    const { rows: counts } = await client.query<{ child: string; count: string }>(query);
    found.push(...counts.filter(({ count }) => Number(count) > 0));
  }
  return found;
}
