import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { isCitus, keepToOneConnection, setForTransaction } from '../../citus/citus.ts';
import { sqlState } from '../database-errors.ts';
import { inLongTransaction } from '../long-transaction.ts';
import { appliedMigrations, migrationsTable } from '../migrate.ts';
import type { Tx } from '../unit.ts';
import {
  type BackupHeader,
  BackupProblem,
  type BackupTotals,
  type Seal,
  type UnsummedPart,
} from './format.ts';
import {
  copyShare,
  copyText,
  listSequences,
  listTables,
  shareTables,
  type TableColumns,
} from './table-catalog.ts';
import { writeBackupFile } from './write-file.ts';

/** The content of a backup, and its description. */
export interface BackupOrder {
  /** What its sessions are called. */
  readonly name: string;
  readonly format: string;
  /** The rows of this workspace alone, of the tables that have such; else all rows. */
  readonly workspaceId?: string;
  /** Null where there is no key: then the writer cannot be proved later. */
  readonly seal: Seal | null;
  /** Reads the facts for the first line in the snapshot, so that they fit the rows. */
  facts(tx: Tx): Promise<BackupHeader['facts']>;
}

/**
 * Writes a backup of all tables of the schema, or of one workspace's share of them, as they are at one moment, while the
 * service runs. The rows flow from the server to the disk; none are gathered. A standby is enough. Raises
 * `BackupProblem`.
 */
export async function writeBackup(
  url: string,
  path: string,
  { name, format, workspaceId, seal, facts }: BackupOrder,
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
  // One snapshot for all tables. SERIALIZABLE would see no more, since no other transaction uses it.
  return inLongTransaction(url, { ...readOnly, isolation: 'repeatable read' }, async ({ tx, client }) => {
    // LOCK takes no snapshot: what the first query sees is as the tables are now, and they stay so until the end.
    const names = before.map(({ table }) => client.escapeIdentifier(table));
    await atStillMoment(url, name, async () => {
      await client.query(`lock table ${names.join(', ')} in access share mode`);
      await beginOnNodes(client);
    });
    const tables = await listTables(client);
    if (JSON.stringify(tables) !== JSON.stringify(before))
      throw new BackupProblem('The tables are being changed at the moment: try again');
    const { rows } = await client.query<{ at: Date; server: string }>(
      "select clock_timestamp() as at, current_setting('server_version') as server",
    );
    const [now] = rows;
    const header = {
      format,
      facts: await facts(tx),
      createdAt: (now?.at ?? new Date()).toISOString(),
      server: now?.server ?? '',
      migrations: await appliedMigrations(client),
    };
    const kept =
      workspaceId === undefined
        ? tables.filter(({ table }) => table !== migrationsTable)
        : await shareTables(client);
    const textOf = (table: TableColumns) =>
      workspaceId === undefined
        ? copyText(client, table, 'to stdout')
        : copyShare(client, table, workspaceId);
    return writeBackupFile(path, header, partsOf(client, kept, textOf), seal);
  });
}

async function* partsOf(
  client: pg.ClientBase,
  tables: readonly TableColumns[],
  textOf: (table: TableColumns) => string,
): AsyncGenerator<UnsummedPart> {
  // How values are written depends on these; and the program that reads them may be of another version.
  await client.query(
    "set local client_encoding = 'UTF8'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'iso_8601'; set local timezone = 'UTC'; set local extra_float_digits = 3",
  );
  for (const { table, columns } of tables) {
    yield { kind: 'table', table, columns };
    for await (const bytes of client.query(copyTo(textOf({ table, columns })))) yield { kind: 'rows', bytes };
    yield { kind: 'table end' };
  }
  // After the rows: a number that was given since is one too many, never one too few.
  const written = new Set(tables.map(({ table }) => table));
  const sequences = (await listSequences(client)).filter(({ table }) => written.has(table));
  yield { kind: 'end', sequences };
}

/**
 * Has a snapshot be of one moment on all nodes of a cluster: `take` begins its transaction while no other one writes, which
 * takes milliseconds. Writers wait for these milliseconds. Where one writes for longer, or waits for it on another node,
 * it releases the locks and tries again, so that none waits for long. Without a cluster one server's snapshot is of one moment anyway.
 */
async function atStillMoment(url: string, name: string, take: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await inLongTransaction(
        url,
        { name, isolation: 'read committed', access: 'read only' },
        async ({ client }) => {
          if (await isCitus(client)) await lockWriters(client);
          await take();
        },
      );
      return;
    } catch (error) {
      if (!isHeldUp(error)) throw error;
      if (attempt === 100)
        throw new BackupProblem('Clients write without a pause: no moment was still. Try again later');
      await sleep(100 + Math.random() * 200);
    }
  }
}

/** Whether a lock did not come; Citus says of one on a node that its connection has failed. */
function isHeldUp(error: unknown): boolean {
  if (['55P03', '40P01'].includes(sqlState(error) ?? '')) return true;
  return error instanceof Error && error.message.startsWith('failure on connection marked as essential');
}

/**
 * Waits for all transactions that write, and keeps others from it: one that goes through the coordinator holds the locks of
 * tables there until every node has committed, and one that goes to a node those of the same tables there, which Citus
 * locks as well.
 */
async function lockWriters(client: pg.ClientBase): Promise<void> {
  await setForTransaction(client, { lock_timeout: '300' });
  const names = (await listTables(client)).map(({ table }) => client.escapeIdentifier(table));
  await client.query(`lock table ${names.join(', ')} in share mode`);
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from run_command_on_all_nodes(
      'select count(*) from pg_prepared_xacts where database = current_database() and gid like ''citus\\_%''')
    where not success or result <> '0'`,
  );
  if (Number(rows[0]?.count) > 0)
    throw new BackupProblem(
      'A node does not answer, or holds transactions that are not decided: ask the doctor about it, and try again in a minute',
    );
}

/**
 * Begins, on every node, the transaction that the rows are read in: with one connection to each there is one snapshot of each.
 * Nothing where there is no cluster.
 */
async function beginOnNodes(client: pg.ClientBase): Promise<void> {
  if (!(await isCitus(client))) return;
  await keepToOneConnection(client);
  const { rows } = await client.query<{ table: string }>(
    "select quote_ident(relname) as table from pg_dist_partition join pg_class on oid = logicalrelid where partmethod = 'h' order by 1 limit 1",
  );
  // All of its shards are asked, which are on all nodes that have any.
  if (rows[0] !== undefined) await client.query(`select from ${rows[0].table} limit 1`);
}
