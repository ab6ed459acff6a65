import type { CardKey } from '../engine/card-key.ts';
import type { DueScan } from '../engine/due.sql.ts';
import { type Due, isDue } from '../engine/due.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';

/** A card with the number of wallets that hold it. */
export interface LockedCard {
  readonly workspaceId: string;
  readonly instanceId: string;
  readonly passId: string;
  readonly appleWallets: number;
  readonly googleWallets: number;
  readonly webWallets: number;
}

/** A card with the request that has changed it. */
export interface CausedCard extends LockedCard {
  readonly requestId: string;
}

/** A card whose newest state is put on its way. */
export interface PushedCard extends CausedCard {
  /** What it costs; one by default. */
  readonly credits?: number;
}

/** A card that waits for credits. */
export interface SkippedCard extends LockedCard {
  /** The request that has changed it; null where that was not kept. */
  readonly requestId: string | null;
}

/** In the order in which they are listed everywhere. */
export const walletNames = ['apple', 'google', 'web'] as const;

/** The wallets that may hold a card. */
export type WalletName = (typeof walletNames)[number];

/**
 * Notes that the newest state of cards of a workspace is on its way to their wallets. What was on its way or skipped
 * before becomes part of it.
 */
export async function upsertPushes(
  tx: Tx,
  workspaceId: string,
  cards: readonly PushedCard[],
  push: { repaid: boolean; rolledOut: boolean; messageId: string | null; at: Date },
): Promise<void> {
  const sorted = inOrder(cards);
  const column = <K extends keyof LockedCard>(name: K) => sorted.map((card) => card[name]);
  await prepared`
    insert into pushes as p (workspace_id, instance_id, pass_id, credits, request_id, repaid, rolled_out, message_ids,
      apple, google, web, created_at)
    select ${workspaceId}, c.instance_id, c.pass_id, c.credits, c.request_id, ${push.repaid}, ${push.rolledOut},
      ${push.messageId === null ? [] : [push.messageId]}::uuid[], c.apple > 0, c.google > 0, c.web > 0, ${push.at}
    from unnest(
      ${column('instanceId')}::uuid[], ${column('passId')}::uuid[],
      ${column('appleWallets')}::int[], ${column('googleWallets')}::int[], ${column('webWallets')}::int[],
      ${sorted.map((card) => card.credits ?? 1)}::int[], ${sorted.map((card) => card.requestId)}::text[]
    ) as c(instance_id, pass_id, apple, google, web, credits, request_id)
    on conflict (workspace_id, instance_id) do update set
      pass_id = excluded.pass_id,
      credits = p.credits + excluded.credits,
      request_id = excluded.request_id,
      skipped_at = null,
      repaid = excluded.repaid,
      rolled_out = excluded.rolled_out and (p.rolled_out or not (p.apple or p.google or p.web)),
      message_ids = p.message_ids || excluded.message_ids,
      apple = p.apple or excluded.apple,
      google = p.google or excluded.google,
      web = p.web or excluded.web,
      delivered = false,
      created_at = case when p.apple or p.google or p.web then p.created_at else excluded.created_at end
  `.execute(tx);
}

/** Notes that changes of cards of a workspace wait for credits. What is on its way already stays so. */
export async function upsertSkips(
  tx: Tx,
  workspaceId: string,
  cards: readonly CausedCard[],
  at: Date,
): Promise<void> {
  const sorted = inOrder(cards);
  await prepared`
    insert into pushes as p
      (workspace_id, instance_id, pass_id, credits, request_id, skipped_at, rolled_out, apple, google, web, created_at)
    select ${workspaceId}, c.instance_id, c.pass_id, 0, c.request_id, ${at}, false, false, false, false, ${at}
    from unnest(
      ${sorted.map((card) => card.instanceId)}::uuid[], ${sorted.map((card) => card.passId)}::uuid[],
      ${sorted.map((card) => card.requestId)}::text[]
    ) as c(instance_id, pass_id, request_id)
    on conflict (workspace_id, instance_id) do update set
      request_id = case when p.apple or p.google or p.web then p.request_id else excluded.request_id end,
      skipped_at = coalesce(p.skipped_at, excluded.skipped_at), repaid = false
  `.execute(tx);
}

/** How a card stands: waiting for credits, paid for by a top-up since, or on its way. */
export interface PushState {
  readonly skippedAt: Date | null;
  readonly repaid: boolean;
  readonly underWay: boolean;
}

/** How a card stands; undefined when it owes nothing and waits for nothing. */
export function findPush(db: Db, card: CardKey): Promise<PushState | undefined> {
  return prepared<PushState>`
    select skipped_at, repaid, apple or google or web as under_way
    from pushes where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId}
  `.first(db);
}

/** The caller's re-send has had its answer; the row goes once nothing is on its way. */
export async function forgetRepaid(tx: Tx, card: CardKey): Promise<void> {
  await prepared`
    with kept as (
      update pushes set repaid = false
      where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId}
        and (apple or google or web or skipped_at is not null)
    )
    delete from pushes
    where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId}
      and not (apple or google or web) and skipped_at is null
  `.execute(tx);
}

/** What a wallet's answer means for a card. */
export interface SettledCard {
  readonly instanceId: string;
  /** null where that was not kept. */
  readonly passId: string | null;
  /** The request whose change the push brings; null where that was not kept. */
  readonly requestId: string | null;
  /** A rollout brings it, which the timeline shows already. */
  readonly rolledOut: boolean;
  /** Notified now for the first time, failed for good without having been notified, or neither. */
  readonly outcome: 'delivered' | 'failed' | null;
  /** Spent where it was delivered, and back where it has failed. */
  readonly credits: number;
  /** The messages that end with it. */
  readonly messageIds: readonly string[];
}

/**
 * Settles what cards of a workspace owe a wallet. The first that was notified spends the card's credits; when the last
 * fails and none was notified, they come back. Cards that owe it nothing are passed over, and those that owe it something
 * since `before` or later, if given. Each card is looked up by its id: `coalesce` keeps the planner from looking for old
 * rows instead.
 */
export function recordWalletOutcome(
  tx: Tx,
  workspaceId: string,
  wallet: WalletName,
  delivered: boolean,
  instanceIds: readonly string[],
  before: Date | null = null,
): Promise<SettledCard[]> {
  const others = walletNames.filter((other) => other !== wallet);
  const hope = sql.join(
    others.map((other) => sql`p.${sql.ref(other)}`),
    sql` or `,
  );
  // Locked before it is judged: another wallet may be settled at the same time.
  return prepared<SettledCard>`
    with held as materialized (
      select p.*
      from unnest(${sql.list([...new Set(instanceIds)].sort(), 'uuid')}) as given(instance_id)
      cross join lateral (
        select p.instance_id, p.pass_id, p.request_id, p.rolled_out, p.credits, p.message_ids,
          p.delivered as was_delivered, p.delivered or ${delivered} as delivered,
          ${hope} as has_hope, p.skipped_at is not null or p.repaid as is_remembered
        from pushes p
        where p.workspace_id = ${workspaceId} and p.instance_id = given.instance_id
          and p.${sql.ref(wallet)} and coalesce(p.created_at < ${before}::timestamptz, true)
        for update of p
      ) as p
    ), gone as (
      delete from pushes p using (select * from held limit ${instanceIds.length}) as h
      where p.workspace_id = ${workspaceId} and p.instance_id = h.instance_id
        and not (h.has_hope or h.is_remembered)
    ), kept as (
      update pushes p
      set ${sql.ref(wallet)} = false, delivered = h.delivered,
        credits = case when h.delivered or not h.has_hope then 0 else p.credits end,
        message_ids = case when h.delivered or not h.has_hope then '{}' else p.message_ids end
      from (select * from held limit ${instanceIds.length}) as h
      where p.workspace_id = ${workspaceId} and p.instance_id = h.instance_id
        and (h.has_hope or h.is_remembered)
    )
    select instance_id, pass_id, request_id, rolled_out, credits, message_ids,
      case
        when delivered and not was_delivered then 'delivered'
        when not (delivered or has_hope) then 'failed'
      end as outcome
    from held
  `.rows(tx);
}

/** Cards of a workspace that wait for credits, the oldest first. Moment by moment: without statistics all would be sorted. */
export async function listSkipped(tx: Tx, workspaceId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ instanceId: string }>`
    with recursive moments as (
      (select skipped_at from pushes p where p.workspace_id = ${workspaceId} and skipped_at is not null order by skipped_at limit 1)
      union all
      select n.* from moments m cross join lateral (
        select p.skipped_at from pushes p
        where p.workspace_id = ${workspaceId} and p.skipped_at > m.skipped_at
        order by p.skipped_at limit 1
      ) as n
    )
    select p.instance_id
    from moments m
    cross join lateral (
      select p.instance_id from pushes p
      where p.workspace_id = ${workspaceId} and p.skipped_at = m.skipped_at
      limit ${limit}
    ) as p
    limit ${limit}
  `.execute(tx);
  return rows.map((row) => row.instanceId);
}

/** Clears the marks of cards that wait for credits and are in no wallet now. The next push shows the newest state anyway. */
export async function dropSkips(tx: Tx, workspaceId: string, instanceIds: readonly string[]): Promise<void> {
  await sql`
    delete from pushes
    where workspace_id = ${workspaceId} and instance_id = any(${instanceIds}::uuid[]) and not (apple or google or web)
  `.execute(tx);
}

/** Pushes that no wallet has taken for so long have failed. */
export const stalePushes = {
  table: 'pushes',
  due: 'createdAt',
  lateMs: 7 * 86_400_000,
  where: sql`(apple or google or web)`,
} satisfies Due;

/** What a card owes: its newest state, to these wallets. */
export interface Owing {
  readonly workspaceId: string;
  readonly instanceId: string;
  readonly apple: boolean;
  readonly google: boolean;
  readonly web: boolean;
}

/** Those that have waited too long for a wallet that cannot be reached, the oldest first. */
export function listStale(db: Db, { now, within, most }: DueScan): Promise<Owing[]> {
  return sql<Owing>`
    select workspace_id, instance_id, apple, google, web from pushes
    where ${within} and ${isDue(stalePushes, now)}
    order by created_at limit ${most}
  `.rows(db);
}

/** Cards that owe a wallet their newest state, in the order of their ids. */
export function listOwing(
  tx: Tx,
  limit: number,
  after: Pick<LockedCard, 'workspaceId' | 'instanceId'>,
): Promise<Owing[]> {
  return sql<Owing>`
    select workspace_id, instance_id, apple, google, web from pushes
    where (apple or google or web) and (instance_id, workspace_id) > (${after.instanceId}, ${after.workspaceId})
    order by instance_id, workspace_id
    limit ${limit}
  `.rows(tx);
}

/** How many cards are on their way to each wallet, and how many wait for credits; no figure is counted beyond `most`. */
export async function countPushes(
  db: Db,
  most: number,
): Promise<{ apple: number; google: number; web: number; skipped: number }> {
  const counted = (condition: ReturnType<typeof sql>) => sql`
    (select count(*)::int from (select true from pushes where ${condition} limit ${most}) as counted)`;
  const waiting = (wallet: WalletName) => counted(sql`(apple or google or web) and ${sql.ref(wallet)}`);
  const { rows } = await sql<{ apple: number; google: number; web: number; skipped: number }>`
    select ${waiting('apple')} as apple, ${waiting('google')} as google, ${waiting('web')} as web,
      ${counted(sql`skipped_at is not null`)} as skipped
  `.execute(db);
  return rows[0] ?? { apple: 0, google: 0, web: 0, skipped: 0 };
}

/** Sorts by id, so that two callers cannot block each other. */
function inOrder<Card extends LockedCard>(cards: readonly Card[]): Card[] {
  return [...cards].sort((a, b) => (a.instanceId < b.instanceId ? -1 : 1));
}
