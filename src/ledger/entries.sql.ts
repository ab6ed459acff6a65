import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, type Sql, sql } from '../kit/db/sql.ts';
import type { EntryKind } from './account.ts';

/** An entry of the ledger as it is read. */
export interface EntryRow {
  readonly workspaceId: string;
  readonly programId: string;
  readonly passId: string;
  readonly accountId: string;
  readonly instanceId: string;
  readonly entryId: string;
  readonly seq: number;
  readonly kind: EntryKind;
  readonly points: number;
  readonly balance: number;
  /** Of money: `points` and `balance` are in its smallest unit. */
  readonly currency: string | null;
  /** Infinity: never. */
  readonly expiresAt: Date | number | null;
  readonly externalRef: string | null;
  readonly reason: string | null;
  readonly limitedBy: string | null;
  readonly partnerId: string | null;
  readonly orderId: string | null;
  readonly deviceId: string | null;
  /** The entry that it undoes: its number, and its id. */
  readonly reversalOf: number | null;
  readonly reversedEntryId: string | null;
  readonly actor: string;
  readonly occurredAt: Date;
  readonly createdAt: Date;
}

/** An account and its points that expire, as of one moment. */
export interface Holding {
  readonly balance: number;
  readonly lifetimePoints: number;
  readonly pendingRewards: number;
  readonly expiring: readonly { readonly at: string; readonly points: number }[];
}

/** What is shown of an entry. */
export const view = sql`
  e.workspace_id, e.program_id, p.pass_id, e.account_id, e.instance_id, e.entry_id, e.seq, e.kind, e.points, e.balance,
  p.currency, e.expires_at, e.external_ref, e.reason, e.limited_by, e.partner_id, e.order_id, e.device_id, e.reversal_of,
  r.entry_id as reversed_entry_id, e.actor, e.occurred_at, e.created_at`;

/** What an entry is shown with; `e` is the entry, of that workspace. */
export const describedIn = (workspaceId: string) => sql`
  cross join lateral (
    select * from programs where program_id = e.program_id and workspace_id = ${workspaceId} limit 1
  ) as p
  left join lateral (
    select * from loyalty_entries
    where account_id = e.account_id and seq = e.reversal_of and workspace_id = ${workspaceId}
    limit 1
  ) as r on true`;

export function findEntryOf(db: Db, workspaceId: string, entryId: string): Promise<EntryRow | undefined> {
  return prepared<EntryRow>`
    select ${view} from loyalty_entries e ${describedIn(workspaceId)}
    where e.entry_id = ${entryId} and e.workspace_id = ${workspaceId}
  `.first(db);
}

/** The first charges of money that have paid for an order, two at most. */
export function findCharges(
  db: Db,
  workspaceId: string,
  orderId: string,
): Promise<{ readonly entryId: string }[]> {
  return sql<{ entryId: string }>`
    select entry_id from loyalty_entries
    where order_id = ${orderId} and workspace_id = ${workspaceId} and kind = 'redeem'
    order by entry_id
    limit 2
  `.rows(db);
}

/** The workspace of an entry; undefined where there is no such entry. For a caller that has looked in its own workspace first. */
export async function findOwnerOfEntry(db: Db, entryId: string): Promise<string | undefined> {
  const { rows } = await prepared<{ workspaceId: string }>`
    select workspace_id from loyalty_entries where entry_id = ${entryId}
  `.execute(db);
  return rows[0]?.workspaceId;
}

/** What the account of a card holds, with the points that expire, the earliest first. */
export function readHolding(db: Db, workspaceId: string, instanceId: string): Promise<Holding | undefined> {
  return sql<Holding>`
    select a.balance, a.lifetime_points, a.pending_rewards, array(
      select json_build_object('at', l.expires_at, 'points', l.remaining)
      from loyalty_lots l
      where l.workspace_id = ${workspaceId} and l.account_id = a.account_id
        and l.remaining > 0 and l.expires_at < 'infinity'
      order by l.expires_at
    ) as expiring
    from loyalty_accounts a
    where a.workspace_id = ${workspaceId} and a.instance_id = ${instanceId}
  `.first(db);
}

/** An entry that has lost what its caller said of it. */
export interface ClearedEntry {
  readonly accountId: string;
  readonly seq: number;
  readonly entryId: string;
  readonly kind: string;
  /** What it was called by; null: nothing. */
  readonly externalRef: string | null;
  readonly hadReason: boolean;
}

/**
 * Takes what callers have said of the entries of a card, so many at most and those behind a place: their reasons and their own
 * names of them. Of the entries of the accounts of `others` only those that were made on the card. In their order.
 */
export function clearTexts(
  tx: Tx,
  { workspaceId, instanceId }: { readonly workspaceId: string; readonly instanceId: string },
  others: Sql,
  { after, most }: { readonly after: Pick<ClearedEntry, 'accountId' | 'seq'>; readonly most: number },
): Promise<ClearedEntry[]> {
  return sql<ClearedEntry>`
    with cards as materialized (
      select ${instanceId}::uuid as instance_id
      union
      ${others}
    ), said as materialized (
      select e.*
      from cards c
      cross join lateral (
        select account_id from loyalty_accounts
        where instance_id = c.instance_id and workspace_id = ${workspaceId}
        limit 1
      ) as a
      cross join lateral (
        select account_id, seq, external_ref, reason is not null as had_reason from loyalty_entries
        where account_id = a.account_id and workspace_id = ${workspaceId} and (reason is not null or external_ref is not null)
          and seq > case when a.account_id = ${after.accountId} then ${after.seq}::bigint else 0 end
          and (c.instance_id = ${instanceId} or instance_id = ${instanceId})
        order by seq
        limit ${most}
      ) as e
      where a.account_id >= ${after.accountId}
      order by e.account_id, e.seq
      limit ${most}
    ), cleared as (
      update loyalty_entries e set reason = null, external_ref = null
      from said
      where e.account_id = said.account_id and e.seq = said.seq and e.workspace_id = ${workspaceId}
      returning e.account_id, e.seq, e.entry_id, e.kind, said.external_ref, said.had_reason
    )
    select * from cleared order by account_id, seq
  `.rows(tx);
}

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
 * Adds up the entries of points of a partner that were made from `from` until before `to`, by program; their ids lie between two.
 * A reversal counts when it was made, whenever that was which it undoes. Sums of cards may go beyond what is exact.
 */
export function sumByProgram(
  db: Db,
  { workspaceId, partnerId }: { workspaceId: string; partnerId: string },
  { from, to, firstId, lastId }: { from: Date; to: Date; firstId: string; lastId: string },
): Promise<PartnerSums[]> {
  return sql<PartnerSums>`
    select e.program_id, g.pass_id, p.title,
      e.awards, e.points_issued, e.redemptions, e.points_redeemed, e.points_adjusted,
      e.reversals, e.points_reversed, e.points_returned, e.rewards_returned
    from (
      select n.program_id,
        count(*) filter (where n.kind = 'earn' and n.points > 0) as awards,
        coalesce(sum(n.points) filter (where n.kind = 'earn'), 0)::float8 as points_issued,
        count(*) filter (where n.kind = 'redeem') as redemptions,
        coalesce(-sum(n.points) filter (where n.kind = 'redeem'), 0)::float8 as points_redeemed,
        coalesce(sum(n.points) filter (where n.kind in ('adjust', 'correction')), 0)::float8 as points_adjusted,
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
        and n.kind in ('earn', 'redeem', 'adjust', 'correction', 'reversal')
      group by n.program_id
    ) as e
    join programs g on g.workspace_id = ${workspaceId} and g.program_id = e.program_id and g.currency is null
    join passes p on p.workspace_id = ${workspaceId} and p.pass_id = g.pass_id
  `.rows(db);
}
