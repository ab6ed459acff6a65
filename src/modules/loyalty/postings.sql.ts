import { sql } from 'kysely';
import { LostRace, type Tx } from '../../kit/db/database.ts';
import type { Account, Lot, LotUse, NewEntry, Reward } from './account.ts';

/** An account after its entries, and as it was read before them. */
export interface MovedAccount {
  readonly account: Account;
  readonly read: Account;
}

type Owned<Row> = Row & { readonly accountId: string };

/** What entries add to the totals of their program. */
export interface Totals {
  readonly issued: bigint;
  readonly redeemed: bigint;
  readonly expired: bigint;
  readonly reversed: bigint;
  readonly adjusted: bigint;
}

/** Accounts without an entry yet. */
export async function insertAccounts(tx: Tx, accounts: readonly Account[], at: Date): Promise<void> {
  if (accounts.length === 0) return;
  await sql`
    insert into loyalty_accounts (workspace_id, account_id, program_id, instance_id, created_at)
    select a.*, ${at}
    from unnest(
      ${accounts.map((account) => account.workspaceId)}::uuid[],
      ${accounts.map((account) => account.accountId)}::uuid[],
      ${accounts.map((account) => account.programId)}::uuid[],
      ${accounts.map((account) => account.instanceId)}::uuid[]
    ) as a(workspace_id, account_id, program_id, instance_id)
  `.execute(tx);
}

/**
 * Writes entries of one program, their accounts, the lots that only grow, and the program's totals. Raises `LostRace`
 * when an account has gained entries since it was read.
 */
export async function insertPostings(
  tx: Tx,
  { workspaceId, programId }: { readonly workspaceId: string; readonly programId: string },
  entries: readonly Owned<NewEntry & { readonly instanceId: string }>[],
  moved: readonly MovedAccount[],
  grown: readonly Owned<Lot>[],
  totals: Totals,
): Promise<void> {
  const entry = <K extends keyof (typeof entries)[number]>(name: K) => entries.map((row) => row[name]);
  const account = <K extends keyof Account>(name: K) => moved.map((row) => row.account[name]);
  const { rows } = await sql<{ moved: number }>`
    with entries as (
      insert into loyalty_entries (workspace_id, program_id, account_id, seq, entry_id, instance_id, kind, points,
        balance, expires_at, external_ref, reason, limited_by, partner_id, order_id, reversal_of, actor, occurred_at, created_at)
      select ${workspaceId}, ${programId}, e.*
      from unnest(
        ${entry('accountId')}::uuid[], ${entry('seq')}::bigint[], ${entry('entryId')}::uuid[],
        ${entry('instanceId')}::uuid[], ${entry('kind')}::text[], ${entry('points')}::bigint[],
        ${entry('balance')}::bigint[], ${entry('expiresAt').map(expiry)}::timestamptz[],
        ${entry('externalRef')}::text[], ${entry('reason')}::text[], ${entry('limitedBy')}::text[],
        ${entry('partnerId')}::uuid[], ${entry('orderId')}::text[], ${entry('reversalOf')}::bigint[], ${entry('actor')}::text[],
        ${entry('occurredAt').map(moment)}::timestamptz[], ${entry('at').map(moment)}::timestamptz[]
      ) as e
    ), accounts as (
      update loyalty_accounts a
      set seq = m.seq, balance = m.balance, lifetime_points = m.lifetime_points,
        pending_rewards = m.pending_rewards, next_expiry_at = m.next_expiry_at,
        last_earned_at = m.last_earned_at, day_ends_at = m.day_ends_at, earned_that_day = m.earned_that_day
      from unnest(
        ${account('accountId')}::uuid[], ${moved.map((row) => row.read.seq)}::bigint[],
        ${account('seq')}::bigint[], ${account('balance')}::bigint[], ${account('lifetimePoints')}::bigint[],
        ${account('pendingRewards')}::int[],
        ${account('nextExpiryAt').map((at) => (at === Number.POSITIVE_INFINITY ? null : expiry(at)))}::timestamptz[],
        ${account('lastEarnedAt').map(moment)}::timestamptz[], ${account('dayEndsAt').map(moment)}::timestamptz[],
        ${account('earnedThatDay')}::bigint[]
      ) as m(account_id, read_seq, seq, balance, lifetime_points, pending_rewards, next_expiry_at, last_earned_at,
        day_ends_at, earned_that_day)
      where a.workspace_id = ${workspaceId} and a.account_id = m.account_id and a.seq = m.read_seq
      returning 1
    ), lots as (
      insert into loyalty_lots as l (workspace_id, account_id, expires_at, original, remaining)
      select ${workspaceId}, g.*
      from unnest(
        ${grown.map((lot) => lot.accountId)}::uuid[], ${grown.map((lot) => expiry(lot.expiresAt))}::timestamptz[],
        ${grown.map((lot) => lot.grown)}::bigint[], ${grown.map((lot) => lot.moved)}::bigint[]
      ) as g
      on conflict (workspace_id, account_id, expires_at) do update
      set original = l.original + excluded.original, remaining = l.remaining + excluded.remaining
    ), totals as (
      insert into program_totals as t
        (workspace_id, program_id, shard, issued, redeemed, expired, reversed, adjusted, outstanding)
      values (${workspaceId}, ${programId}, ${Math.floor(Math.random() * totalShards)}, ${totals.issued},
        ${totals.redeemed}, ${totals.expired}, ${totals.reversed}, ${totals.adjusted}, 
        ${moved.reduce((sum, { account, read }) => sum + BigInt(account.balance) - BigInt(read.balance), 0n)})
      on conflict (workspace_id, program_id, shard) do update set
        issued = t.issued + excluded.issued,
        redeemed = t.redeemed + excluded.redeemed,
        expired = t.expired + excluded.expired,
        reversed = t.reversed + excluded.reversed,
        adjusted = t.adjusted + excluded.adjusted,
        outstanding = t.outstanding + excluded.outstanding
    )
    select count(*)::int as moved from accounts
  `.execute(tx);
  if (rows[0]?.moved !== moved.length) throw new LostRace();
}

/** Writes what entries took from lots that were read, and what those lots have gained. */
export async function updateLots(tx: Tx, workspaceId: string, lots: readonly Owned<Lot>[]): Promise<void> {
  if (lots.length === 0) return;
  await sql`
    update loyalty_lots l
    set original = l.original + m.grown, remaining = l.remaining + m.moved, expired = l.expired + m.lapsed
    from unnest(
      ${lots.map((lot) => lot.accountId)}::uuid[], ${lots.map((lot) => expiry(lot.expiresAt))}::timestamptz[],
      ${lots.map((lot) => lot.grown)}::bigint[], ${lots.map((lot) => lot.moved)}::bigint[],
      ${lots.map((lot) => lot.lapsed)}::bigint[]
    ) as m(account_id, expires_at, grown, moved, lapsed)
    where l.workspace_id = ${workspaceId} and l.account_id = m.account_id and l.expires_at = m.expires_at
  `.execute(tx);
}

export async function insertUses(tx: Tx, workspaceId: string, uses: readonly Owned<LotUse>[]): Promise<void> {
  if (uses.length === 0) return;
  await sql`
    insert into loyalty_lot_uses (workspace_id, account_id, seq, expires_at, amount)
    select ${workspaceId}, u.*
    from unnest(
      ${uses.map((use) => use.accountId)}::uuid[], ${uses.map((use) => use.seq)}::bigint[],
      ${uses.map((use) => expiry(use.expiresAt))}::timestamptz[], ${uses.map((use) => use.amount)}::bigint[]
    ) as u
  `.execute(tx);
}

/** Writes rewards that were unlocked, and what became of others. */
export async function upsertRewards(
  tx: Tx,
  workspaceId: string,
  rewards: readonly Owned<Reward>[],
): Promise<void> {
  if (rewards.length === 0) return;
  await sql`
    insert into rewards (workspace_id, account_id, seq, title, threshold, status, closed_seq)
    select ${workspaceId}, r.*
    from unnest(
      ${rewards.map((reward) => reward.accountId)}::uuid[], ${rewards.map((reward) => reward.seq)}::bigint[],
      ${rewards.map((reward) => reward.title)}::text[], ${rewards.map((reward) => reward.threshold)}::bigint[],
      ${rewards.map((reward) => reward.status)}::text[], ${rewards.map((reward) => reward.closedSeq)}::bigint[]
    ) as r
    on conflict (workspace_id, account_id, seq) do update
    set status = excluded.status, closed_seq = excluded.closed_seq
  `.execute(tx);
}

const totalShards = 16;

/** Written out here: the driver takes its time over dates in arrays. */
function moment(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}

/** A moment of expiry as the database takes it. */
function expiry(ms: number | null): string | null {
  if (ms === null) return null;
  return ms === Number.POSITIVE_INFINITY ? 'infinity' : new Date(ms).toISOString();
}
