import type { CardKey } from '../engine/card-key.ts';
import { type InstanceEventRow, kindOfEvent } from '../events/timeline.sql.ts';
import type { Db } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import type { PassStatus, PassType } from '../passes/pass-row.ts';

/** What a card owes its wallets. */
export interface DiagnosedPush {
  /** Since when it waits for credits. */
  readonly skippedAt: Date | null;
  /** The wallets that have not been notified yet. */
  readonly apple: boolean;
  readonly google: boolean;
  readonly web: boolean;
}

/** A change of a whole pass, or a message, that is not finished. */
export interface DiagnosedRollout {
  readonly rolloutId: string;
  /** Whether it is one of the card's own pass, and has not reached the card yet. */
  readonly isAhead: boolean;
  readonly kind: 'design' | 'message';
  readonly cards: number;
  readonly reached: number;
  readonly createdAt: Date;
}

interface CardOfPass {
  readonly workspaceId: string;
  readonly instanceId: string;
  readonly passId: string;
}

/** What a card owes its wallets; undefined when it owes nothing. */
export function findDiagnosedPush(db: Db, card: CardOfPass): Promise<DiagnosedPush | undefined> {
  return sql<DiagnosedPush>`
    select skipped_at, apple, google, web from pushes
    where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId}
  `.first(db);
}

/** Those of the card's pass, and those of these ids, which are of its workspace; the oldest first. */
export function listDiagnosedRollouts(
  db: Db,
  card: CardOfPass,
  rolloutIds: readonly string[],
): Promise<DiagnosedRollout[]> {
  return sql<DiagnosedRollout>`
    select rollout_id, kind, cards, done + skipped as reached, created_at,
      pass_id = ${card.passId} and stage = 'cards'
        and (cursor is null or cursor < ${card.instanceId}) as is_ahead
    from rollouts
    where workspace_id = ${card.workspaceId} and stage <> 'finished'
      and (pass_id = ${card.passId} or rollout_id = any(${rolloutIds}::uuid[]))
    order by created_at, rollout_id
  `.rows(db);
}

/** A card with what decides whether its wallets show its newest state. */
export interface DiagnosedCard {
  readonly workspaceId: string;
  readonly instanceId: string;
  readonly passId: string;
  readonly status: 'active' | 'voided';
  readonly addressable: boolean;
  readonly erasedAt: Date | null;
  readonly appleWallets: number;
  readonly googleWallets: number;
  readonly webWallets: number;
  readonly modifiedAt: Date;
  /** The Last-Modified of the pass file that was handed out last; null before the first. */
  readonly servedModifiedAt: Date | null;
  /** What that file was of, as `changedAt` has it. */
  readonly servedChangeAt: Date | null;
  /** The revision of the pass at modifiedAt, and the one it has now. */
  readonly seenPassRevision: number;
  readonly passRevision: number;
  readonly passModifiedAt: Date;
  readonly passStatus: PassStatus;
  readonly passType: PassType;
  /** The pass type of the workspace's own that signs new passes; null: that of the installation does. */
  readonly ownPassType: string | null;
  /** The issuer of its own that new cards at Google are of; null: that of the installation. */
  readonly ownIssuerId: string | null;
}

export type DiagnosedEvent = Omit<InstanceEventRow, 'eventId'>;

/** A card by its id: of a workspace, or whatever workspace owns it. */
export function findDiagnosed(
  db: Db,
  { instanceId, workspaceId }: { readonly instanceId: string; readonly workspaceId: string | null },
): Promise<DiagnosedCard | undefined> {
  const ofWorkspace = workspaceId === null ? sql`` : sql`and i.workspace_id = ${workspaceId}`;
  return sql<DiagnosedCard>`
    select i.workspace_id, i.instance_id, i.pass_id, i.status, i.addressable, i.erased_at, i.apple_wallets,
      i.google_wallets, i.web_wallets, greatest(i.modified_at, a.shown_at) as modified_at, i.served_modified_at, i.served_change_at,
      greatest(i.pass_revision, a.shown_pass_revision) as seen_pass_revision,
      p.revision as pass_revision, p.modified_at as pass_modified_at, p.status as pass_status, p.type as pass_type,
      w.apple_pass_type_identifier as own_pass_type, w.google_issuer_id as own_issuer_id
    from instances i
    join passes p on p.pass_id = i.pass_id and p.workspace_id = i.workspace_id
    join workspaces w on w.workspace_id = i.workspace_id
    left join loyalty_accounts a on a.instance_id = i.instance_id and a.workspace_id = i.workspace_id
    where i.instance_id = ${instanceId} ${ofWorkspace}
  `.first(db);
}

/** The newest event of each kind and wallet, and the newest `reports` of what devices reported; newest first. */
export function listNewestEvents(db: Db, card: CardKey, reports: number): Promise<DiagnosedEvent[]> {
  return sql<DiagnosedEvent>`
    select kind, detail, created_at
    from (
      select event_id, kind, detail, created_at,
        row_number() over (partition by kind, detail ->> 'wallet' order by event_id desc) as place
      from (
        select event_id, ${kindOfEvent} as kind, detail, created_at from instance_events
        where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId}
      ) as named
    ) as events
    where place <= case kind when 'instance.reported' then ${reports}::int else 1 end
    order by event_id desc
  `.rows(db);
}

/** A device that holds a card, without anything that identifies it. */
export interface DiagnosedDevice {
  readonly passTypeIdentifier: string;
  /** The moments at which it added the card, and last sent its push token. */
  readonly addedAt: Date;
  readonly registeredAt: Date;
  /** When to push next; null when the device was notified of everything. */
  readonly dueAt: Date | null;
  /** Whether it is its pace that says when. */
  readonly isPaced: boolean;
  /** The rollout that it waits for. */
  readonly rolloutId: string | null;
  readonly attempts: number;
  /** Whether another wallet than Apple's has the card, which is never pushed to. */
  readonly onlyAsks: boolean;
  /** When Apple took a push last. */
  readonly pushedAt: Date | null;
}

/** The devices that hold a card, those that added it last first. */
export function listDiagnosedDevices(db: Db, card: CardKey, limit: number): Promise<DiagnosedDevice[]> {
  return sql<DiagnosedDevice>`
    select d.pass_type_identifier, r.created_at as added_at, d.registered_at, d.due_at,
      coalesce(d.due_at <= d.push_from, false) as is_paced,
      d.rollout_id, d.attempts, d.pushed_at, starts_with(d.push_token, ':') as only_asks
    from apple_registrations r join apple_devices d using (workspace_id, device_id)
    where r.workspace_id = ${card.workspaceId} and r.instance_id = ${card.instanceId}
    order by r.created_at desc, r.device_id
    limit ${limit}
  `.rows(db);
}

/** What Google Wallet knows of a card. */
export interface DiagnosedObject {
  /** SHA-256 of what Google was sent last; null while the object is to be made. */
  readonly content: Buffer | null;
  /** Whether a holder keeps it. */
  readonly saved: boolean;
  /** The issuer that it is of where that is the workspace's own; null: that of the installation. */
  readonly ownIssuerId: string | null;
  /** The notifying updates of the last 24 hours: its own, and those of all cards of its pass. */
  readonly notifiedAt: readonly Date[];
  /** When to send it to Google next; null when Google has everything. */
  readonly dueAt: Date | null;
  readonly attempts: number;
}

export function findDiagnosedObject(db: Db, card: CardKey): Promise<DiagnosedObject | undefined> {
  return sql<DiagnosedObject>`
    select o.content, o.saved, o.issuer_id as own_issuer_id,
      o.notified_at || coalesce(c.notified_at, oc.notified_at, '{}') as notified_at, o.due_at, o.attempts
    from google_objects o
    join instances i using (workspace_id, instance_id)
    left join google_classes c
      on c.workspace_id = i.workspace_id and c.pass_id = i.pass_id and o.issuer_id is null
    left join google_own_classes oc
      on oc.workspace_id = i.workspace_id and oc.pass_id = i.pass_id and oc.issuer_id = o.issuer_id
    where o.workspace_id = ${card.workspaceId} and o.instance_id = ${card.instanceId}
  `.first(db);
}

/** A browser that has a card open or installed. */
export interface DiagnosedWebCard {
  readonly isInstalled: boolean;
  /** Whether it takes pushes. */
  readonly takesPushes: boolean;
  /** When to push next; null when it was notified of everything. */
  readonly dueAt: Date | null;
  readonly attempts: number;
}

/** Those that count as a wallet after `now`, those that last longest first; who lasts longer than `openUntil` has it installed. */
export function listDiagnosedWebCards(
  db: Db,
  card: CardKey,
  { now, openUntil, limit }: { now: Date; openUntil: Date; limit: number },
): Promise<DiagnosedWebCard[]> {
  return sql<DiagnosedWebCard>`
    select expires_at > ${openUntil} as is_installed, push_endpoint is not null as takes_pushes, due_at, attempts
    from web_cards
    where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId} and expires_at > ${now}
    order by expires_at desc, viewer_id
    limit ${limit}
  `.rows(db);
}
