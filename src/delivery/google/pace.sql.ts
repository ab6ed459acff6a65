import type { Tx } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';

/**
 * Takes the next place in the queue of requests to Google, which are `intervalMs` apart over all processes; when its
 * turn comes, in milliseconds from this question on. Undefined, and nothing taken, when that would be later than
 * `mostWaitMs`. The time is that of the database, the only clock that all processes share; where it was set back, the
 * queue begins anew.
 */
export async function takePlace(
  tx: Tx,
  issuerId: string,
  pace: { readonly intervalMs: number; readonly mostWaitMs: number },
): Promise<number | undefined> {
  const interval = `${pace.intervalMs} milliseconds`;
  const { rows } = await sql<{ inMs: number }>`
    insert into google_pace as p (issuer_id, next_at)
    values (${issuerId}, clock_timestamp() + ${interval}::interval)
    on conflict (issuer_id) do update
      set next_at = case
          when p.next_at between clock_timestamp() and clock_timestamp() + interval '1 minute' then p.next_at
          else clock_timestamp()
        end + ${interval}::interval
      where p.next_at <= clock_timestamp() + ${`${pace.mostWaitMs} milliseconds`}::interval
        or p.next_at > clock_timestamp() + interval '1 minute'
    returning extract(epoch from next_at - ${interval}::interval - statement_timestamp())::float8 * 1000 as in_ms
  `.execute(tx);
  return rows[0]?.inMs;
}
