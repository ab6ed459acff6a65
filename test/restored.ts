import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after } from 'node:test';
import pg from 'pg';
import { createTestDatabase, dropTestDatabase, type TestApp } from './harness.ts';

/** A database without a table, for a backup to be loaded into; removed after the file's tests. */
export async function emptyDatabase(): Promise<{ url: string; sql: TestApp['sql'] }> {
  const url = await createTestDatabase();
  after(() => dropTestDatabase(url));
  /** Each on a connection of its own, so that the database has no other connections. */
  async function sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const session = new pg.Client({ connectionString: url });
    await session.connect();
    try {
      return (await session.query<Row>(text, values)).rows;
    } finally {
      await session.end();
    }
  }
  await sql('drop schema public cascade');
  await sql('create schema public');
  return { url, sql };
}

/** The secrets of a service, as settings: what its operator keeps apart from backups. */
export async function secretsOf({ config }: TestApp): Promise<Record<string, string>> {
  const { operatorToken, encryptionKey } = JSON.parse(
    await readFile(join(config.dataDir, 'secrets.json'), 'utf8'),
  );
  return { OPERATOR_TOKEN: operatorToken, ENCRYPTION_KEY: encryptionKey };
}

/** How many rows each table has. */
export async function rowCounts(sql: TestApp['sql']): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const counts = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await sql<{ count: number }>(`select count(*)::int as count from ${name}`);
      return [name, row?.count ?? -1] as const;
    }),
  );
  return Object.fromEntries(counts);
}

/** Constraints, indexes, triggers and the columns of all tables, with their names and whether they are in force. */
export function schemaOf(sql: TestApp['sql']): Promise<unknown[]> {
  return sql(`
    select conrelid::regclass::text as place, conname::text as name, pg_get_constraintdef(oid) as what from pg_constraint
    where connamespace = 'public'::regnamespace
    union all select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
    union all select tgrelid::regclass::text, tgname, tgenabled::text || ' ' || pg_get_triggerdef(oid) from pg_trigger
    where not tgisinternal
    union all select table_name, column_name, concat_ws(' ', ordinal_position, data_type, is_nullable, column_default)
    from information_schema.columns where table_schema = 'public'
    order by 1, 2, 3`);
}
