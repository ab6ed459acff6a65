import type { CardKey } from '../engine/card-key.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import { firstId } from '../kit/ids.ts';
import type { LockedCard, SkippedCard } from '../pushes/pushes.sql.ts';
import type { RolloutRow } from '../pushes/rollouts.sql.ts';
import type { InstanceRow } from './instance-row.ts';
import type { Served } from './last-modified.ts';

/** How many wallets of each kind took a card (positive) or gave it up (negative). */
export interface WalletChange {
  readonly apple?: number;
  readonly google?: number;
  readonly web?: number;
}

export interface WalletCounts {
  readonly passId: string;
  readonly apple: number;
  readonly google: number;
  readonly web: number;
  readonly installed: boolean;
  /** Whether any wallet held it before. */
  readonly wasInstalled: boolean;
}

/**
 * Moves the wallet counts of a card that the caller holds. A wallet that took it has used a link of ours, so that we reach it;
 * `isAdded`: one has added it, and not only opened it.
 */
export function moveWalletCounts(
  tx: Tx,
  card: CardKey,
  { apple = 0, google = 0, web = 0 }: WalletChange,
  isAdded: boolean,
  at: Date,
): Promise<WalletCounts | undefined> {
  return prepared<WalletCounts>`
    update instances i
    set apple_wallets = i.apple_wallets + ${apple}::int, google_wallets = i.google_wallets + ${google}::int,
      web_wallets = i.web_wallets + ${web}::int,
      installed = i.apple_wallets + i.google_wallets + i.web_wallets + ${apple + google + web}::int > 0,
      addressable = i.addressable or ${apple + google + web}::int > 0,
      installed_at = coalesce(i.installed_at, case when ${isAdded} then ${at}::timestamptz end)
    from instances before
    where i.workspace_id = ${card.workspaceId} and i.instance_id = ${card.instanceId}
      and before.workspace_id = i.workspace_id and before.instance_id = i.instance_id
    returning i.pass_id, i.apple_wallets as apple, i.google_wallets as google, i.web_wallets as web, i.installed,
      before.installed as was_installed
  `.first(tx);
}

/**
 * Makes cards as new as they were while they showed an account that they have lost at `at`: without it they would seem older.
 */
export async function ageCards(
  tx: Tx,
  workspaceId: string,
  moved: readonly {
    readonly instanceId: string;
    readonly seq: number;
    readonly shownAt: Date | null;
    readonly shownPassRevision: number;
    readonly at: Date;
  }[],
): Promise<void> {
  if (moved.length === 0) return;
  await sql`
    update instances i
    set revision = i.revision + former.seq + 1, modified_at = greatest(i.modified_at, former.shown_at),
      pass_revision = greatest(i.pass_revision, former.shown_pass_revision),
      updated_at = greatest(i.updated_at, former.at)
    from (
      select * from unnest(
        ${moved.map((one) => one.instanceId)}::uuid[], ${moved.map((one) => one.seq)}::bigint[],
        ${moved.map((one) => one.shownAt)}::timestamptz[], ${moved.map((one) => one.shownPassRevision)}::bigint[],
        ${moved.map((one) => one.at)}::timestamptz[]
      ) as f(instance_id, seq, shown_at, shown_pass_revision, at)
      limit ${moved.length}
    ) as former
    where i.instance_id = former.instance_id and i.workspace_id = ${workspaceId}
  `.execute(tx);
}

type Sent = Pick<Served, 'servedModifiedAt' | 'servedChangeAt'>;

/**
 * Keeps what a wallet is about to be given: a Last-Modified, and the state that has it, or null where the state has a later
 * one. False, and nothing is kept, where another transaction has kept something since the card was read.
 */
export async function keepServed(
  tx: Tx,
  card: CardKey & Sent,
  sent: Date,
  changeAt: Date | null,
): Promise<boolean> {
  const { rowCount } = await sql`
    update instances
    set served_modified_at = ${sent}, served_change_at = coalesce(${changeAt}, served_change_at)
    where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId}
      and served_modified_at is not distinct from ${card.servedModifiedAt}
      and served_change_at is not distinct from ${card.servedChangeAt}
  `.execute(tx);
  return rowCount === 1;
}

/** What wallets were given of a card. */
export function readServed(db: Db, { workspaceId, instanceId }: CardKey): Promise<Sent | undefined> {
  return sql<Sent>`
    select served_modified_at, served_change_at from instances
    where workspace_id = ${workspaceId} and instance_id = ${instanceId}
  `.first(db);
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
export function readSkipped(
  tx: Tx,
  workspaceId: string,
  instanceIds: readonly string[],
): Promise<SkippedCard[]> {
  return sql<SkippedCard>`
    select i.workspace_id, i.instance_id, i.pass_id, i.apple_wallets, i.google_wallets, i.web_wallets, p.request_id
    from unnest(${instanceIds}::uuid[]) as asked(instance_id)
    cross join lateral (
      select skipped_at, request_id from pushes where instance_id = asked.instance_id and workspace_id = ${workspaceId} limit 1
    ) as p
    cross join lateral (
      select * from instances where instance_id = asked.instance_id and workspace_id = ${workspaceId} limit 1
    ) as i
    where p.skipped_at is not null
    order by p.skipped_at
  `.rows(tx);
}

interface InstalledCard extends LockedCard {
  readonly status: InstanceRow['status'];
}

/** The next installed cards of a rollout, kept from changing until the transaction ends. */
export function lockNextCards(tx: Tx, rollout: RolloutRow, limit: number): Promise<InstalledCard[]> {
  return sql<InstalledCard>`
    select workspace_id, instance_id, pass_id, apple_wallets, google_wallets, web_wallets, status
    from instances
    where workspace_id = ${rollout.workspaceId} and pass_id = ${rollout.passId} and installed
      and instance_id > ${rollout.cursor ?? firstId}::uuid
    order by instance_id
    limit ${limit}
    for no key update
  `.rows(tx);
}
