import type pg from 'pg';
import { BackupProblem, type Sequence } from './format.ts';

/** A table, and the columns that can be written to it. */
export interface TableColumns {
  readonly table: string;
  readonly columns: readonly string[];
}

/** The tables of the schema, without those of extensions, in the order of their names. */
export async function listTables(client: pg.ClientBase): Promise<TableColumns[]> {
  const { rows } = await client.query<TableColumns>(`
    select c.relname as "table", array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where ${isOurs} and c.relkind = 'r'
    group by c.relname
    order by c.relname`);
  return rows;
}

/** What lies in the schema: tables, views and the like. */
export async function listRelations(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ relname: string }>(
    `select relname from pg_class c where ${isOurs} and relkind in ('r', 'p', 'v', 'm', 'S', 'f') order by relname`,
  );
  return rows.map(({ relname }) => relname);
}

/** Of `pg_class c`: that it lies in the schema, and belongs to no extension. */
export const isOurs = `c.relnamespace = current_schema()::regnamespace and not exists (
  select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
)`;

/** The sequences that number columns, where they have given a number. Raises `BackupProblem` for one that nobody lets us read. */
export async function listSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<{
    table: string;
    column: string;
    last: string | null;
    name: string;
    mayRead: boolean;
  }>(`
    select c.relname as "table", a.attname as "column", q.last_value::text as last, s.relname as name,
      has_sequence_privilege(s.oid, 'usage, select') as "mayRead"
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_class s on s.oid = to_regclass(pg_get_serial_sequence(c.oid::regclass::text, a.attname))
    join pg_sequences q on q.schemaname = current_schema() and q.sequencename = s.relname
    where ${isOurs} and c.relkind = 'r'
    order by 1, 2`);
  const hidden = rows.find(({ mayRead }) => !mayRead);
  // Its last number would look like none.
  if (hidden !== undefined)
    throw new BackupProblem(
      `The account may not read the sequence ${hidden.name}: grant it select on all sequences of the schema`,
    );
  return rows.flatMap(({ table, column, last }) => (last === null ? [] : [{ table, column, last }]));
}

/** Has a sequence go on after the last number that it gave, and after whatever the column holds. */
export async function resumeSequence(
  client: pg.ClientBase,
  { table, column, last }: Sequence,
): Promise<void> {
  const [name, field] = [client.escapeIdentifier(table), client.escapeIdentifier(column)];
  await client.query(
    `select setval(pg_get_serial_sequence($1, $2), greatest($3::bigint, (select max(${field}) from ${name})))`,
    [name, column, last],
  );
}

/** COPY of the columns of a table. */
export function copyText(client: pg.ClientBase, { table, columns }: TableColumns, how: string): string {
  const names = columns.map((column) => client.escapeIdentifier(column));
  return `copy ${client.escapeIdentifier(table)} (${names.join(', ')}) ${how}`;
}

/** Has the planner know what the tables hold: without that the first hours may be slow. */
export async function analyzeTables(client: pg.ClientBase): Promise<void> {
  const names = (await listTables(client)).map(({ table }) => client.escapeIdentifier(table));
  await client.query(`analyze ${names.join(', ')}`);
}
