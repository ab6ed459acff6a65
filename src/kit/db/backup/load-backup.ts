import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { catchUp, lockSchema, migrationsTable, remakeSchema } from '../migrate.ts';
import { type BackupPart, BackupProblem, type BackupTotals } from './format.ts';
import type { BackupFile } from './open-file.ts';
import {
  asHere,
  copyText,
  isOurs,
  listRelations,
  listTables,
  resumeSequences,
  type TableColumns,
} from './table-catalog.ts';

/** What was loaded; and tables of others that lay in the same schema. */
export interface Loaded extends BackupTotals {
  readonly leftOut: readonly string[];
}

/**
 * Loads a backup into an empty database, in the transaction of `client`: the schema as it was made there, all rows, then
 * the migrations since; tables of others are left out. Until the transaction commits no other session sees anything of it, and
 * programs that start wait. Raises `BackupProblem` where the database is not empty or the file not whole, and
 * `MigrationRefused`.
 */
export async function loadBackup(
  client: pg.ClientBase,
  migrationsFolder: string,
  backup: Pick<BackupFile, 'header' | 'parts'>,
): Promise<Loaded> {
  await lockSchema(client);
  await refuseOccupied(client);
  await remakeSchema(client, migrationsFolder, backup.header.migrations);
  const putBack = await bareTables(client);
  const parts = backup.parts();
  const loaded = await loadTables(client, parts).finally(() => parts.return(undefined));
  await putBack();
  await resumeSequences(client, loaded.sequences);
  await catchUp(client, migrationsFolder);
  return loaded;
}

async function refuseOccupied(client: pg.ClientBase): Promise<void> {
  const relations = await listRelations(client);
  if (relations.length === 0) return;
  const some = relations.length > 3 ? `${relations.slice(0, 3).join(', ')} …` : relations.join(', ');
  throw new BackupProblem(
    `The database is not empty: it has ${some}. Nothing was changed. Restore into a new database; an embedded one is made where DATA_DIR holds none`,
  );
}

async function loadTables(client: pg.ClientBase, parts: AsyncGenerator<BackupPart>): Promise<Loaded> {
  const expected = new Map((await listTables(client)).map((one) => [one.table, one]));
  expected.delete(migrationsTable);
  const leftOut: string[] = [];
  for (;;) {
    const { value: part } = await parts.next();
    if (part === undefined || (part.kind === 'end' && expected.size > 0))
      throw new BackupProblem(`The backup lacks ${[...expected.keys()].join(', ') || 'its end'}`);
    if (part.kind === 'end') return { ...part.totals, leftOut };
    if (part.kind !== 'table') throw new BackupProblem('The backup is damaged: rows of no table');
    const here = expected.get(part.table);
    if (here === undefined) leftOut.push(part.table);
    expected.delete(part.table);
    // The table was made in this transaction: its rows need no vacuum later.
    await (here === undefined
      ? skipRows(parts)
      : copyIn(client, asHere(here, part), parts, 'from stdin with (freeze)'));
  }
}

/**
 * Loads the rows of a table that come next. COPY waits for the file and the file for COPY, so that no more than a few pieces
 * lie in memory.
 */
export async function copyIn(
  client: pg.ClientBase,
  table: TableColumns,
  parts: AsyncGenerator<BackupPart>,
  how: string,
): Promise<void> {
  const sum = { rows: 0 };
  const copy = client.query(copyFrom(copyText(client, table, how)));
  await pipeline(rowsOf(parts, sum), copy);
  if (copy.rowCount !== sum.rows)
    throw new BackupProblem(`Of ${table.table} ${copy.rowCount} rows were loaded instead of ${sum.rows}`);
}

/** Passes over the rows of a table. */
async function skipRows(parts: AsyncGenerator<BackupPart>): Promise<void> {
  for await (const _ of rowsOf(parts, { rows: 0 }));
}

/** The rows up to the end of the table, which says how many they are. Not by `for await`: that would end the parts, too. */
async function* rowsOf(parts: AsyncGenerator<BackupPart>, sum: { rows: number }): AsyncGenerator<Buffer> {
  let begun = 0;
  for (;;) {
    const { value: part } = await parts.next();
    if (part?.kind === 'rows') {
      const last = part.bytes.lastIndexOf(10);
      begun = last === -1 ? begun + part.bytes.length : part.bytes.length - last;
      // The server holds a whole row in memory.
      if (begun > mostRowBytes) throw new BackupProblem('The file has a row that is longer than any can be');
      yield part.bytes;
    } else if (part?.kind === 'table end') {
      sum.rows = part.rows;
      return;
    } else throw new BackupProblem('The file is damaged: the end of a table is missing');
  }
}

/** The longest has an image of 20 MB, which COPY writes with two characters a byte. */
const mostRowBytes = 64 * 1_048_576;

/**
 * Takes indexes, constraints between rows and triggers off all tables of the schema, for a transaction that fills them:
 * an index is built ten times as fast from all rows as row by row, and rows that reference each other may come in any
 * order. Answers how to put everything back, which fails where rows do not fit together. Needs no more rights than the
 * owner of the tables has.
 */
async function bareTables(client: pg.ClientBase): Promise<() => Promise<void>> {
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
