import type { Db } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import type { Ages } from './ages.ts';

/**
 * How old the points are that accounts have at a moment: as if those were left that were credited last, which is how they are spent
 * where none expires before an older one. By program, below each of the bounds and above all.
 */
export async function sumAges(
  db: Db,
  { workspaceId, accountIds }: { readonly workspaceId: string; readonly accountIds: readonly string[] },
  { at, bounds }: { readonly at: Date; readonly bounds: readonly number[] },
): Promise<Ages> {
  const { rows } = await sql<{ programId: string; age: number; points: string }>`
    select program_id, width_bucket(extract(epoch from ${at}::timestamptz - created_at) / 86400, ${[...bounds]}::numeric[])
        as age,
      sum(least(points, balance - later))::text as points
    from (
      select a.program_id, a.balance, e.created_at, e.points,
        sum(e.points) over (partition by a.account_id order by e.seq desc) - e.points as later
      from unnest(${accountIds}::uuid[]) as asked(account_id)
      cross join lateral (
        select account_id, program_id, balance from loyalty_accounts
        where account_id = asked.account_id and workspace_id = ${workspaceId} and balance > 0
        limit 1
      ) as a
      cross join lateral (
        select seq, points, created_at from loyalty_entries
        where account_id = a.account_id and workspace_id = ${workspaceId} and points > 0
          and kind in ('earn', 'adjust', 'correction', 'import')
        offset 0
      ) as e
    ) as credited
    where later < balance
    group by 1, 2
  `.execute(db);
  const byProgram = Map.groupBy(rows, ({ programId }) => programId);
  return Object.fromEntries(
    [...byProgram].map(([programId, some]) => [
      programId,
      [...bounds, null].map((_, age) => some.find((row) => row.age === age)?.points ?? '0'),
    ]),
  );
}
