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

/** The tables among these that have rows of a workspace, each after those that its foreign keys lead to. */
export async function shareTables(client: pg.ClientBase): Promise<TableColumns[]> {
  const tables = (await listTables(client)).filter(({ columns }) => columns.includes('workspace_id'));
  const { rows: references } = await client.query<{ table: string; target: string }>(`
    select c.relname as "table", t.relname as target
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where ${isOurs} and k.contype = 'f' and k.conrelid <> k.confrelid`);
  const placed = new Map<string, TableColumns>();
  while (placed.size < tables.length) {
    const next = tables.find(
      ({ table }) =>
        !placed.has(table) && references.every((one) => one.table !== table || placed.has(one.target)),
    );
    if (next === undefined) throw new BackupProblem('The foreign keys of the tables lead in a circle');
    placed.set(next.table, next);
  }
  return [...placed.values()];
}

/** What lies in the schema: tables, views and the like. */
export async function listRelations(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ relname: string }>(
    `select relname from pg_class c where ${isOurs} and relkind in ('r', 'p', 'v', 'm', 'S', 'f') order by relname`,
  );
  return rows.map(({ relname }) => relname);
}

/** The condition that `pg_class c` lies in the schema, and belongs to no extension. */
export const isOurs = `c.relnamespace = current_schema()::regnamespace and not exists (
  select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
)`;

/** A column that a sequence numbers; `last` is null where that has given no number, or may not be read. */
interface NumberedColumn {
  readonly table: string;
  readonly column: string;
  readonly last: string | null;
  readonly name: string;
  readonly mayRead: boolean;
}

async function numberedColumns(client: pg.ClientBase): Promise<NumberedColumn[]> {
  const { rows } = await client.query<NumberedColumn>(`
    select c.relname as "table", a.attname as "column", q.last_value::text as last, s.relname as name,
      has_sequence_privilege(s.oid, 'usage, select') as "mayRead"
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_class s on s.oid = to_regclass(pg_get_serial_sequence(c.oid::regclass::text, a.attname))
    join pg_sequences q on q.schemaname = current_schema() and q.sequencename = s.relname
    where ${isOurs} and c.relkind = 'r'
    order by 1, 2`);
  return rows;
}

/** The sequences that number columns, where they have given a number. Raises `BackupProblem` for one that may not be read. */
export async function listSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const rows = await numberedColumns(client);
  const hidden = rows.find(({ mayRead }) => !mayRead);
  // Its last number would look like none.
  if (hidden !== undefined)
    throw new BackupProblem(
      `The account may not read the sequence ${hidden.name}: grant it select on all sequences of the schema`,
    );
  return rows.flatMap(({ table, column, last }) => (last === null ? [] : [{ table, column, last }]));
}

/** The highest number that a workspace has rows of here, for each column that a sequence numbers. */
export async function numbersOf(client: pg.ClientBase, workspaceId: string): Promise<Sequence[]> {
  const highest: Sequence[] = [];
  const shared = new Set((await shareTables(client)).map(({ table }) => table));
  for (const { table, column } of await numberedColumns(client)) {
    if (!shared.has(table)) continue;
    const { rows } = await client.query<{ last: string | null }>(
      `select max(${client.escapeIdentifier(column)})::text as last
       from ${client.escapeIdentifier(table)} where workspace_id = $1`,
      [workspaceId],
    );
    const last = rows[0]?.last ?? null;
    if (last !== null) highest.push({ table, column, last });
  }
  return highest;
}

/**
 * Has sequences go on behind these numbers, or behind the last that they have given here if that is higher. Writers of the
 * tables wait for the transaction: the database would give a second time a number that it gives before the end. A ROLLBACK does not put a sequence
 * back, so that this comes last. Raises `BackupProblem` before it has moved any where one is unknown here, or would come near
 * its end.
 */
export async function resumeSequences(client: pg.ClientBase, sequences: readonly Sequence[]): Promise<void> {
  const known = await numberedColumns(client);
  for (const { table, column, last } of sequences) {
    const isKnown = known.some((one) => one.table === table && one.column === column);
    if (!isKnown || !/^\d{1,19}$/.test(last) || BigInt(last) > mostNumber)
      throw new BackupProblem('The numbers of a sequence are not those of the rows');
  }
  for (const { table, column, last } of sequences) {
    const name = client.escapeIdentifier(table);
    await client.query(`lock table ${name} in share row exclusive mode`);
    await client.query(
      `select setval(name, greatest($3::bigint, pg_sequence_last_value(name::regclass)))
       from pg_get_serial_sequence($1, $2) as name`,
      [name, column, last],
    );
  }
}

/** Half of what a sequence can give; on a cluster each node has its own range of them. */
const mostNumber = 2n ** 62n;

/**
 * What a file says that it has of a table, where it has the columns that the table has here, in any order. Raises
 * `BackupProblem`: no other name of a file becomes part of a statement.
 */
export function asHere(here: TableColumns, said: TableColumns): TableColumns {
  const { table, columns } = said;
  const isSame =
    Array.isArray(columns) &&
    columns.length === here.columns.length &&
    here.columns.every((one) => columns.includes(one));
  if (!isSame) throw new BackupProblem(`The file has other columns of ${here.table} than the database`);
  return { table, columns };
}

/** COPY of the columns of a table. */
export function copyText(client: pg.ClientBase, { table, columns }: TableColumns, how: string): string {
  const names = columns.map((column) => client.escapeIdentifier(column));
  return `copy ${client.escapeIdentifier(table)} (${names.join(', ')}) ${how}`;
}

/** COPY of the rows of one workspace. */
export function copyShare(
  client: pg.ClientBase,
  { table, columns }: TableColumns,
  workspaceId: string,
): string {
  const names = columns.map((column) => client.escapeIdentifier(column));
  const rows = `select ${names.join(', ')} from ${client.escapeIdentifier(table)}`;
  return `copy (${rows} where workspace_id = ${client.escapeLiteral(workspaceId)}) to stdout`;
}

/** Has the planner know what the tables hold: without that the first hours may be slow. */
export async function analyzeTables(client: pg.ClientBase): Promise<void> {
  const names = (await listTables(client)).map(({ table }) => client.escapeIdentifier(table));
  await client.query(`analyze ${names.join(', ')}`);
}
