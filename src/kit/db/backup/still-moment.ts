import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isCitus, keepToOneConnection, setForTransaction } from '../citus.ts';
import { sqlState } from '../database.ts';
import { inLongTransaction } from '../long-transaction.ts';
import { BackupProblem } from './format.ts';
import { listTables } from './table-catalog.ts';

/**
 * Has a snapshot be of one moment on all nodes of a cluster: `take` begins its transaction while nobody else writes, which
 * takes milliseconds. Whoever writes meanwhile waits; and where somebody writes for longer, or waits for it on another node,
 * it lets go and tries again, so that nobody waits for long. Without a cluster one server's snapshot is of one moment anyway.
 */
export async function atStillMoment(url: string, name: string, take: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await inLongTransaction(
        url,
        { name, isolation: 'read committed', access: 'read only' },
        async ({ client }) => {
          if (await isCitus(client)) await holdWriters(client);
          await take();
        },
      );
      return;
    } catch (error) {
      if (!isHeldUp(error)) throw error;
      if (attempt === 100)
        throw new BackupProblem('Somebody writes without a pause: no moment was still. Try again later');
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
 * Waits for all who write, and keeps others from it: whoever goes through the coordinator holds the locks of tables there until
 * every node has committed, and whoever goes to a node those of the same tables there, which Citus locks as well.
 */
async function holdWriters(client: pg.ClientBase): Promise<void> {
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
export async function beginOnNodes(client: pg.ClientBase): Promise<void> {
  if (!(await isCitus(client))) return;
  await keepToOneConnection(client);
  const { rows } = await client.query<{ table: string }>(
    "select quote_ident(relname) as table from pg_dist_partition join pg_class on oid = logicalrelid where partmethod = 'h' order by 1 limit 1",
  );
  // All of its shards are asked, which are on all nodes that have any.
  if (rows[0] !== undefined) await client.query(`select from ${rows[0].table} limit 1`);
}
