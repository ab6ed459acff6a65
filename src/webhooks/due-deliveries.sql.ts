import { ownersOf, type Queue } from '../engine/queue.sql.ts';
import type { EventRow } from '../events/event-log.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';
import type { Attempt, DeliveryRow } from './webhook-row.ts';

/** A delivery that is to be sent. */
export interface DueDelivery {
  readonly workspaceId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly eventId: string;
  readonly type: string;
  /** Attempts of the schedule that have failed. */
  readonly tries: number;
  readonly isSingle: boolean;
  /** The end of the lease. */
  readonly dueAt: Date;
}

/** Deliveries that are to be sent. */
export const dueDeliveries: Queue<DueDelivery> = {
  job: 'deliverWebhooks',
  table: 'webhookDeliveries',
  part: 'workspaceId',
  key: { webhookId: 'uuid', deliveryId: 'uuid' },
  due: 'dueAt',
  columns: sql`workspace_id, webhook_id, delivery_id, event_id, type, tries, is_single, due_at`,
};

/** A delivery that is due, and where it goes. */
export interface FoundDelivery {
  readonly workspaceId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly url: string;
  /** Whether the last attempt there has failed. */
  readonly isFailing: boolean;
}

interface Asked {
  readonly now: Date;
  readonly within: Sql;
  readonly most: number;
  /** How many more may be under way at a webhook, where that is not `usual`. */
  readonly free: readonly { readonly webhookId: string; readonly free: number }[];
  readonly usual: number;
}

/**
 * Returns deliveries that are due, round-robin over workspaces and over the webhooks of each. At a webhook, new deliveries
 * and retries alternate, the longest due first. Leaves out webhooks without a free permit.
 */
export function findDueDeliveries(
  db: Db,
  { now, within, most, free, usual }: Asked,
): Promise<FoundDelivery[]> {
  // Where there is one permit, chance decides between new deliveries and retries.
  const retriesFirst = Math.random() < 0.5;
  return sql<FoundDelivery>`
    with recursive busy as (
      ${ownersOf(dueDeliveries, ['webhookId', 'workspaceId'], within)}
    ), ready as materialized (
      select b.webhook_id, b.workspace_id, coalesce(known.free, ${usual}) as free
      from busy b
      left join unnest(
        ${sql.list(free, 'uuid', (one) => one.webhookId)}, ${sql.list(free, 'int', (one) => one.free)}
      ) as known(webhook_id, free) on known.webhook_id = b.webhook_id
      where coalesce(known.free, ${usual}) > 0
    ), placed as (
      select r.workspace_id, r.webhook_id, d.delivery_id,
        row_number() over (partition by r.webhook_id order by d.place, d.is_retry <> ${retriesFirst}) as place, r.free
      from ready r
      cross join lateral (
        (
          select delivery_id, is_retry, row_number() over (order by due_at) as place
          from (
            select d.delivery_id, d.is_retry, d.due_at from webhook_deliveries d
            where ${within} and d.webhook_id = r.webhook_id and d.workspace_id = r.workspace_id and not d.is_retry
              and d.due_at <= ${now}
            order by d.due_at limit r.free
          ) as new
        )
        union all
        (
          select delivery_id, is_retry, row_number() over (order by due_at) as place
          from (
            select d.delivery_id, d.is_retry, d.due_at from webhook_deliveries d
            where ${within} and d.webhook_id = r.webhook_id and d.workspace_id = r.workspace_id and d.is_retry
              and d.due_at <= ${now}
            order by d.due_at limit r.free
          ) as again
        )
      ) as d
    ), turns as (
      select *, row_number() over (partition by workspace_id order by place, delivery_id) as turn
      from placed where place <= free
      order by turn, place, delivery_id
      limit ${most}
    )
    select t.workspace_id, t.webhook_id, t.delivery_id, coalesce(w.url, '') as url,
      coalesce(w.failing_since is not null, false) as is_failing
    from turns t
    left join lateral (
      select url, failing_since from webhooks w
      where ${within} and w.webhook_id = t.webhook_id and w.workspace_id = t.workspace_id
      limit 1
    ) as w on true
    order by t.turn, t.place, t.delivery_id
  `.rows(db);
}

/** An event is sent without what it concerns when that has more bytes. */
export const mostEventBytes = 18_000;

/** An event of a workspace that is to be sent; `data` and `previous` are null where they are too large. */
export type SendableEvent = Omit<EventRow, 'data' | 'previous'> & {
  readonly data: object | null;
  readonly previous: object | null;
  /** How large these two are. */
  readonly bytes: number;
};

/** The columns of one, of `e`: a row of the log, with those of `sized`. */
export const sendable = sql`
  e.workspace_id, e.seq, e.event_id, e.type, e.pass_id, e.instance_id, e.actor, e.request_id, e.created_at, e.bytes,
  case when e.bytes <= ${mostEventBytes} then e.data end as data,
  case when e.bytes <= ${mostEventBytes} then e.previous end as previous`;

/** The columns of a row of the log, and how large it is. */
export const sized = sql`*, octet_length(data::text) + octet_length(previous::text) as bytes`;

/** Events of a workspace by their ids; what was deleted is not among them. */
export function findSendable(
  db: Db,
  workspaceId: string,
  eventIds: ReadonlySet<string>,
): Promise<SendableEvent[]> {
  return sql<SendableEvent>`
    select ${sendable}
    from unnest(${sql.list([...eventIds], 'uuid')}) as named(event_id)
    cross join lateral (
      select ${sized} from event_log
      where event_id = named.event_id and workspace_id = ${workspaceId}
      offset 0
    ) as e
  `.rows(db);
}

/** The outcome of an attempt. */
export interface AttemptOutcome {
  readonly delivery: DueDelivery;
  /** Null where there was none. */
  readonly attempt: Attempt | null;
  readonly status: DeliveryRow['status'];
  /** When it is tried again; null: never. */
  readonly dueAt: Date | null;
  readonly tries: number;
}

/** The number of attempts that are kept of a delivery. */
const mostAttempts = 20;

/**
 * Records the outcomes of a workspace's attempts. Skips deliveries that another worker has leased since. Returns the ids
 * that were recorded.
 */
export async function recordAttempts(
  tx: Tx,
  workspaceId: string,
  outcomes: readonly AttemptOutcome[],
): Promise<Set<string>> {
  const sorted = [...outcomes].sort((a, b) => inOrderOfKeys(a.delivery, b.delivery));
  const { rows } = await sql<{ deliveryId: string }>`
    with outcomes as materialized (
      select s.*
      from unnest(
        ${sql.list(sorted, 'uuid', ({ delivery }) => delivery.webhookId)},
        ${sql.list(sorted, 'uuid', ({ delivery }) => delivery.deliveryId)},
        ${sql.list(sorted, 'timestamptz', ({ delivery }) => delivery.dueAt)},
        ${sql.list(sorted, 'text', ({ status }) => status)}, ${sql.list(sorted, 'timestamptz', ({ dueAt }) => dueAt)},
        ${sql.list(sorted, 'smallint', ({ tries }) => tries)},
        ${sql.list(sorted, 'jsonb', ({ attempt }) => textOf(attempt))}
      ) as s(webhook_id, delivery_id, lease, status, due_at, tries, newest)
      cross join lateral (
        select from webhook_deliveries d
        where d.webhook_id = s.webhook_id and d.delivery_id = s.delivery_id and d.workspace_id = ${workspaceId}
          and coalesce(d.due_at = s.lease, false)
        for no key update
      ) as held
    )
    update webhook_deliveries d
    set status = s.status, due_at = s.due_at, tries = s.tries, is_retry = true,
      attempts = case when jsonb_array_length(d.attempts) < ${mostAttempts} then d.attempts else d.attempts - 0 end
        || s.newest
    from outcomes s
    where d.workspace_id = ${workspaceId} and d.webhook_id = s.webhook_id and d.delivery_id = s.delivery_id
    returning d.delivery_id
  `.execute(tx);
  return new Set(rows.map(({ deliveryId }) => deliveryId));
}

/** The list of attempts, as text, that holds only this one. */
export function textOf(attempt: Attempt | null): string {
  return attempt === null ? '[]' : JSON.stringify([attempt]);
}

type Key = Pick<DueDelivery, 'webhookId' | 'deliveryId'>;

/** The order in which deliveries are locked: by their keys. */
export function inOrderOfKeys(a: Key, b: Key): number {
  if (a.webhookId !== b.webhookId) return a.webhookId < b.webhookId ? -1 : 1;
  return a.deliveryId < b.deliveryId ? -1 : 1;
}

/** How many deliveries wait: new ones, and those that are tried again; counted up to 100,000. */
export async function countWaiting(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ fresh: number; retried: number }>`
    select count(*) filter (where not is_retry)::int as fresh, count(*) filter (where is_retry)::int as retried
    from (select is_retry from webhook_deliveries where due_at is not null order by due_at limit 100000) as waiting
  `.execute(db);
  return { new: rows[0]?.fresh ?? 0, retry: rows[0]?.retried ?? 0 };
}

/** Since when the event has waited that has waited longest for its first attempt; undefined where none does. */
export async function findLongestNew(db: Db): Promise<Date | undefined> {
  const { rows } = await sql<{ dueAt: Date }>`
    select due_at from webhook_deliveries where due_at is not null and coalesce(not is_retry, false)
    order by due_at limit 1
  `.execute(db);
  return rows[0]?.dueAt;
}
