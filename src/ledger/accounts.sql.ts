import type { Db } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import type { Account, LotUse, Reward } from './account.ts';

/** A moment of expiry as the driver gives it: infinity is a number. */
type Expiry = Date | number;

/** A lot as it was stored. */
export interface StoredLot {
  readonly accountId: string;
  readonly expiresAt: number;
  readonly remaining: number;
  readonly expired: number;
}

/** The accounts that cards show. */
export async function readAccounts(
  db: Db,
  workspaceId: string,
  instanceIds: readonly string[],
): Promise<Account[]> {
  const { rows } = await prepared<Omit<Account, 'nextExpiryAt'> & { nextExpiryAt: Date | null }>`
    select workspace_id, account_id, program_id, instance_id, seq, balance, lifetime_points, pending_rewards,
      next_expiry_at, last_earned_at, day_ends_at, earned_that_day, shown_at, shown_pass_revision
    from loyalty_accounts
    where instance_id = any(${instanceIds}::uuid[]) and workspace_id = ${workspaceId}
  `.execute(db);
  return rows.map((row) => ({
    ...row,
    nextExpiryAt: row.nextExpiryAt?.getTime() ?? Number.POSITIVE_INFINITY,
  }));
}

/** The lots of accounts, the earliest expiry first; of those in `whole` the empty ones too. */
export async function readLots(
  db: Db,
  workspaceId: string,
  accountIds: readonly string[],
  whole: readonly string[],
): Promise<StoredLot[]> {
  if (accountIds.length === 0) return [];
  const { rows } = await prepared<Omit<StoredLot, 'expiresAt'> & { expiresAt: Expiry }>`
    select account_id, expires_at, remaining, expired
    from loyalty_lots
    where account_id = any(${accountIds}::uuid[]) and workspace_id = ${workspaceId}
      and (remaining > 0 or account_id = any(${whole}::uuid[]))
    order by account_id, expires_at
  `.execute(db);
  return rows.map((row) => ({ ...row, expiresAt: Number(row.expiresAt) }));
}

/** The pending rewards of accounts, the oldest first; and those that one of the entries has redeemed. */
export async function readRewards(
  db: Db,
  workspaceId: string,
  accountIds: readonly string[],
  closedSeqs: readonly number[],
): Promise<(Omit<Reward, 'uses' | 'changed'> & { accountId: string })[]> {
  if (accountIds.length === 0) return [];
  return prepared<Omit<Reward, 'uses' | 'changed'> & { accountId: string }>`
    select r.account_id, e.entry_id as reward_id, r.seq, r.title, r.threshold, r.status, r.closed_seq
    from rewards r
    cross join lateral (
      select entry_id from loyalty_entries
      where account_id = r.account_id and seq = r.seq and workspace_id = ${workspaceId}
      limit 1
    ) as e
    where r.account_id = any(${accountIds}::uuid[]) and r.workspace_id = ${workspaceId}
      and (r.status = 'pending' or (r.status = 'redeemed' and r.closed_seq = any(${closedSeqs}::bigint[])))
    order by r.account_id, r.seq
  `.rows(db);
}

/** A reward that waits to be redeemed. */
export interface PendingReward {
  readonly rewardId: string;
  readonly seq: number;
  readonly title: string;
  readonly unlockedAt: Date;
}

/** The pending rewards of the account that a card shows, the oldest first, after the number `after`. */
export function listPending(
  db: Db,
  { workspaceId, instanceId }: { readonly workspaceId: string; readonly instanceId: string },
  after: number,
  take: number,
): Promise<PendingReward[]> {
  return sql<PendingReward>`
    select e.entry_id as reward_id, r.seq, r.title, e.created_at as unlocked_at
    from (
      select account_id from loyalty_accounts
      where instance_id = ${instanceId} and workspace_id = ${workspaceId}
      limit 1
    ) as a
    cross join lateral (
      select account_id, seq, title from rewards
      where account_id = a.account_id and workspace_id = ${workspaceId} and status = 'pending' and seq > ${after}
      order by seq
      limit ${take}
    ) as r
    cross join lateral (
      select entry_id, created_at from loyalty_entries
      where account_id = r.account_id and seq = r.seq and workspace_id = ${workspaceId}
      limit 1
    ) as e
    order by r.seq
  `.rows(db);
}

/** What entries of an account took from its lots. */
export async function readUses(
  db: Db,
  account: { readonly workspaceId: string; readonly accountId: string },
  seqs: readonly number[],
): Promise<LotUse[]> {
  if (seqs.length === 0) return [];
  const { rows } = await prepared<{ seq: number; expiresAt: Expiry; amount: number }>`
    select seq, expires_at, amount
    from loyalty_lot_uses
    where account_id = ${account.accountId} and seq = any(${seqs}::bigint[])
      and workspace_id = ${account.workspaceId}
  `.execute(db);
  return rows.map((row) => ({ ...row, expiresAt: Number(row.expiresAt) }));
}

/** Which entries of accounts were undone, and what their undoing has moved. */
export async function readReversed(
  db: Db,
  workspaceId: string,
  undone: readonly { readonly accountId: string; readonly seq: number }[],
): Promise<{ accountId: string; seq: number; points: number }[]> {
  if (undone.length === 0) return [];
  return prepared<{ accountId: string; seq: number; points: number }>`
    select u.account_id, u.seq, e.points
    from unnest(
      ${undone.map((entry) => entry.accountId)}::uuid[], ${undone.map((entry) => entry.seq)}::bigint[]
    ) as u(account_id, seq)
    cross join lateral (
      select sum(points)::bigint as points from loyalty_entries
      where account_id = u.account_id and reversal_of = u.seq and workspace_id = ${workspaceId}
    ) as e
    where e.points is not null
  `.rows(db);
}

/** Cards of one pass whose accounts have points that are over. */
export interface DueCards {
  readonly workspaceId: string;
  readonly passId: string;
  readonly instanceIds: readonly string[];
}

/** The cards of the pass whose points have been over for longest; those in `except` are passed over. */
export function findDueCards(
  db: Db,
  at: Date,
  except: readonly string[],
  limit: number,
): Promise<DueCards | undefined> {
  // In the order of one index, and cut where another program begins: points of a program are over at one moment.
  return sql<DueCards>`
    with due as materialized (
      select workspace_id, program_id, instance_id
      from loyalty_accounts
      where next_expiry_at <= ${at} and not instance_id = any(${except}::uuid[])
      order by next_expiry_at, program_id
      limit ${limit}
    ), longest as (
      select workspace_id, program_id from due limit 1
    )
    select p.workspace_id, p.pass_id, array(
      select d.instance_id from due d where d.workspace_id = p.workspace_id and d.program_id = p.program_id
    ) as instance_ids
    from longest join programs p using (workspace_id, program_id)
  `.first(db);
}
