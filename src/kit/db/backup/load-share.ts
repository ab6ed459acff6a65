import type pg from 'pg';
import { sqlState, violatedConstraint } from '../database-errors.ts';
import { type AppliedMigration, appliedMigrations } from '../migrate.ts';
import { type BackupPart, BackupProblem, type BackupTotals } from './format.ts';
import { copyIn } from './load-backup.ts';
import type { BackupFile } from './open-file.ts';
import { asHere, numbersOf, resumeSequences, shareTables, type TableColumns } from './table-catalog.ts';

/**
 * Loads the share of one workspace into tables that hold those of others, in the transaction of `client`, while the
 * service runs: indexes, keys and triggers stay in force. Then it has `settle` do the rest, and advances sequences. Raises
 * `BackupProblem` where the tables are of other migrations, the file has anything but rows of the workspace, or a row does
 * not fit what is there. The ids of the rows of `scopedTables` count within a workspace; two may have the same.
 */
export async function loadShare(
  client: pg.ClientBase,
  workspaceId: string,
  backup: BackupFile,
  scopedTables: readonly string[],
  settle: () => Promise<void>,
): Promise<BackupTotals> {
  refuseOtherSchema(backup.header.migrations, await appliedMigrations(client));
  const parts = backup.parts();
  const load = loadTables(client, workspaceId, { parts, scopedTables });
  const loaded = await load.finally(() => parts.return(undefined));
  await fitting('the workspace', settle);
  await resumeSequences(client, await numbersOf(client, workspaceId));
  return loaded;
}

/** Rows come as they were, so that the tables must be the same. */
function refuseOtherSchema(there: readonly AppliedMigration[], here: readonly AppliedMigration[]): void {
  const lacks = (some: readonly AppliedMigration[], others: readonly AppliedMigration[]) =>
    some.filter(({ name }) => others.every((other) => other.name !== name)).map(({ name }) => name);
  const [missing, ahead] = [lacks(there, here), lacks(here, there)];
  if (missing.length > 0)
    throw new BackupProblem(
      `This installation is older than the file: it lacks ${missing.join(', ')}. Upgrade it, then import again`,
    );
  if (ahead.length > 0)
    throw new BackupProblem(
      `The file is older than this installation: it lacks ${ahead.join(', ')}. Upgrade the installation that it comes from, then export again`,
    );
  const edited = there.find(({ name, checksum }) =>
    here.every((one) => one.name !== name || one.checksum !== checksum),
  );
  if (edited !== undefined)
    throw new BackupProblem(`Migration ${edited.name} has another text here than where the file comes from`);
}

async function loadTables(
  client: pg.ClientBase,
  workspaceId: string,
  {
    parts,
    scopedTables,
  }: { readonly parts: AsyncGenerator<BackupPart>; readonly scopedTables: readonly string[] },
): Promise<BackupTotals> {
  const expected = new Map((await shareTables(client)).map((one) => [one.table, one]));
  for (;;) {
    const { value: part } = await parts.next();
    if (part === undefined || (part.kind === 'end' && expected.size > 0))
      throw new BackupProblem(`The file lacks ${[...expected.keys()].join(', ') || 'its end'}`);
    if (part.kind === 'end') return part.totals;
    const here = part.kind === 'table' ? expected.get(part.table) : undefined;
    if (part.kind !== 'table' || here === undefined)
      throw new BackupProblem(
        'The file has rows of a table that holds none of a workspace, or has some twice',
      );
    expected.delete(part.table);
    await fitting(part.table, async () => {
      await loadRows(client, workspaceId, asHere(here, part), parts);
      if (!scopedTables.includes(part.table)) await refuseIdsOfOthers(client, workspaceId, part.table);
    });
  }
}

/**
 * Loads the rows of a table into a temporary one of the same form and name, which hides it during the load. Only COPY knows what a
 * line means, so a query says whose the rows are. Then they are taken over.
 */
async function loadRows(
  client: pg.ClientBase,
  workspaceId: string,
  table: TableColumns,
  parts: AsyncGenerator<BackupPart>,
): Promise<void> {
  const name = client.escapeIdentifier(table.table);
  const { rows: schemas } = await client.query<{ name: string }>(
    'select quote_ident(current_schema()) as name',
  );
  const real = `${schemas[0]?.name}.${name}`;
  await client.query(`create temporary table ${name} (like ${real}) on commit drop`);
  await copyIn(client, table, parts, 'from stdin');
  const { rows: foreign } = await client.query(
    `select from pg_temp.${name} where workspace_id is distinct from $1 limit 1`,
    [workspaceId],
  );
  if (foreign.length > 0)
    throw new BackupProblem(`The file has rows of ${table.table} that are of another workspace`);
  const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(', ');
  await client.query(
    `insert into ${real} (${columns}) overriding system value select ${columns} from pg_temp.${name}`,
  );
  await client.query(`drop table pg_temp.${name}`);
}

/** Says of a row that does not fit where, and what is in its way: no value of it. */
async function fitting<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!/^(2[23]|54)/.test(sqlState(error) ?? '')) throw error;
    const which = violatedConstraint(error) ?? 'a value that the column does not take';
    throw new BackupProblem(`Rows of ${what} do not fit what is here already: ${which}`);
  }
}

/** Refuses ids that another workspace has here: an id alone says whose it is, so the row would be taken from it. */
async function refuseIdsOfOthers(client: pg.ClientBase, workspaceId: string, table: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select quote_ident(a.attname) as id
     from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
     where i.indrelid = $1::regclass and i.indisunique and i.indnkeyatts = 2
       and a.atttypid = 'uuid'::regtype and a.attname <> 'workspace_id'`,
    [client.escapeIdentifier(table)],
  );
  const name = client.escapeIdentifier(table);
  for (const { id } of rows) {
    const { rows: taken } = await client.query(
      `select from ${name}
       where ${id} = any(array(select ${id} from ${name} where workspace_id = $1)) and workspace_id <> $1
       limit 1`,
      [workspaceId],
    );
    if (taken.length > 0)
      throw new BackupProblem(`Rows of ${table} have ids that another workspace has here`);
  }
}
