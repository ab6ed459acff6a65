import { sql } from 'kysely';
import type { Db, Tx } from '../../kit/db/database.ts';

/** A card with the number of wallets that hold it. */
export interface HeldCard {
  readonly workspaceId: string;
  readonly instanceId: string;
  readonly appleWallets: number;
  readonly googleWallets: number;
  readonly webWallets: number;
}

/** A card whose newest state is put on its way. */
export interface PushedCard extends HeldCard {
  /** What it costs; one unless told. */
  readonly credits?: number;
}

/** In the order in which they are listed everywhere. */
export const walletNames = ['apple', 'google', 'web'] as const;

/** The wallets that may hold a card. */
export type WalletName = (typeof walletNames)[number];

/**
 * Notes that the newest state of cards is on its way to their wallets. What was on its way or skipped before becomes
 * part of it.
 */
export async function upsertPushes(
  tx: Tx,
  cards: readonly PushedCard[],
  push: { repaid: boolean; rolledOut: boolean; at: Date },
): Promise<void> {
  const sorted = inOrder(cards);
  const column = <K extends keyof HeldCard>(name: K) => sorted.map((card) => card[name]);
  await sql`
    insert into pushes as p
      (workspace_id, instance_id, credits, repaid, rolled_out, apple, google, web, created_at)
    select c.workspace_id, c.instance_id, c.credits, ${push.repaid}, ${push.rolledOut},
      c.apple > 0, c.google > 0, c.web > 0, ${push.at}
    from unnest(
      ${column('workspaceId')}::uuid[], ${column('instanceId')}::uuid[],
      ${column('appleWallets')}::int[], ${column('googleWallets')}::int[], ${column('webWallets')}::int[],
      ${sorted.map((card) => card.credits ?? 1)}::int[]
    ) as c(workspace_id, instance_id, apple, google, web, credits)
    on conflict (workspace_id, instance_id) do update set
      credits = p.credits + excluded.credits,
      skipped_at = null,
      repaid = excluded.repaid,
      rolled_out = excluded.rolled_out and (p.rolled_out or not (p.apple or p.google or p.web)),
      apple = p.apple or excluded.apple,
      google = p.google or excluded.google,
      web = p.web or excluded.web,
      delivered = false,
      created_at = case when p.apple or p.google or p.web then p.created_at else excluded.created_at end
  `.execute(tx);
}

/** Notes that changes of cards wait for credits. What is on its way already stays so. */
export async function upsertSkips(tx: Tx, cards: readonly HeldCard[], at: Date): Promise<void> {
  const sorted = inOrder(cards);
  const column = <K extends keyof HeldCard>(name: K) => sorted.map((card) => card[name]);
  await sql`
    insert into pushes as p
      (workspace_id, instance_id, credits, skipped_at, rolled_out, apple, google, web, created_at)
    select c.workspace_id, c.instance_id, 0, ${at}, false, false, false, false, ${at}
    from unnest(
      ${column('workspaceId')}::uuid[], ${column('instanceId')}::uuid[]
    ) as c(workspace_id, instance_id)
    on conflict (workspace_id, instance_id) do update set
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
export async function findPush(
  db: Db,
  card: { workspaceId: string; instanceId: string },
): Promise<PushState | undefined> {
  const { rows } = await sql<PushState>`
    select skipped_at, repaid, apple or google or web as under_way
    from pushes where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId}
  `.execute(db);
  return rows[0];
}

/** The caller's re-send has had its answer; the row goes once nothing is on its way. */
export async function forgetRepaid(tx: Tx, card: { workspaceId: string; instanceId: string }): Promise<void> {
  await sql`
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

/** What a wallet's answer means for the cards of one workspace. */
export interface Struck {
  readonly workspaceId: string;
  /** Those whose timeline has to say it; a rollout stands there already. */
  readonly instanceIds: readonly string[];
  /** Credits that were spent, and that come back. */
  readonly settled: number;
  readonly released: number;
}

/**
 * Strikes a wallet off what cards owe. The first that was told spends the card's credits; when the last fails and none
 * was told, they come back. Cards that owe it nothing are passed over, and those that owe it something since `before` or
 * later, if told. One result per workspace, in the order of ids. The cards are found by their ids: `coalesce` keeps the
 * planner from looking for old rows instead.
 */
export async function strikeOff(
  tx: Tx,
  wallet: WalletName,
  delivered: boolean,
  cards: readonly { workspaceId: string; instanceId: string }[],
  before: Date | null = null,
): Promise<Struck[]> {
  const others = walletNames.filter((other) => other !== wallet);
  const hope = sql.join(
    others.map((other) => sql`p.${sql.ref(other)}`),
    sql` or `,
  );
  // Locked before it is judged: another wallet may be struck off at the same time.
  const { rows } = await sql<Struck>`
    with told as (
      select distinct * from unnest(
        ${cards.map((card) => card.workspaceId)}::uuid[], ${cards.map((card) => card.instanceId)}::uuid[]
      ) as t(workspace_id, instance_id)
    ), held as materialized (
      select p.workspace_id, p.instance_id, p.rolled_out, p.credits, p.delivered or ${delivered} as delivered,
        ${hope} as has_hope, p.skipped_at is not null or p.repaid as is_remembered
      from pushes p join told using (workspace_id, instance_id)
      where p.${sql.ref(wallet)} and coalesce(p.created_at < ${before}::timestamptz, true)
      order by p.workspace_id, p.instance_id
      for update of p
    ), gone as (
      delete from pushes p using held h
      where p.workspace_id = h.workspace_id and p.instance_id = h.instance_id
        and not (h.has_hope or h.is_remembered)
    ), kept as (
      update pushes p
      set ${sql.ref(wallet)} = false, delivered = h.delivered,
        credits = case when h.delivered or not h.has_hope then 0 else p.credits end
      from held h
      where p.workspace_id = h.workspace_id and p.instance_id = h.instance_id
        and (h.has_hope or h.is_remembered)
    )
    select workspace_id,
      coalesce(array_agg(instance_id) filter (where not (rolled_out and ${delivered})), '{}') as instance_ids,
      coalesce(sum(credits) filter (where delivered), 0)::int as settled,
      coalesce(sum(credits) filter (where not (delivered or has_hope)), 0)::int as released
    from held group by workspace_id order by workspace_id
  `.execute(tx);
  return rows;
}

/** Cards of a workspace that wait for credits, the oldest first. */
export async function listSkipped(tx: Tx, workspaceId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ instanceId: string }>`
    select instance_id from pushes
    where workspace_id = ${workspaceId} and skipped_at is not null
    order by skipped_at
    limit ${limit}
  `.execute(tx);
  return rows.map((row) => row.instanceId);
}

/** Keeps cards from changing until the transaction ends. */
export async function lockCards(tx: Tx, workspaceId: string, instanceIds: readonly string[]): Promise<void> {
  await sql`
    select from instances
    where workspace_id = ${workspaceId} and instance_id = any(${instanceIds}::uuid[])
    order by instance_id
    for no key update
  `.execute(tx);
}

/** Those of the cards that wait for credits, the oldest first, with the wallets that hold them. */
export async function readSkipped(
  tx: Tx,
  workspaceId: string,
  instanceIds: readonly string[],
): Promise<HeldCard[]> {
  const { rows } = await sql<HeldCard>`
    select i.workspace_id, i.instance_id, i.apple_wallets, i.google_wallets, i.web_wallets
    from pushes p join instances i using (workspace_id, instance_id)
    where p.workspace_id = ${workspaceId} and p.instance_id = any(${instanceIds}::uuid[]) and p.skipped_at is not null
    order by p.skipped_at
  `.execute(tx);
  return rows;
}

/** Forgets that cards wait for credits: no wallet holds them any more. What the next push shows is the newest anyway. */
export async function dropSkips(tx: Tx, workspaceId: string, instanceIds: readonly string[]): Promise<void> {
  await sql`
    delete from pushes
    where workspace_id = ${workspaceId} and instance_id = any(${instanceIds}::uuid[]) and not (apple or google or web)
  `.execute(tx);
}

/** What has waited since before `before` for a wallet that cannot be reached. */
export async function listStale(
  db: Db,
  before: Date,
  limit: number,
): Promise<{ workspaceId: string; instanceId: string; apple: boolean; google: boolean; web: boolean }[]> {
  const { rows } = await sql<{
    workspaceId: string;
    instanceId: string;
    apple: boolean;
    google: boolean;
    web: boolean;
  }>`
    select workspace_id, instance_id, apple, google, web from pushes
    where (apple or google or web) and created_at < ${before}
    order by created_at limit ${limit}
  `.execute(db);
  return rows;
}

/** Cards that owe a wallet their newest state, in the order of their ids. */
export async function listOwing(
  tx: Tx,
  limit: number,
  after: Pick<HeldCard, 'workspaceId' | 'instanceId'>,
): Promise<{ workspaceId: string; instanceId: string; apple: boolean; google: boolean; web: boolean }[]> {
  const columns = ['workspaceId', 'instanceId', 'apple', 'google', 'web'] as const;
  return tx
    .selectFrom('pushes')
    .select(columns)
    .where(sql<boolean>`apple or google or web`)
    .where(sql<boolean>`(workspace_id, instance_id) > (${after.workspaceId}, ${after.instanceId})`)
    .orderBy('workspaceId')
    .orderBy('instanceId')
    .limit(limit)
    .execute();
}

/** How many cards are on their way to each wallet, and how many wait for credits; no figure is counted beyond `most`. */
export async function countPushes(
  db: Db,
  most: number,
): Promise<{ apple: number; google: number; web: number; skipped: number }> {
  const counted = (condition: ReturnType<typeof sql>) => sql`
    (select count(*)::int from (select from pushes where ${condition} limit ${most}) as counted)`;
  const waiting = (wallet: WalletName) => counted(sql`(apple or google or web) and ${sql.ref(wallet)}`);
  const { rows } = await sql<{ apple: number; google: number; web: number; skipped: number }>`
    select ${waiting('apple')} as apple, ${waiting('google')} as google, ${waiting('web')} as web,
      ${counted(sql`skipped_at is not null`)} as skipped
  `.execute(db);
  return rows[0] ?? { apple: 0, google: 0, web: 0, skipped: 0 };
}

/** In the order of the primary key, so that two callers cannot block each other. */
function inOrder<Card extends HeldCard>(cards: readonly Card[]): Card[] {
  return [...cards].sort((a, b) => {
    if (a.workspaceId !== b.workspaceId) return a.workspaceId < b.workspaceId ? -1 : 1;
    return a.instanceId < b.instanceId ? -1 : 1;
  });
}
