import type pg from 'pg';
import { isOurs } from './table-catalog.ts';

/**
 * Takes indexes, constraints between rows and triggers off all tables of the schema, for a transaction that fills them:
 * an index is built ten times as fast from all rows as row by row, and rows that reference each other may come in any
 * order. Answers how to put everything back, which fails where rows do not fit together. Needs no more rights than the
 * owner of the tables has.
 */
export async function bareTables(client: pg.ClientBase): Promise<() => Promise<void>> {
  const foreignKeys = await constraintsOf(client, "'f'");
  const keys = await constraintsOf(client, "'p', 'u', 'x'");
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indrelid
    where ${isOurs}
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
    order by 1`);
  const { rows: triggers } = await client.query<{ tableName: string }>(`
    select distinct c.oid::regclass::text as "tableName"
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where ${isOurs} and not t.tgisinternal and t.tgenabled = 'O'
    order by 1`);

  const drop = ({ tableName, name }: Constraint) => `alter table ${tableName} drop constraint ${name}`;
  const add = ({ tableName, name, definition }: Constraint) =>
    `alter table ${tableName} add constraint ${name} ${definition}`;
  await runAll(client, [
    ...triggers.map(({ tableName }) => `alter table ${tableName} disable trigger user`),
    ...foreignKeys.map(drop),
    ...keys.map(drop),
    ...indexes.map(({ name }) => `drop index ${name}`),
  ]);
  return () =>
    runAll(client, [
      "set local maintenance_work_mem = '256MB'",
      ...keys.map(add),
      ...indexes.map(({ definition }) => definition),
      ...foreignKeys.map(add),
      ...triggers.map(({ tableName }) => `alter table ${tableName} enable trigger user`),
    ]);
}

interface Constraint {
  readonly tableName: string;
  readonly name: string;
  readonly definition: string;
}

async function constraintsOf(client: pg.ClientBase, kinds: string): Promise<Constraint[]> {
  const { rows } = await client.query<Constraint>(`
    select k.conrelid::regclass::text as "tableName", quote_ident(k.conname) as name,
      pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where ${isOurs} and k.contype in (${kinds})
    order by 1, 2`);
  return rows;
}

async function runAll(client: pg.ClientBase, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement);
}
