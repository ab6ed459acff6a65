import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { migrationsFolder } from '../../src/app.ts';
import { listMisplaced } from '../../src/kit/citus/citus.ts';
import { migrate } from '../../src/kit/db/migrate.ts';
import { placement } from '../../src/start/placement.ts';
import { makeCard, makePass } from '../factories.ts';
import { createLoneDatabases, dropTestDatabase, needsCluster, nodesOf, startTestApp } from '../harness.ts';
import { dumpSchemaSql } from '../schema-dump.ts';
import { makeCluster } from '../server.ts';

const visits = `
  workspace_id uuid not null,
  visit_id uuid not null,
  instance_id uuid not null,
  at timestamptz not null`;

/** What migrations do to tables with rows, old and new ones. */
const later = {
  '9001_visits.sql': `
    -- Tables that are there; a comment may end in a semicolon;
    lock table passes, instances in share mode;
    create index instances_of_status on instances (pass_id, workspace_id, status);
    create unique index passes_once on passes (pass_id, workspace_id) include (title);
    alter table passes add column note text not null default 'x';
    alter table passes add constraint passes_note check (length(note) < 10);
    update passes set note = 'a;b';
    alter table passes alter column note drop default;
    -- New ones.
    create table visits (${visits},
      primary key (visit_id, workspace_id),
      foreign key (instance_id, workspace_id) references instances (instance_id, workspace_id) on delete cascade
    );
    create index visits_by_time on visits (at);
    insert into visits select workspace_id, gen_random_uuid(), instance_id, now() from instances;
    create function keep_visits() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name;
    end $$;
    create trigger visits_rows before update on visits for each row execute function keep_visits();
    create table places (place_id int primary key, name text not null);
    insert into places values (1, 'here');`,
  '9002_visits_anew.sql': `
    create table visits_next (${visits}) with (fillfactor = 70);
    insert into visits_next (workspace_id, visit_id, instance_id, at) select workspace_id, visit_id, instance_id, at from visits;
    drop table visits;
    alter table visits_next rename to visits;
    alter table visits add constraint visits_pkey primary key (visit_id, workspace_id);
    alter table visits add foreign key (instance_id, workspace_id) references instances not valid;
    alter table visits validate constraint visits_instance_id_workspace_id_fkey;`,
};

/** The migrations of the program, and some to come. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  after(() => rmSync(folder, { recursive: true }));
  cpSync(migrationsFolder, folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe('migrate on a cluster', needsCluster, async () => {
  if (needsCluster.skip !== undefined) return;
  const app = await startTestApp({ WORKERS: 'off' });
  const { passId } = await makePass(app.client);
  for (let count = 0; count < 3; count++) await makeCard(app.client, passId);
  const pool = new pg.Pool({ connectionString: app.databaseUrl, max: 2 });
  pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
  after(() => pool.end());
  const misplaced = async () => (await listMisplaced(pool, placement)).map(({ table }) => table);
  const kindOf = async (table: string) =>
    (
      await app.sql('select citus_table_type as kind from citus_tables where table_name = $1::regclass', [
        table,
      ])
    )[0]?.kind;

  it('makes the schema that it makes on one server, comments and all', async () => {
    const golden = readFileSync(new URL('../../db/schema.sql', import.meta.url), 'utf8');
    assert.equal(await dumpSchemaSql(pool), golden);
  });

  it('leaves nothing of a migration whose process is killed midway, and goes on with it', async () => {
    const folder = folderWith({
      '9001_visits.sql': `${later['9001_visits.sql']} select pg_sleep(60) from passes;`,
    });
    const killed = migrate(pool, folder, placement);
    killed.catch(() => undefined);
    const [, ...nodes] = nodesOf(app.databaseUrl);
    await Promise.race([killed, ...nodes.map((node) => untilSleeping(node))]);
    await app.sql(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_sleep%' and datname = current_database()",
    );
    await assert.rejects(killed);
    assert.deepEqual(await app.sql("select to_regclass('visits') as found"), [{ found: null }]);
    assert.deepEqual(await misplaced(), []);

    assert.deepEqual(await migrate(pool, folderWith(later), placement), Object.keys(later));
    assert.deepEqual(await misplaced(), []);
    assert.deepEqual([await kindOf('visits'), await kindOf('places')], ['distributed', undefined]);
  });

  it('has changed tables and rows as on one server', async () => {
    const [counts] = await app.sql(
      `select (select count(*)::int from visits join instances using (workspace_id, instance_id)) as visits,
        (select array_agg(distinct note) from passes) as notes, (select count(*)::int from places) as places`,
    );
    assert.deepEqual(counts, { visits: 3, notes: ['a;b'], places: 1 });
    const instead = (statement: string) => app.sql(statement);
    await assert.rejects(
      instead(
        'insert into visits select workspace_id, gen_random_uuid(), gen_random_uuid(), now() from passes',
      ),
      /violates foreign key/,
    );
    await assert.rejects(instead('insert into visits select * from visits'), /duplicate key/);
    await assert.rejects(instead("update passes set note = 'longer than ten'"), /violates check/);
    assert.equal((await makeCard(app.client, passId)).status, 'active');
  });

  it('distributes a database with rows that becomes the coordinator of a cluster', async () => {
    const url = await createLoneDatabases();
    const one = new pg.Pool({ connectionString: url, max: 2 });
    after(async () => {
      await one.end();
      await dropTestDatabase(url);
    });
    assert.equal((await migrate(one, migrationsFolder, placement)).length > 20, true);
    const rows = `insert into workspaces (workspace_id, name, plan, created_at) select gen_random_uuid(), 'W' || n, 'pro', now() from generate_series(1, 8) n;
      insert into suppressions (workspace_id, email_hash, reason, created_at) select workspace_id, sha256(name::bytea), 'unsubscribed', now() from workspaces`;
    for (const statement of rows.split(';')) await one.query(statement);
    await makeCluster(nodesOf(url));
    assert.ok((await listMisplaced(one, placement)).length > 30);
    assert.deepEqual(await migrate(one, migrationsFolder, placement), []);
    assert.deepEqual(await listMisplaced(one, placement), []);
    const count = async (text: string) => Number((await one.query(text)).rows[0].count);
    assert.equal(await count('select count(*) from suppressions join workspaces using (workspace_id)'), 8);
    // None is left behind on the coordinator, where nothing would ever change or erase it.
    await one.query('set citus.enable_ddl_propagation = off');
    assert.equal(
      await count('select sum(pg_relation_size(logicalrelid)) as count from pg_dist_partition'),
      0,
    );
  });
});

/** Resolves when a session of a node sleeps in a migration. */
async function untilSleeping(node: string): Promise<void> {
  const client = new pg.Client({ connectionString: node });
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query(
        "select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()",
      );
      if (rows.length > 0) return;
    }
  } finally {
    await client.end();
  }
}
