import type { Due } from '../engine/due.sql.ts';
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

const columns = sql.raw(
  'workspace_id, seq, event_id, type, pass_id, instance_id, actor, request_id, data, previous, created_at',
);
const logColumns = sql`${columns}, counts`;

/** Workspaces whose log has events that webhooks and statistics have yet to follow. */
export const followDue: Due = { table: 'eventCounters', due: 'followAt' };

/** Events are kept for so long. */
export const keptMs = 30 * 86_400_000;
/** Statistics are that far behind, so that many events are counted at once. Webhooks are not. */
export const countRestMs = 1_000;

/**
 * Appends the events of a transaction to the log of a workspace: numbers without a gap, in the order of the commits, since the
 * counter stays locked until COMMIT, which follows at once. So a reader who goes on from the last number misses nothing.
 */
export async function appendEvents(
  tx: Tx,
  workspaceId: string,
  events: readonly LoggedEvent[],
  counts: object,
): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const column = <K extends keyof LoggedEvent>(name: K) => events.map((event) => event[name]);
  const lines = (objects: readonly object[]) => objects.map((object) => JSON.stringify(object)).join('\n');
  const at = first.createdAt.getTime();
  const counter = sql`
    counter as (
      insert into event_counters as c (workspace_id, last_seq, trim_at, follow_at)
      values (${workspaceId}, ${events.length}, ${new Date(at + keptMs)}, ${new Date(at + countRestMs)})
      on conflict (workspace_id) do update
      set last_seq = c.last_seq + excluded.last_seq, trim_at = coalesce(c.trim_at, excluded.trim_at),
        follow_at = least(c.follow_at, case when c.has_webhooks then ${first.createdAt} else excluded.follow_at end)
      returning last_seq
    )
  `;
  const numbered =
    events.length === 1
      ? prepared`
    with ${counter}
    insert into event_log (${logColumns})
    select ${workspaceId}, last_seq, ${first.eventId}, ${first.type}, ${first.passId}, ${first.instanceId}, ${first.actor},
      ${first.requestId}, ${JSON.stringify(first.data)}, ${JSON.stringify(first.previous)}, ${first.createdAt},
      ${JSON.stringify(counts)}
    from counter
  `
      : prepared`
    with ${counter}
    insert into event_log (${logColumns})
    select ${workspaceId}, counter.last_seq - ${events.length}::int + e.place, e.event_id, e.type, e.pass_id, e.instance_id, e.actor,
      e.request_id, e.data::json, e.previous::json, e.created_at,
      case when e.place = 1 then ${JSON.stringify(counts)} else '' end
    from counter
    cross join rows from (
      unnest(${column('eventId')}::uuid[]), unnest(${column('type')}::text[]), unnest(${column('passId')}::uuid[]),
      unnest(${column('instanceId')}::uuid[]), unnest(${column('actor')}::text[]), unnest(${column('requestId')}::text[]),
      unnest(${column('createdAt').map((moment) => moment.toISOString())}::timestamptz[]),
      string_to_table(${lines(column('data'))}, E'\\n'), string_to_table(${lines(column('previous'))}, E'\\n')
    ) with ordinality
      as e(event_id, type, pass_id, instance_id, actor, request_id, created_at, data, previous, place)
  `;
  await numbered.execute(tx);
}

/** The workspaces whose log is to be followed, those that have waited longest first. */
export async function listToFollow(
  db: Db,
  { now, within, most }: { readonly now: Date; readonly within: Sql; readonly most: number },
): Promise<{ workspaceId: string }[]> {
  const { rows } = await sql<{ workspaceId: string }>`
    select workspace_id from event_counters where ${within} and follow_at <= ${now} order by follow_at limit ${most}
  `.execute(db);
  return rows;
}

/** How far the log of a workspace was followed. */
export interface Followed {
  /** The last number that was known; null: whatever it is. */
  readonly seq: number | null;
  /** When to follow it again, where there was none since, and where there was; null: not before there is one. */
  readonly next: Date | null;
  readonly nextIfMore: Date;
  readonly hasWebhooks: boolean;
}

/** Says when the log of a workspace is to be followed next. Locks the counter. */
export async function scheduleFollowing(
  tx: Tx,
  workspaceId: string,
  { seq, next, nextIfMore, hasWebhooks }: Followed,
): Promise<void> {
  await prepared`
    update event_counters
    set follow_at = case last_seq when ${seq} then ${next}::timestamptz else ${nextIfMore} end, has_webhooks = ${hasWebhooks}
    where workspace_id = ${workspaceId}
  `.execute(tx);
}

/** The last number of a workspace's log, as a row. */
export async function findHeads(
  db: Db,
  workspaceId: string,
): Promise<{ workspaceId: string; lastSeq: number }[]> {
  const { rows } = await prepared<{ workspaceId: string; lastSeq: number }>`
    select workspace_id, last_seq from event_counters where workspace_id = ${workspaceId}
  `.execute(db);
  return rows;
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
export async function findCounter(db: Db, workspaceId: string): Promise<EventCounter | undefined> {
  const { rows } = await prepared<EventCounter>`
    select first_seq, last_seq from event_counters where workspace_id = ${workspaceId}
  `.execute(db);
  return rows[0];
}

/** When the event of a number was made; undefined where there is none. */
export async function findMoment(db: Db, workspaceId: string, seq: number): Promise<Date | undefined> {
  const { rows } = await sql<{ createdAt: Date }>`
    select created_at from event_log where workspace_id = ${workspaceId} and seq = ${seq}
  `.execute(db);
  return rows[0]?.createdAt;
}

/** Empties the events of a card; returns nothing of what they held. */
export async function emptyEvents(
  tx: Tx,
  { workspaceId, instanceId }: { readonly workspaceId: string; readonly instanceId: string },
): Promise<void> {
  await sql`
    update event_log set data = '{}', previous = '{}'
    where workspace_id = ${workspaceId} and instance_id = ${instanceId}
  `.execute(tx);
}

/** Counters of workspaces whose oldest events have been kept for long enough. */
export async function listToTrim(db: Db, now: Date, most: number): Promise<{ workspaceId: string }[]> {
  const { rows } = await sql<{ workspaceId: string }>`
    select workspace_id from event_counters where trim_at <= ${now} order by trim_at limit ${most}
  `.execute(db);
  return rows;
}

/** The oldest events of a workspace, with their moments. */
export async function listOldest(
  tx: Tx,
  workspaceId: string,
  firstSeq: number,
  most: number,
): Promise<{ seq: number; createdAt: Date }[]> {
  const { rows } = await sql<{ seq: number; createdAt: Date }>`
    select seq, created_at from event_log
    where workspace_id = ${workspaceId} and seq >= ${firstSeq} order by seq limit ${most}
  `.execute(tx);
  return rows;
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
