import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { inLongTransaction } from '../long-transaction.ts';
import { appliedMigrations, migrationsTable } from '../migrate.ts';
import { type BackupHeader, BackupProblem, type BackupTotals, type UnsummedPart } from './format.ts';
import { copyText, listSequences, listTables, type TableColumns } from './table-catalog.ts';
import { writeBackupFile } from './write-file.ts';

/**
 * Writes a backup of all tables of the schema as they are at one moment, beside whatever else goes on. The rows flow from
 * the server to the disk; none are gathered. A standby will do. `name` is what its
 * sessions are called. Raises `BackupProblem`.
 */
export async function writeBackup(
  url: string,
  path: string,
  { name, ...about }: Pick<BackupHeader, 'format' | 'facts'> & { readonly name: string },
): Promise<BackupTotals> {
  const readOnly = { name, access: 'read only' } as const;
  const before = await inLongTransaction(
    url,
    { ...readOnly, isolation: 'read committed' },
    async ({ client }) => {
      // What it may not read is better known now than after hours.
      await listSequences(client);
      return listTables(client);
    },
  );
  if (before.length === 0) throw new BackupProblem('The database is empty: there is nothing to keep');
  // One snapshot for all tables. SERIALIZABLE would see no more, since nobody else uses it.
  return inLongTransaction(url, { ...readOnly, isolation: 'repeatable read' }, async ({ client }) => {
    // LOCK takes no snapshot: what the first query sees is as the tables are now, and they stay so until the end.
    const names = before.map(({ table }) => client.escapeIdentifier(table));
    await client.query(`lock table ${names.join(', ')} in access share mode`);
    const tables = await listTables(client);
    if (JSON.stringify(tables) !== JSON.stringify(before))
      throw new BackupProblem('The tables are being changed at the moment: try again');
    const { rows } = await client.query<{ at: Date; server: string }>(
      "select clock_timestamp() as at, current_setting('server_version') as server",
    );
    const [now] = rows;
    const header = {
      ...about,
      createdAt: (now?.at ?? new Date()).toISOString(),
      server: now?.server ?? '',
      migrations: await appliedMigrations(client),
    };
    const kept = tables.filter(({ table }) => table !== migrationsTable);
    return writeBackupFile(path, header, partsOf(client, kept));
  });
}

async function* partsOf(
  client: pg.ClientBase,
  tables: readonly TableColumns[],
): AsyncGenerator<UnsummedPart> {
  // How values are written depends on these; and whoever reads them may be another version.
  await client.query(
    "set local client_encoding = 'UTF8'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'iso_8601'; set local timezone = 'UTC'; set local extra_float_digits = 3",
  );
  for (const { table, columns } of tables) {
    yield { kind: 'table', table, columns };
    for await (const bytes of client.query(copyTo(copyText(client, { table, columns }, 'to stdout'))))
      yield { kind: 'rows', bytes };
    yield { kind: 'table end' };
  }
  // After the rows: a number that was given since is one too many, never one too few.
  yield { kind: 'end', sequences: await listSequences(client) };
}
