import type { Tx } from '../kit/db/database.ts';
import { prepared, raceUnless, type Sql, sql } from '../kit/db/sql.ts';
import type { Account, Lot, LotUse, NewEntry, Reward } from './account.ts';
import { type Totals, totalShards } from './totals.sql.ts';

/** An account after its entries, and as it was read before them. */
export interface MovedAccount {
  readonly account: Account;
  readonly read: Account;
}

type Owned<Row> = Row & { readonly accountId: string };

/**
 * Writes entries of one program, their accounts, the lots that only grow, and the program's totals. Each account goes on
 * from where it was read to where its newest entry stands, and each entry from the one before it: anything else is
 * refused. Raises `LostRace` when an account has gained entries since it was read, or a card its account.
 */
export async function insertPostings(
  tx: Tx,
  { workspaceId, programId }: { readonly workspaceId: string; readonly programId: string },
  entries: readonly Owned<NewEntry & { readonly instanceId: string }>[],
  moved: readonly MovedAccount[],
  grown: readonly Owned<Lot>[],
  totals: Totals,
  at: Date,
): Promise<void> {
  assertContinued(entries, moved);
  const [one] = entries;
  const [account] = moved;
  const isOne = entries.length === 1 && moved.length === 1 && grown.length <= 1;
  const written =
    isOne && one !== undefined && account !== undefined
      ? insertOne(workspaceId, programId, one, account, grown[0], at)
      : insertMany(workspaceId, programId, entries, moved, grown, at);
  await prepared`
    with ${written.parts}, totals as (
      insert into program_totals as t
        (workspace_id, program_id, shard, issued, redeemed, expired, reversed, adjusted, outstanding)
      values (${workspaceId}, ${programId}, ${Math.floor(Math.random() * totalShards)}, ${totals.issued},
        ${totals.redeemed}, ${totals.expired}, ${totals.reversed}, ${totals.adjusted},
        ${moved.reduce((sum, { account, read }) => sum + BigInt(account.balance) - BigInt(read.balance), 0n)})
      on conflict (program_id, shard, workspace_id) do update set
        issued = t.issued + excluded.issued,
        redeemed = t.redeemed + excluded.redeemed,
        expired = t.expired + excluded.expired,
        reversed = t.reversed + excluded.reversed,
        adjusted = t.adjusted + excluded.adjusted,
        outstanding = t.outstanding + excluded.outstanding
    )
    select ${raceUnless(sql`${written.count} = ${moved.length}::int`)}
  `.execute(tx);
}

/** Fails where an entry does not follow the one before it, or an account does not end where its newest entry does. */
function assertContinued(entries: readonly Owned<NewEntry>[], moved: readonly MovedAccount[]): void {
  const accounts = new Map(
    moved.map(({ account, read }) => [account.accountId, { account, seq: read.seq, balance: read.balance }]),
  );
  let isContinued = true;
  for (const { accountId, seq, balance, points } of entries) {
    const last = accounts.get(accountId);
    isContinued &&= last !== undefined && seq === last.seq + 1 && balance === last.balance + points;
    if (last !== undefined) Object.assign(last, { seq, balance });
  }
  for (const { account, seq, balance } of accounts.values())
    isContinued &&= account.seq === seq && account.balance === balance;
  if (!isContinued) throw new Error('an entry does not continue its account');
}

/** Parts of a statement, and how many accounts it has written. */
interface Written {
  readonly parts: Sql;
  readonly count: Sql;
}

/** One entry and its account: for the database three quarters of the work of lists with one of each. */
function insertOne(
  workspaceId: string,
  programId: string,
  entry: Posting,
  { account, read }: MovedAccount,
  grown: Owned<Lot> | undefined,
  at: Date,
): Written {
  const { accountId, instanceId } = account;
  const lot =
    grown === undefined
      ? sql``
      : sql`, lots as (
        insert into loyalty_lots as l (workspace_id, account_id, expires_at, original, remaining)
        values (${workspaceId}, ${grown.accountId}, ${expiry(grown.expiresAt)}, ${grown.grown}, ${grown.moved})
        ${addToLot}
      )`;
  const written =
    read.seq === 0
      ? sql`
        insert into loyalty_accounts (workspace_id, program_id, created_at, account_id, instance_id, seq, balance,
          lifetime_points, pending_rewards, next_expiry_at, last_earned_at, day_ends_at, earned_that_day, shown_at,
          shown_pass_revision)
        values (${workspaceId}, ${programId}, ${at}, ${accountId}, ${instanceId}, ${account.seq}, ${account.balance},
          ${account.lifetimePoints}, ${account.pendingRewards}, ${nextExpiry(account)}, ${moment(account.lastEarnedAt)},
          ${moment(account.dayEndsAt)}, ${account.earnedThatDay}, ${moment(account.shownAt)},
          ${account.shownPassRevision})
        on conflict do nothing
        returning 1`
      : sql`
        update loyalty_accounts
        set seq = ${account.seq}, balance = ${account.balance}, lifetime_points = ${account.lifetimePoints},
          pending_rewards = ${account.pendingRewards}, next_expiry_at = ${nextExpiry(account)},
          last_earned_at = ${moment(account.lastEarnedAt)}, day_ends_at = ${moment(account.dayEndsAt)},
          earned_that_day = ${account.earnedThatDay}, shown_at = ${moment(account.shownAt)},
          shown_pass_revision = ${account.shownPassRevision}
        where account_id = ${accountId} and workspace_id = ${workspaceId}
          and seq = ${read.seq} and balance = ${read.balance}
        returning 1`;
  const parts = sql`entries as (
      insert into loyalty_entries (${entryColumns})
      values (${workspaceId}, ${programId}, ${entry.accountId}, ${entry.seq}, ${entry.entryId}, ${entry.instanceId},
        ${entry.kind}, ${entry.points}, ${entry.balance}, ${expiry(entry.expiresAt)}, ${entry.externalRef},
        ${entry.reason}, ${entry.limitedBy}, ${entry.partnerId}, ${entry.orderId}, ${entry.reversalOf}, ${entry.actor},
        ${moment(entry.occurredAt)}, ${moment(entry.at)}, ${entry.deviceId})
    ), written as (${written})${lot}`;
  return { parts, count: sql`(select count(*) from written)::int` };
}

/** The same for lists. */
function insertMany(
  workspaceId: string,
  programId: string,
  entries: readonly Posting[],
  moved: readonly MovedAccount[],
  grown: readonly Owned<Lot>[],
  at: Date,
): Written {
  const account = <K extends keyof Account>(name: K) => moved.map((row) => row.account[name]);
  const entry = <K extends keyof Posting>(name: K) => entries.map((row) => row[name]);
  const parts = sql`entries as (
      insert into loyalty_entries (${entryColumns})
      select ${workspaceId}, ${programId}, e.* from unnest(
        ${entry('accountId')}::uuid[], ${entry('seq')}::bigint[], ${entry('entryId')}::uuid[],
        ${entry('instanceId')}::uuid[], ${entry('kind')}::text[], ${entry('points')}::bigint[],
        ${entry('balance')}::bigint[], ${entry('expiresAt').map(expiry)}::timestamptz[],
        ${entry('externalRef')}::text[], ${entry('reason')}::text[], ${entry('limitedBy')}::text[],
        ${entry('partnerId')}::uuid[], ${entry('orderId')}::text[], ${entry('reversalOf')}::bigint[],
        ${entry('actor')}::text[], ${entry('occurredAt').map(moment)}::timestamptz[],
        ${entry('at').map(moment)}::timestamptz[], ${entry('deviceId')}::uuid[]
      ) as e
    ), moved as materialized (
      select * from unnest(
        ${account('accountId')}::uuid[], ${account('instanceId')}::uuid[],
        ${moved.map((row) => row.read.seq)}::bigint[], ${moved.map((row) => row.read.balance)}::bigint[],
        ${account('seq')}::bigint[], ${account('balance')}::bigint[], ${account('lifetimePoints')}::bigint[],
        ${account('pendingRewards')}::int[], ${moved.map((row) => nextExpiry(row.account))}::timestamptz[],
        ${account('lastEarnedAt').map(moment)}::timestamptz[], ${account('dayEndsAt').map(moment)}::timestamptz[],
        ${account('earnedThatDay')}::bigint[], ${account('shownAt').map(moment)}::timestamptz[],
        ${account('shownPassRevision')}::bigint[]
      ) as m(account_id, instance_id, read_seq, read_balance, seq, balance, lifetime_points, pending_rewards,
        next_expiry_at, last_earned_at, day_ends_at, earned_that_day, shown_at, shown_pass_revision)
    ), opened as (
      insert into loyalty_accounts (workspace_id, program_id, created_at, account_id, instance_id, seq, balance,
        lifetime_points, pending_rewards, next_expiry_at, last_earned_at, day_ends_at, earned_that_day, shown_at,
        shown_pass_revision)
      select ${workspaceId}, ${programId}, ${at}, m.account_id, m.instance_id, m.seq, m.balance, m.lifetime_points,
        m.pending_rewards, m.next_expiry_at, m.last_earned_at, m.day_ends_at, m.earned_that_day, m.shown_at,
        m.shown_pass_revision
      from moved m where m.read_seq = 0
      on conflict do nothing
      returning 1
    ), continued as (
      update loyalty_accounts a
      set seq = m.seq, balance = m.balance, lifetime_points = m.lifetime_points,
        pending_rewards = m.pending_rewards, next_expiry_at = m.next_expiry_at,
        last_earned_at = m.last_earned_at, day_ends_at = m.day_ends_at, earned_that_day = m.earned_that_day,
        shown_at = m.shown_at, shown_pass_revision = m.shown_pass_revision
      -- the limit: whatever is known of the table, the accounts are found by their keys
      from (select * from moved limit ${moved.length}) as m
      where a.account_id = m.account_id and a.workspace_id = ${workspaceId}
        and a.seq = m.read_seq and a.balance = m.read_balance and m.read_seq > 0
      returning 1
    ), lots as (
      insert into loyalty_lots as l (workspace_id, account_id, expires_at, original, remaining)
      select ${workspaceId}, g.*
      from unnest(
        ${grown.map((lot) => lot.accountId)}::uuid[], ${grown.map((lot) => expiry(lot.expiresAt))}::timestamptz[],
        ${grown.map((lot) => lot.grown)}::bigint[], ${grown.map((lot) => lot.moved)}::bigint[]
      ) as g
      ${addToLot}
    )`;
  const count = sql`(select count(*) from opened)::int + (select count(*) from continued)::int`;
  return { parts, count };
}

type Posting = Owned<NewEntry & { readonly instanceId: string }>;

const entryColumns =
  sql.raw(`workspace_id, program_id, account_id, seq, entry_id, instance_id, kind, points, balance,
        expires_at, external_ref, reason, limited_by, partner_id, order_id, reversal_of, actor, occurred_at, created_at,
        device_id`);

const addToLot = sql.raw(`on conflict (account_id, expires_at, workspace_id) do update
      set original = l.original + excluded.original, remaining = l.remaining + excluded.remaining`);

/** When the next points of an account expire, as the database takes it. */
function nextExpiry({ nextExpiryAt }: Account): string | null {
  return nextExpiryAt === Number.POSITIVE_INFINITY ? null : expiry(nextExpiryAt);
}

/** Writes what entries took from lots that were read, and what those lots have gained. */
export async function updateLots(tx: Tx, workspaceId: string, lots: readonly Owned<Lot>[]): Promise<void> {
  if (lots.length === 0) return;
  await prepared`
    update loyalty_lots l
    set original = l.original + m.grown, remaining = l.remaining + m.moved, expired = l.expired + m.lapsed
    from (
      select * from unnest(
        ${lots.map((lot) => lot.accountId)}::uuid[], ${lots.map((lot) => expiry(lot.expiresAt))}::timestamptz[],
        ${lots.map((lot) => lot.grown)}::bigint[], ${lots.map((lot) => lot.moved)}::bigint[],
        ${lots.map((lot) => lot.lapsed)}::bigint[]
      ) as lots(account_id, expires_at, grown, moved, lapsed)
      limit ${lots.length}
    ) as m
    where l.account_id = m.account_id and l.expires_at = m.expires_at and l.workspace_id = ${workspaceId}
  `.execute(tx);
}

export async function insertUses(tx: Tx, workspaceId: string, uses: readonly Owned<LotUse>[]): Promise<void> {
  if (uses.length === 0) return;
  await prepared`
    insert into loyalty_lot_uses (workspace_id, account_id, seq, expires_at, amount)
    select ${workspaceId}, u.*
    from unnest(
      ${uses.map((use) => use.accountId)}::uuid[], ${uses.map((use) => use.seq)}::bigint[],
      ${uses.map((use) => expiry(use.expiresAt))}::timestamptz[], ${uses.map((use) => use.amount)}::bigint[]
    ) as u
  `.execute(tx);
}

/** Writes rewards that were unlocked, and the outcomes of others. */
export async function upsertRewards(
  tx: Tx,
  workspaceId: string,
  rewards: readonly Owned<Reward>[],
): Promise<void> {
  if (rewards.length === 0) return;
  await prepared`
    insert into rewards (workspace_id, account_id, seq, title, threshold, status, closed_seq)
    select ${workspaceId}, r.*
    from unnest(
      ${rewards.map((reward) => reward.accountId)}::uuid[], ${rewards.map((reward) => reward.seq)}::bigint[],
      ${rewards.map((reward) => reward.title)}::text[], ${rewards.map((reward) => reward.threshold)}::bigint[],
      ${rewards.map((reward) => reward.status)}::text[], ${rewards.map((reward) => reward.closedSeq)}::bigint[]
    ) as r
    on conflict (account_id, seq, workspace_id) do update
    set status = excluded.status, closed_seq = excluded.closed_seq
  `.execute(tx);
}

/** Written out here: the driver takes its time over dates in arrays. Those of a run are the same, column by column. */
function moment(date: Date | null): string | null {
  if (date === null) return null;
  if (date.getTime() !== lastMoment.ms) lastMoment = { ms: date.getTime(), text: date.toISOString() };
  return lastMoment.text;
}

let lastMoment = { ms: 0, text: new Date(0).toISOString() };

/** A moment of expiry as the database takes it. */
function expiry(ms: number | null): string | null {
  if (ms === null) return null;
  return ms === Number.POSITIVE_INFINITY ? 'infinity' : new Date(ms).toISOString();
}
