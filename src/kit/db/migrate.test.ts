import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createTestDatabase, dropTestDatabase } from '../../../test/harness.ts';
import { migrationsFolder } from '../../app.ts';
import { migrate, pendingMigrations, splitStatements } from './migrate.ts';

const url = await createTestDatabase();
const observer = new pg.Pool({ connectionString: url, max: 2 });
// Every client waits shorter than some migrations take.
const pools = Array.from(
  { length: 4 },
  () => new pg.Pool({ connectionString: url, max: 2, query_timeout: 3_000 }),
);
const [pool = observer] = pools;
for (const one of pools)
  one.on('error', () => undefined).on('connect', (client) => client.on('error', () => {}));
const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
after(async () => {
  for (const one of [...pools, observer]) await one.end();
  await dropTestDatabase(url);
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  await observer.query('drop schema public cascade; create schema public');
  writeFolder({
    '0001_first.sql': 'create table first (n int)',
    '0002_second.sql': 'create table second (n int)',
  });
});

function writeFolder(files: Record<string, string>): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

async function tables(): Promise<string[]> {
  const { rows } = await observer.query(
    "select tablename from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations' order by 1",
  );
  return rows.map(({ tablename }) => tablename);
}

describe('migrate', () => {
  it('applies what is missing, in order, once', async () => {
    assert.deepEqual(await pendingMigrations(pool, folder), ['0001_first.sql', '0002_second.sql']);
    assert.deepEqual(await migrate(pool, folder), ['0001_first.sql', '0002_second.sql']);
    assert.deepEqual(await tables(), ['first', 'second']);
    assert.deepEqual(await migrate(pool, folder), []);
    writeFileSync(join(folder, '0003_third.sql'), 'alter table second rename to third');
    assert.deepEqual(await pendingMigrations(pool, folder), ['0003_third.sql']);
    assert.deepEqual(await migrate(pool, folder), ['0003_third.sql']);
    assert.deepEqual(await tables(), ['first', 'third']);
  });

  it('applies each migration once when four processes start together, however long it takes', async () => {
    writeFolder({ '0001_slow.sql': 'create table slow (n int); select pg_sleep(4)' });
    const done = await Promise.all(pools.map((one) => migrate(one, folder)));
    assert.deepEqual(done.flat(), ['0001_slow.sql']);
    assert.deepEqual(await tables(), ['slow']);
  });

  it('ignores files that are not numbered migrations', async () => {
    writeFileSync(join(folder, 'README.md'), 'not SQL');
    writeFileSync(join(folder, '0003_draft.sql.orig'), 'not SQL');
    assert.equal((await migrate(pool, folder)).length, 2);
  });

  it('refuses a file that was edited after it was applied, and changes nothing', async () => {
    await migrate(pool, folder);
    writeFileSync(join(folder, '0002_second.sql'), 'create table other (n int)');
    writeFileSync(join(folder, '0003_third.sql'), 'create table third (n int)');
    for (const look of [migrate, pendingMigrations])
      await assert.rejects(look(pool, folder), /0002_second\.sql was edited after it was applied/);
    assert.deepEqual(await tables(), ['first', 'second']);
  });

  it('refuses a database that a newer program has migrated', async () => {
    await migrate(pool, folder);
    rmSync(join(folder, '0002_second.sql'));
    for (const look of [migrate, pendingMigrations])
      await assert.rejects(look(pool, folder), /0002_second\.sql.*run a newer version/);
  });

  it('leaves nothing of a migration that fails, and keeps those before it', async () => {
    writeFileSync(join(folder, '0003_bad.sql'), 'create table third (n int); select 1/0');
    await assert.rejects(migrate(pool, folder), /division by zero/);
    assert.deepEqual(await tables(), ['first', 'second']);
    writeFileSync(join(folder, '0003_bad.sql'), 'create table third (n int)');
    assert.deepEqual(await migrate(pool, folder), ['0003_bad.sql']);
  });

  it('goes on where it was when its process was killed midway', async () => {
    writeFileSync(join(folder, '0003_slow.sql'), 'create table third (n int); select pg_sleep(30)');
    const killed = migrate(pool, folder);
    killed.catch(() => undefined);
    const { pid } = await sleeper();
    await observer.query('select pg_terminate_backend($1)', [pid]);
    await assert.rejects(killed);
    assert.deepEqual(await tables(), ['first', 'second']);
    writeFileSync(join(folder, '0003_slow.sql'), 'create table third (n int)');
    assert.deepEqual(await migrate(pool, folder), ['0003_slow.sql']);
  });

  it('waits briefly for a lock and tries again, so that readers are never blocked for long', async () => {
    await migrate(pool, folder);
    writeFileSync(join(folder, '0003_alter.sql'), 'alter table first add column m int');
    const reader = await observer.connect();
    await reader.query('begin; select * from first');
    const migrating = migrate(pool, folder);
    await locked();
    // Behind the waiting ALTER TABLE; it gives way after 300 ms.
    const { rows } = await observer.query('select count(*)::int as count from first');
    assert.deepEqual(rows, [{ count: 0 }]);
    await reader.query('commit');
    reader.release();
    assert.deepEqual(await migrating, ['0003_alter.sql']);
  });
});

/** The session that sleeps in a migration. */
async function sleeper(): Promise<{ pid: number }> {
  return until(
    "select pid from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()",
  );
}

/** Resolves when some session waits for a table. */
async function locked(): Promise<void> {
  await until('select pid from pg_locks where not granted and relation is not null');
}

async function until(query: string): Promise<{ pid: number }> {
  for (;;) {
    const { rows } = await observer.query(query);
    if (rows[0] !== undefined) return rows[0];
    await sleep(5);
  }
}

describe('splitStatements', () => {
  const cases: [string, string, string[]][] = [
    ['two', 'select 1;\nselect 2;\n', ['select 1', 'select 2']],
    ['a last one without an end', 'select 1; select 2', ['select 1', 'select 2']],
    ['nothing', '-- only words; of mine\n/* and; more */', []],
    [
      'comments before and within',
      '-- a;\n/* b; */ select 1, -- c;\n 2 /* d; */;',
      ['select 1, -- c;\n 2 /* d; */'],
    ],
    ['strings', "select 'a;''b;', E'c\\';d;'; select 1", ["select 'a;''b;', E'c\\';d;'", 'select 1']],
    [
      'a string after a name that ends with an e',
      "select date'2020-01-01\\'; select 1",
      ["select date'2020-01-01\\'", 'select 1'],
    ],
    ['quoted names', 'select ";""a;"; select 1', ['select ";""a;"', 'select 1']],
    [
      'dollar quotes',
      'do $$ begin; end $$; do $x$ $$; $y$ $x$; select $1',
      ['do $$ begin; end $$', 'do $x$ $$; $y$ $x$', 'select $1'],
    ],
    ['signs', 'select 1 - -1 / 2; select a$b', ['select 1 - -1 / 2', 'select a$b']],
  ];
  for (const [name, text, expected] of cases)
    it(`knows ${name}`, () => assert.deepEqual(splitStatements(text), expected));

  it('loses nothing of the migrations but comments', () => {
    for (const name of readdirSync(migrationsFolder)) {
      const text = readFileSync(`${migrationsFolder}/${name}`, 'utf8');
      const bare = (sql: string) => sql.replaceAll(/--.*|[\s;]+/g, '');
      assert.equal(bare(splitStatements(text).join(';')), bare(text), name);
    }
  });
});
