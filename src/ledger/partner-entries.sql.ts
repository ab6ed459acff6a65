import type { Db } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';

/** What a program's entries of one partner add up to. */
export interface PartnerSums {
  readonly programId: string;
  readonly passId: string;
  readonly title: string;
  /** Earns of more than nothing: a limit may leave nothing of one. */
  readonly awards: number;
  readonly pointsIssued: number;
  readonly redemptions: number;
  readonly pointsRedeemed: number;
  readonly pointsAdjusted: number;
  readonly reversals: number;
  /** Taken away again by undoing earns, or of orders; given back by undoing redemptions, and how many of those. */
  readonly pointsReversed: number;
  readonly pointsReturned: number;
  readonly rewardsReturned: number;
}

/**
 * Adds up the entries of a partner that were made from `from` until before `to`, by program; their ids lie between two.
 * A reversal counts when it was made, whenever that was which it undoes. Sums of cards may go beyond what is exact.
 */
export async function sumByProgram(
  db: Db,
  { workspaceId, partnerId }: { workspaceId: string; partnerId: string },
  { from, to, firstId, lastId }: { from: Date; to: Date; firstId: string; lastId: string },
): Promise<PartnerSums[]> {
  const { rows } = await sql<PartnerSums>`
    select e.program_id, g.pass_id, p.title,
      e.awards, e.points_issued, e.redemptions, e.points_redeemed, e.points_adjusted,
      e.reversals, e.points_reversed, e.points_returned, e.rewards_returned
    from (
      select n.program_id,
        count(*) filter (where n.kind = 'earn' and n.points > 0) as awards,
        coalesce(sum(n.points) filter (where n.kind = 'earn'), 0)::float8 as points_issued,
        count(*) filter (where n.kind = 'redeem') as redemptions,
        coalesce(-sum(n.points) filter (where n.kind = 'redeem'), 0)::float8 as points_redeemed,
        coalesce(sum(n.points) filter (where n.kind = 'adjust'), 0)::float8 as points_adjusted,
        count(*) filter (where n.kind = 'reversal') as reversals,
        coalesce(-sum(n.points) filter (where n.kind = 'reversal' and u.kind <> 'redeem'), 0)::float8 as points_reversed,
        coalesce(sum(n.points) filter (where n.kind = 'reversal' and u.kind = 'redeem'), 0)::float8 as points_returned,
        count(*) filter (where n.kind = 'reversal' and u.kind = 'redeem') as rewards_returned
      from loyalty_entries n
      -- looked up for each reversal: a join would read the whole ledger; an order loses points of no entry in particular
      cross join lateral (
        select case when n.kind = 'reversal' then coalesce((
          select x.kind from loyalty_entries x
          where x.workspace_id = ${workspaceId} and x.account_id = n.account_id and x.seq = n.reversal_of
        ), 'earn') end as kind
      ) as u
      where n.workspace_id = ${workspaceId} and n.partner_id = ${partnerId}
        and n.entry_id >= ${firstId} and n.entry_id < ${lastId}
        and n.created_at >= ${from} and n.created_at < ${to}
        and n.kind in ('earn', 'redeem', 'adjust', 'reversal')
      group by n.program_id
    ) as e
    join programs g on g.workspace_id = ${workspaceId} and g.program_id = e.program_id
    join passes p on p.workspace_id = ${workspaceId} and p.pass_id = g.pass_id
  `.execute(db);
  return rows;
}
