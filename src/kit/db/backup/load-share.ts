import type pg from 'pg';
import { sqlState, violatedConstraint } from '../database-errors.ts';
import { type AppliedMigration, appliedMigrations } from '../migrate.ts';
import { type BackupPart, BackupProblem, type BackupTotals } from './format.ts';
import { copyIn } from './load-backup.ts';
import type { BackupFile } from './open-file.ts';
import { resumeSequence, shareTables } from './table-catalog.ts';

/**
 * Loads the share of one workspace into tables that hold those of others, in the transaction of `client`, beside whatever
 * else goes on: indexes, keys and triggers stay in force. Raises `BackupProblem` where the tables are of other migrations,
 * or a row does not fit what is there.
 */
export async function loadShare(
  client: pg.ClientBase,
  workspaceId: string,
  backup: BackupFile,
): Promise<BackupTotals> {
  refuseOtherSchema(backup.header.migrations, await appliedMigrations(client));
  const parts = backup.parts();
  const loaded = await loadTables(client, workspaceId, parts).finally(() => parts.return(undefined));
  for (const sequence of loaded.sequences) await resumeSequence(client, sequence);
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
  parts: AsyncGenerator<BackupPart>,
): Promise<BackupTotals> {
  const tables = await shareTables(client);
  const expected = new Set(tables.map(({ table }) => table));
  for (;;) {
    const { value: part } = await parts.next();
    if (part === undefined || (part.kind === 'end' && expected.size > 0))
      throw new BackupProblem(`The file lacks ${[...expected].join(', ') || 'its end'}`);
    if (part.kind === 'end') return part.totals;
    if (part.kind !== 'table' || !expected.delete(part.table))
      throw new BackupProblem('The file has rows of a table that holds none of a workspace');
    try {
      await copyIn(client, part, parts, 'from stdin');
      await refuseIdsOfOthers(client, workspaceId, part.table);
    } catch (error) {
      if (!/^2[23]/.test(sqlState(error) ?? '')) throw error;
      const which = violatedConstraint(error) ?? 'a value that the column does not take';
      throw new BackupProblem(`Rows of ${part.table} do not fit what is here already: ${which}`);
    }
  }
}

/** An id alone tells whose it is: one that another workspace has here would be taken from it. */
async function refuseIdsOfOthers(client: pg.ClientBase, workspaceId: string, table: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select quote_ident(a.attname) as id
     from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
     where i.indrelid = $1::regclass and i.indisprimary and i.indnkeyatts = 2
       and a.atttypid = 'uuid'::regtype and a.attname <> 'workspace_id'`,
    [client.escapeIdentifier(table)],
  );
  const [key] = rows;
  if (key === undefined) return;
  const name = client.escapeIdentifier(table);
  const { rows: taken } = await client.query(
    `select from ${name}
     where ${key.id} = any(array(select ${key.id} from ${name} where workspace_id = $1)) and workspace_id <> $1
     limit 1`,
    [workspaceId],
  );
  if (taken.length > 0) throw new BackupProblem(`Rows of ${table} have ids that another workspace has here`);
}

/**
 * Answers what looks at the parts of a backup one after the other, and raises what `foreign` makes of a table that has a
 * row of another workspace, or no column to tell it by.
 */
export function ownedBy(workspaceId: string, foreign: (table: string) => Error): (part: BackupPart) => void {
  let table = '';
  let column = -1;
  let begun: Buffer[] = [];
  const look = (line: Buffer) => {
    if (fieldOf(line, column) !== workspaceId) throw foreign(table);
  };
  return (part) => {
    if (part.kind === 'table') {
      table = part.table;
      column = part.columns.indexOf('workspace_id');
      if (column === -1) throw foreign(table);
    }
    if (part.kind === 'table end' && begun.length > 0) throw foreign(table);
    if (part.kind !== 'rows') return;
    let from = 0;
    for (let end = part.bytes.indexOf(10); end !== -1; end = part.bytes.indexOf(10, from)) {
      look(Buffer.concat([...begun, part.bytes.subarray(from, end)]));
      begun = [];
      from = end + 1;
    }
    if (from < part.bytes.length) begun.push(part.bytes.subarray(from));
  };
}

/** In COPY's text a tab stands between two values, and nowhere else. */
function fieldOf(line: Buffer, column: number): string {
  let from = 0;
  for (let passed = 0; passed < column; passed++) {
    const tab = line.indexOf(9, from);
    if (tab === -1) return '';
    from = tab + 1;
  }
  const end = line.indexOf(9, from);
  return line.toString('latin1', from, end === -1 ? line.length : end);
}
