import type { CardKey } from '../engine/card-key.ts';
import type { Page } from '../engine/page.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, type Sql, sql } from '../kit/db/sql.ts';
import { newUuidV7 } from '../kit/ids.ts';
import type { EventType } from './event-kinds.ts';

/** The kinds of lines on a timeline: the kinds of the event log, and some that it does not have. */
export type TimelineKind =
  | Extract<EventType, `instance.${string}` | `push.${string}`>
  // Of its pass, for all cards: not rows of its own, but for a message to an audience.
  | Extract<EventType, 'pass.updated' | 'message.sent'>
  | 'instance.link_opened'
  | 'instance.fetched'
  | 'instance.reported'
  | 'instance.issue_repeated'
  | 'instance.unchanged'
  | 'push.repeated';

/** The names of the kinds in rows that former versions have written, or write while they run alongside this one. */
const formerWords: Readonly<Record<string, TimelineKind>> = {
  issued: 'instance.issued',
  installed: 'instance.installed',
  removed: 'instance.removed',
  updated: 'instance.updated',
  voided: 'instance.voided',
  reactivated: 'instance.reactivated',
  erased: 'instance.erased',
  pushed: 'push.delivered',
  'push skipped': 'push.skipped',
  'push failed': 'push.failed',
  'link opened': 'instance.link_opened',
  fetched: 'instance.fetched',
  'device reported': 'instance.reported',
  'issue repeated': 'instance.issue_repeated',
  'push repeated': 'push.repeated',
};

/** The kind of a row of instance_events, whatever version has written it: the only way to read it. */
export const kindOfEvent = sql`case kind ${sql.join(
  Object.entries(formerWords).map(([former, now]) => sql.raw(`when '${former}' then '${now}'`)),
  sql.raw(' '),
)} else kind end`;

/** Something that happened to a card. */
export interface InstanceEventRow {
  readonly eventId: string;
  readonly kind: TimelineKind;
  readonly detail: {
    /** `op` and `key` name the idempotency claim whose answer shows the card, so that erasing can reach it. */
    readonly op?: string;
    readonly key?: string;
    readonly changed?: readonly string[];
    readonly wallet?: 'apple' | 'google' | 'web';
    /** Why a push was skipped or failed: the platform's own word where it gave one. */
    readonly reason?: string | null;
    /** What a device has written to its log. */
    readonly message?: string;
    /** Who did it, as in the event log; absent where no call was the cause, and in the lines of former versions. */
    readonly actor?: string;
  };
  readonly createdAt: Date;
}

/** An event that is to be written, of a caller by their public id; null where no call was the cause. */
type NewEvent = Omit<InstanceEventRow, 'eventId'> & { readonly actor: string | null };

export async function insertEvent(
  tx: Tx,
  card: CardKey,
  { kind, createdAt, ...rest }: NewEvent,
): Promise<void> {
  const { workspaceId, instanceId } = card;
  await tx
    .insertInto('instanceEvents')
    .values({ workspaceId, instanceId, eventId: newUuidV7(), kind, detail: detailOf(rest), createdAt })
    .execute();
}

function detailOf({ detail, actor }: Pick<NewEvent, 'detail' | 'actor'>): string {
  return JSON.stringify(actor === null ? detail : { ...detail, actor });
}

type Noted = Omit<NewEvent, 'kind'> & { readonly instanceId: string };

/** The part of a statement that begins the timelines of new cards; its caller may add a condition. */
export function firstEvents(workspaceId: string, cards: readonly Noted[]): Sql {
  return insertNoted(workspaceId, 'instance.issued', cards);
}

/** Notes on the timelines of cards that their holders were answered with them again. */
export async function insertRepeats(tx: Tx, workspaceId: string, repeats: readonly Noted[]): Promise<void> {
  if (repeats.length === 0) return;
  await prepared`${insertNoted(workspaceId, 'instance.issue_repeated', repeats)}`.execute(tx);
}

function insertNoted(workspaceId: string, kind: TimelineKind, noted: readonly Noted[]): Sql {
  return sql`
    insert into instance_events (workspace_id, instance_id, event_id, kind, detail, created_at)
    select ${workspaceId}, e.instance_id, e.event_id, ${kind}, e.detail, e.created_at
    from unnest(
      ${noted.map(({ instanceId }) => instanceId)}::uuid[], ${noted.map(() => newUuidV7())}::uuid[],
      ${noted.map(detailOf)}::jsonb[],
      ${noted.map(({ createdAt }) => createdAt)}::timestamptz[]
    ) as e(instance_id, event_id, detail, created_at)`;
}

/** The same event on many cards of a workspace. */
export async function insertEvents(
  tx: Tx,
  workspaceId: string,
  instanceIds: readonly string[],
  event: NewEvent,
): Promise<void> {
  await sql`
    insert into instance_events (workspace_id, instance_id, event_id, kind, detail, created_at)
    select ${workspaceId}, e.instance_id, e.event_id, ${event.kind}, ${detailOf(event)}::jsonb,
      ${event.createdAt}
    from unnest(${instanceIds}::uuid[], ${instanceIds.map(() => newUuidV7())}::uuid[]) as e(instance_id, event_id)
  `.execute(tx);
}

/** An event of its own on each of many cards of a workspace. */
export async function insertEach(
  tx: Tx,
  workspaceId: string,
  kind: TimelineKind,
  noted: readonly Noted[],
): Promise<void> {
  if (noted.length > 0) await sql`${insertNoted(workspaceId, kind, noted)}`.execute(tx);
}

/** Newest first. */
export function listEvents(db: Db, card: CardKey, { after, take }: Page): Promise<InstanceEventRow[]> {
  return sql<InstanceEventRow>`
    select event_id, ${kindOfEvent} as kind, detail, created_at
    from instance_events
    where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId}
      ${after === null ? sql`` : sql`and event_id < ${after}`}
    order by event_id desc
    limit ${take}
  `.rows(db);
}

/** The outcome of the last push of a card, `i`: `at` and `result`. Uses an index of such events that knows the kinds of all versions. */
export const lastPushIn = (workspaceId: string) => sql`
  select created_at as at,
    case when kind in ('push.delivered', 'pushed') then 'delivered' when kind in ('push.skipped', 'push skipped') then 'skipped'
      else 'failed' end as result
  from instance_events e
  where instance_id = i.instance_id and workspace_id = ${workspaceId}
    and kind in ('push.delivered', 'push.skipped', 'push.failed', 'pushed', 'push skipped', 'push failed')
  order by e.event_id desc
  limit 1`;

/** The claims whose kept answers show the card. */
export async function listClaimsOf(tx: Tx, card: CardKey): Promise<{ operation: string; key: string }[]> {
  const { rows } = await sql<Pick<InstanceEventRow, 'detail'>>`
    select detail from instance_events
    where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId}
  `.execute(tx);
  return rows.flatMap(({ detail: { op: operation, key } }) =>
    operation === undefined || key === undefined ? [] : [{ operation, key }],
  );
}

/** Removes from a card's timeline the claims by which it was shown. A caller that needs them reads them first. */
export async function forgetClaimsOf(tx: Tx, { workspaceId, instanceId }: CardKey): Promise<void> {
  await sql`
    update instance_events set detail = detail - 'op' - 'key'
    where workspace_id = ${workspaceId} and instance_id = ${instanceId} and detail ? 'key'
  `.execute(tx);
}

/** How many events of that kind have an id of `since` or later; counted no further than `most`. */
export async function countSince(
  tx: Tx,
  card: CardKey,
  kind: TimelineKind,
  since: string,
  most: number,
): Promise<number> {
  const { rows } = await sql`
    select event_id from instance_events
    where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId} and event_id >= ${since}
      and ${kindOfEvent} = ${kind}
    limit ${most}
  `.execute(tx);
  return rows.length;
}
