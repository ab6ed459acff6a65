import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/**
 * Brings the database to the newest numbered migration of `folder` and returns the names applied. Safe to run
 * from several processes at once: an advisory lock lets one work while the others wait. Raises `MigrationRefused`
 * when an applied file was edited since, or the database is newer than the program.
 */
export async function migrate(pool: pg.Pool, folder: string): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    await patiently(client, `select pg_advisory_lock(${lockId})`);
    return await applyAll(client, migrationsIn(folder));
  } finally {
    // The session settings and the lock end with the connection.
    client.release(true);
  }
}

/** The database and the program do not fit together; the message says how. */
export class MigrationRefused extends Error {}

/** The names of migrations that the database lacks; changes nothing. */
export async function pendingMigrations(pool: pg.Pool, folder: string): Promise<string[]> {
  const { rows: found } = await pool.query("select to_regclass('schema_migrations') is not null as exists");
  const { rows } = found[0].exists
    ? await pool.query<{ name: string }>('select name from schema_migrations')
    : { rows: [] };
  const applied = new Set(rows.map((row) => row.name));
  return migrationsIn(folder).flatMap(({ name }) => (applied.has(name) ? [] : [name]));
}

interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** Any constant; it only has to be the same in every process. */
const lockId = 7_052_017;

async function applyAll(client: pg.PoolClient, migrations: readonly Migration[]): Promise<string[]> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  const known = new Set(migrations.map((migration) => migration.name));
  for (const name of applied.keys()) {
    if (!known.has(name))
      throw new MigrationRefused(
        `The database has migration ${name}, which this program does not know: run a newer version.`,
      );
  }
  const done: string[] = [];
  for (const migration of migrations) {
    const checksum = applied.get(migration.name);
    if (checksum === migration.checksum) continue;
    if (checksum !== undefined)
      throw new MigrationRefused(`Migration ${migration.name} was edited after it was applied.`);
    await applyPatiently(client, migration);
    done.push(migration.name);
  }
  return done;
}

/** A DDL statement that waits for a lock blocks every later reader, so it waits briefly and tries again. */
async function applyPatiently(client: pg.PoolClient, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('begin; set local lock_timeout = 300');
      await patiently(client, migration.text);
      await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
        migration.name,
        migration.checksum,
      ]);
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      const lockTimedOut = error instanceof Error && 'code' in error && error.code === '55P03';
      if (!lockTimedOut || attempt === 50) throw error;
      await sleep(200 + Math.random() * 300);
    }
  }
}

/** Without the time-out that the pool's own connections have for requests. */
function patiently(client: pg.PoolClient, text: string): Promise<unknown> {
  const query: pg.QueryConfig & { query_timeout: number } = { text, query_timeout: 2 ** 31 - 1 };
  return client.query(query);
}

function migrationsIn(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    });
}
