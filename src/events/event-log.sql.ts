import type { CardKey } from '../engine/card-key.ts';
import type { Due, DueScan } from '../engine/due.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, type Sql, sql } from '../kit/db/sql.ts';
import type { EventType } from './event-kinds.ts';

/** The kinds of events that statistics count. */
export const countedTypes: readonly EventType[] = [
  'instance.issued',
  'instance.installed',
  'instance.removed',
  'instance.voided',
  'instance.reactivated',
  'instance.erased',
  'points.awarded',
  'points.adjusted',
  'points.reversed',
  'points.expired',
  'reward.unlocked',
  'reward.redeemed',
];

/** An event as it is written. */
export interface LoggedEvent {
  readonly eventId: string;
  readonly type: EventType;
  readonly passId: string | null;
  readonly instanceId: string | null;
  readonly actor: string;
  readonly requestId: string;
  readonly data: object;
  readonly previous: object;
  readonly createdAt: Date;
}

/** An event that has a number. */
export interface EventRow extends LoggedEvent {
  readonly workspaceId: string;
  readonly seq: number;
}

/** The columns of an event. */
export const columns = sql.raw(
  'workspace_id, seq, event_id, type, pass_id, instance_id, actor, request_id, data, previous, created_at',
);

/** Workspaces whose log has events that webhooks and statistics have yet to follow. */
export const followDue: Due = { table: 'eventCounters', due: 'followAt' };

/** The workspaces whose log is to be followed, those that have waited longest first. */
export function listToFollow(db: Db, { now, within, most }: DueScan): Promise<{ workspaceId: string }[]> {
  return sql<{ workspaceId: string }>`
    select workspace_id from event_counters where ${within} and follow_at <= ${now} order by follow_at limit ${most}
  `.rows(db);
}

/** The last number of a workspace's log, as a row. */
export function findHeads(db: Db, workspaceId: string): Promise<{ workspaceId: string; lastSeq: number }[]> {
  return prepared<{ workspaceId: string; lastSeq: number }>`
    select workspace_id, last_seq from event_counters where workspace_id = ${workspaceId}
  `.rows(db);
}

/** Numbers of a log, both included. */
export interface SeqRange {
  readonly from: number;
  readonly to: number;
}

/** Which numbers of a workspace's log are kept. */
export interface EventCounter {
  readonly firstSeq: number;
  /** 0: there was none yet. */
  readonly lastSeq: number;
}

/** Which events of a workspace are asked for. */
export interface EventFilter {
  readonly workspaceId: string;
  /** One kind, or all that there are. */
  readonly types: readonly EventType[];
  readonly passId?: string | undefined;
  readonly instanceId?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

/** A page of the log: in the order of its numbers, or the newest first; numbers between the bounds, both left out. */
export interface EventPage {
  readonly order: 'asc' | 'desc';
  readonly above: number;
  readonly below: number;
  readonly take: number;
}

/** Events between two numbers. */
export async function listEvents(db: Db, filter: EventFilter, page: EventPage): Promise<EventRow[]> {
  const { workspaceId, types, passId, instanceId, createdAfter, createdBefore } = filter;
  const conditions = [
    sql`workspace_id = ${workspaceId} and seq > ${page.above} and seq < ${page.below}`,
    ...(createdAfter === undefined ? [] : [sql`created_at > ${createdAfter}`]),
    ...(createdBefore === undefined ? [] : [sql`created_at < ${createdBefore}`]),
  ];
  const first = (...more: readonly Sql[]) => sql`
    select ${columns} from event_log
    where ${sql.join([...conditions, ...more], sql` and `)}
    order by seq ${sql.raw(page.order)} limit ${page.take}
  `;
  const ofType = types.length > 1 ? [] : [sql`type = ${types[0]}`];
  const { rows } = await (instanceId !== undefined
    ? first(
        sql`instance_id = ${instanceId}`,
        ...ofType,
        ...(passId === undefined ? [] : [sql`pass_id = ${passId}`]),
      )
    : passId === undefined
      ? first(...ofType)
      : // Their index has the types apart, so that a rare one of a large pass is found as fast.
        sql`
          select ${columns} from unnest(${types}::text[]) as of_type(wanted)
          cross join lateral (${first(sql`pass_id = ${passId}`, sql`type = of_type.wanted`)}) as found
          order by seq ${sql.raw(page.order)} limit ${page.take}
        `
  ).execute(db);
  return rows as EventRow[];
}

/** An event by its id, in whichever workspace; its own first. */
export async function findEvent(db: Db, workspaceId: string, eventId: string): Promise<EventRow | undefined> {
  const { rows } = await sql`
    select ${columns} from event_log where workspace_id = ${workspaceId} and event_id = ${eventId}
  `.execute(db);
  return rows[0] as EventRow | undefined;
}

/** Which numbers are kept; undefined where a workspace has had no event yet. */
export function findCounter(db: Db, workspaceId: string): Promise<EventCounter | undefined> {
  return prepared<EventCounter>`
    select first_seq, last_seq from event_counters where workspace_id = ${workspaceId}
  `.first(db);
}

/** When the event of a number was made; undefined where there is none. */
export async function findMoment(db: Db, workspaceId: string, seq: number): Promise<Date | undefined> {
  const { rows } = await sql<{ createdAt: Date }>`
    select created_at from event_log where workspace_id = ${workspaceId} and seq = ${seq}
  `.execute(db);
  return rows[0]?.createdAt;
}

/** Empties the events of a card; returns nothing of what they held. */
export async function emptyEvents(tx: Tx, { workspaceId, instanceId }: CardKey): Promise<void> {
  await sql`
    update event_log set data = '{}', previous = '{}'
    where workspace_id = ${workspaceId} and instance_id = ${instanceId}
  `.execute(tx);
}

/** Counters of workspaces whose oldest events have been kept for long enough. */
export function listToTrim(db: Db, now: Date, most: number): Promise<{ workspaceId: string }[]> {
  return sql<{ workspaceId: string }>`
    select workspace_id from event_counters where trim_at <= ${now} order by trim_at limit ${most}
  `.rows(db);
}

/** The oldest events of a workspace, with their moments. */
export function listOldest(tx: Tx, workspaceId: string, firstSeq: number, most: number) {
  return sql<{ seq: number; createdAt: Date }>`
    select seq, created_at from event_log
    where workspace_id = ${workspaceId} and seq >= ${firstSeq} order by seq limit ${most}
  `.rows(tx);
}

/**
 * Deletes the events of a workspace between two numbers, the first one included. Keeps where they begin from then on, and when
 * the next ones are old enough: `trimAt`, or `now` where there were none and others have come since `lastSeq`.
 */
export async function deleteEvents(
  tx: Tx,
  workspaceId: string,
  { from, before, trimAt, lastSeq, now }: Trimmed,
): Promise<void> {
  await sql`
    delete from event_log where workspace_id = ${workspaceId} and seq >= ${from} and seq < ${before}
  `.execute(tx);
  // By itself, and last: each transaction of the workspace waits for the counter.
  await sql`
    update event_counters
    set first_seq = ${before},
      trim_at = coalesce(${trimAt}::timestamptz, case when last_seq > ${lastSeq} then ${now}::timestamptz end)
    where workspace_id = ${workspaceId}
  `.execute(tx);
}

interface Trimmed {
  readonly from: number;
  readonly before: number;
  readonly trimAt: Date | null;
  readonly lastSeq: number;
  readonly now: Date;
}

/** The workspace of an event. */
export async function findOwnerOfEvent(db: Db, eventId: string): Promise<string | undefined> {
  const { rows } = await sql<{ workspaceId: string }>`
    select workspace_id from event_log where event_id = ${eventId} limit 1
  `.execute(db);
  return rows[0]?.workspaceId;
}
