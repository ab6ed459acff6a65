import type { Tx } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';
import { newUuidV7 } from '../../kit/ids.ts';

/** Returns how many there are. */
export async function insertLogs(tx: Tx, messages: readonly string[], at: Date): Promise<number> {
  const rows = messages.map((message) => ({ logId: newUuidV7(), message, createdAt: at }));
  await tx.insertInto('appleLogs').values(rows).execute();
  return rows.length;
}

/**
 * Deletes up to `limit` lines that are older than the id `since`, or not among the newest `most`. Returns how many.
 */
export async function deleteLogs(
  tx: Tx,
  keep: { readonly since: string; readonly most: number; readonly limit: number },
): Promise<number> {
  const { rows } = await sql`
    -- an array, not a join: whatever is known of the table, the lines are found by their key
    delete from apple_logs where log_id = any(array(
      select log_id from apple_logs
      where log_id < greatest(
        ${keep.since}::uuid, (select log_id from apple_logs order by log_id desc offset ${keep.most - 1} limit 1)
      )
      order by log_id limit ${keep.limit}
    ))
    returning 1
  `.execute(tx);
  return rows.length;
}
