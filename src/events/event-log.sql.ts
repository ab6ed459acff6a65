import type { Due } from '../engine/due.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, type Sql, sql } from '../kit/db/sql.ts';
import { newUuidV7 } from '../kit/ids.ts';
import type { EventType } from './event-kinds.ts';
import { eventsOfOutbox } from './outbox-events.sql.ts';

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

/** Events that are to be numbered. */
export const outboxDue: Due = { table: 'eventOutbox', due: 'dueAt' };

/** Writes the events of one transaction in a workspace, with what statistics count of them. */
export async function insertOutbox(
  tx: Tx,
  workspaceId: string,
  events: readonly LoggedEvent[],
  counts: object,
): Promise<void> {
  const column = <K extends keyof LoggedEvent>(name: K) => events.map((event) => event[name]);
  const lines = (objects: readonly object[]) => objects.map((object) => JSON.stringify(object)).join('\n');
  await prepared`
    insert into event_outbox (
      workspace_id, outbox_id, due_at, event_ids, types, pass_ids, instance_ids, actors, request_ids, created_ats, data,
      previous, counts
    )
    values (
      ${workspaceId}, ${newUuidV7()}, ${events[0]?.createdAt}, ${column('eventId')}, ${column('type')},
      ${column('passId')}, ${column('instanceId')}, ${column('actor')}, ${column('requestId')},
      ${column('createdAt').map((at) => at.toISOString())}, ${lines(column('data'))}, ${lines(column('previous'))},
      ${JSON.stringify(counts)}
    )
  `.execute(tx);
}

/** The workspaces of events that are to be numbered, those that waited longest first; one may be among them often. */
export async function listOutboxWorkspaces(
  db: Db,
  { now, within, most }: { readonly now: Date; readonly within: Sql; readonly most: number },
): Promise<{ workspaceId: string }[]> {
  const { rows } = await sql<{ workspaceId: string }>`
    select workspace_id from event_outbox where ${within} and due_at <= ${now} order by due_at limit ${most}
  `.execute(db);
  return rows;
}

/** How far the events of a workspace are numbered, and whether more are to be: a row. */
export async function findHeads(
  db: Db,
  workspaceId: string,
): Promise<{ workspaceId: string; lastSeq: number; isMore: boolean }[]> {
  const { rows } = await prepared<{ workspaceId: string; lastSeq: number; isMore: boolean }>`
    select ${workspaceId}::uuid as workspace_id,
      coalesce((select last_seq from event_counters where workspace_id = ${workspaceId}), 0) as last_seq,
      coalesce((
        select true from event_outbox where workspace_id = ${workspaceId} order by written_at limit 1
      ), false) as is_more
  `.execute(db);
  return rows;
}

export interface EventCounter {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly trimAt: Date | null;
}

/** Locks the counter of a workspace; undefined where it is to be passed over and another transaction has it. */
export async function lockCounter(
  tx: Tx,
  workspaceId: string,
  wait: 'wait' | 'skip',
): Promise<EventCounter | undefined> {
  const select = async () => {
    const { rows } = await prepared<EventCounter>`
      select first_seq, last_seq, trim_at from event_counters where workspace_id = ${workspaceId}
      for no key update ${sql.raw(wait === 'skip' ? 'skip locked' : '')}
    `.execute(tx);
    return rows[0];
  };
  const held = await select();
  if (held !== undefined) return held;
  // The first events of the workspace, or another transaction has it.
  await sql`insert into event_counters (workspace_id) values (${workspaceId}) on conflict do nothing`.execute(
    tx,
  );
  return select();
}

/** The oldest events that are to be numbered, by transaction, in the order in which they were written. */
export async function listOutbox(
  tx: Tx,
  workspaceId: string,
  most: number,
): Promise<{ outboxId: string; events: number; dueAt: Date }[]> {
  // The planner does not see the limit, and reads in the order of the index. Where it takes the limit for all there are, it sorts,
  // and reads all rows that are gone since the last vacuum, each time.
  const { rows } = await prepared<{ outboxId: string; events: number; dueAt: Date }>`
    select outbox_id, coalesce(cardinality(event_ids), json_array_length(events)) as events, due_at from event_outbox
    where workspace_id = ${workspaceId} order by written_at, outbox_id
    limit (select ${most}::bigint)
  `.execute(tx);
  return rows;
}

/** Moves the events of transactions to the log; those of each get numbers from `firstSeq` on. The counter is locked. */
export async function moveToLog(
  tx: Tx,
  workspaceId: string,
  moved: readonly { readonly outboxId: string; readonly firstSeq: number }[],
  counter: { readonly lastSeq: number; readonly trimAt: Date; readonly numberedAt: Date },
): Promise<void> {
  const ids = sql.list(moved, 'uuid', ({ outboxId }) => outboxId);
  await Promise.all([
    prepared`
      insert into event_log (
        workspace_id, seq, event_id, type, pass_id, instance_id, actor, request_id, data, previous, created_at,
        counts
      )
      select ${workspaceId}, moved.first_seq + e.place - 1, e.event_id, e.type, e.pass_id, e.instance_id, e.actor,
        e.request_id, e.data, e.previous, e.created_at,
        case when e.place = 1 then outbox.counts when outbox.counts is not null then '' end
      from unnest(${ids}, ${sql.list(moved, 'bigint', ({ firstSeq }) => firstSeq)}) as moved(outbox_id, first_seq)
      cross join lateral (
        select * from event_outbox where outbox_id = moved.outbox_id and workspace_id = ${workspaceId} offset 0
      ) as outbox
      cross join lateral (${eventsOfOutbox}) as e
    `.execute(tx),
    prepared`
      delete from event_outbox where workspace_id = ${workspaceId} and ctid = any(array(
        select outbox.ctid
        from unnest(${ids}) as moved(outbox_id)
        cross join lateral (
          select ctid from event_outbox where outbox_id = moved.outbox_id and workspace_id = ${workspaceId} offset 0
        ) as outbox
      ))
    `.execute(tx),
    prepared`
      update event_counters set last_seq = ${counter.lastSeq}, trim_at = ${counter.trimAt},
        uncounted_since = coalesce(uncounted_since, ${counter.numberedAt})
      where workspace_id = ${workspaceId}
    `.execute(tx),
  ]);
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

const columns = sql.raw(
  'workspace_id, seq, event_id, type, pass_id, instance_id, actor, request_id, data, previous, created_at',
);

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

/** How far the events of a workspace are numbered. */
export async function findCounter(db: Db, workspaceId: string): Promise<EventCounter | undefined> {
  const { rows } = await sql<EventCounter>`
    select first_seq, last_seq, trim_at from event_counters where workspace_id = ${workspaceId}
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

/** Deletes the events of a workspace between two numbers, the first one included, and keeps where they begin from then on. */
export async function deleteEvents(
  tx: Tx,
  workspaceId: string,
  { from, before, trimAt }: { readonly from: number; readonly before: number; readonly trimAt: Date | null },
): Promise<void> {
  await Promise.all([
    sql`
      delete from event_log where workspace_id = ${workspaceId} and seq >= ${from} and seq < ${before}
    `.execute(tx),
    sql`
      update event_counters set first_seq = ${before}, trim_at = ${trimAt} where workspace_id = ${workspaceId}
    `.execute(tx),
  ]);
}

/** The workspace of an event. */
export async function findOwnerOfEvent(db: Db, eventId: string): Promise<string | undefined> {
  const { rows } = await sql<{ workspaceId: string }>`
    select workspace_id from event_log where event_id = ${eventId} limit 1
  `.execute(db);
  return rows[0]?.workspaceId;
}
