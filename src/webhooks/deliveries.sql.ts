import type { Db, Tx } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';
import type { Attempt, DeliveryRow, WebhookKey } from './webhook-row.ts';

const columns = sql.raw(
  'workspace_id, webhook_id, delivery_id, event_id, type, status, due_at, attempts, created_at',
);

/** A filter of a webhook's deliveries. */
export interface DeliveryFilter {
  readonly status?: DeliveryRow['status'] | undefined;
  readonly type?: string | undefined;
  /** Smaller ids are left out; null: none. */
  readonly since: string | null;
}

/** Deliveries of a webhook, the newest first. */
export function listDeliveries(
  db: Db,
  { workspaceId, webhookId }: WebhookKey,
  { status, type, since }: DeliveryFilter,
  page: { readonly after: string | null; readonly take: number },
): Promise<DeliveryRow[]> {
  const conditions = [
    sql`webhook_id = ${webhookId} and workspace_id = ${workspaceId}`,
    ...(status === undefined ? [] : [statusIs(status)]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(since === null ? [] : [sql`delivery_id >= ${since}`]),
    ...(page.after === null ? [] : [sql`delivery_id < ${page.after}`]),
  ];
  return sql<DeliveryRow>`
    select ${columns} from webhook_deliveries
    where ${sql.join(conditions, sql` and `)}
    order by delivery_id desc
    limit ${page.take}
  `.rows(db);
}

/** Filters by status. For undelivered ones, uses the condition of their partial index. */
function statusIs(status: DeliveryRow['status']): Sql {
  return status === 'delivered'
    ? sql`status = 'delivered'`
    : sql`status = ${status} and status <> 'delivered'`;
}

/** A delivery of a webhook. */
export function findDelivery(
  db: Db,
  { workspaceId, webhookId }: WebhookKey,
  deliveryId: string,
): Promise<DeliveryRow | undefined> {
  return sql<DeliveryRow>`
    select ${columns} from webhook_deliveries
    where webhook_id = ${webhookId} and delivery_id = ${deliveryId} and workspace_id = ${workspaceId}
  `.first(db);
}

/** The id that `deliveryIdOf` makes of an event and a webhook. */
export function idOf(event: string, webhook: string): Sql {
  return sql.raw(
    `(left(${event}.event_id::text, 19) || right(md5(${event}.event_id::text || ${webhook}.webhook_id::text)::uuid::text, 17))::uuid`,
  );
}

/** Whether a webhook wants to hear of an event, by its kind and pass. */
export function wants(webhook: string, event: string): Sql {
  const [w, e] = [sql.raw(webhook), sql.raw(event)];
  return sql`(
    '*' = any(${w}.types) or ${e}.type = any(${w}.types) or split_part(${e}.type, '.', 1) || '.*' = any(${w}.types)
  ) and (${w}.pass_ids is null or ${e}.pass_id = any(${w}.pass_ids))`;
}

/** What was recovered of a webhook's events between two numbers, and the number of the last that was looked at. */
export interface Recovery {
  readonly recovered: number;
  readonly lastSeq: number;
}

/**
 * Schedules events again that the webhook wants, from a number on, and that were not delivered. Looks at up to
 * `most` events and schedules up to `most` deliveries. Waiting deliveries are left unchanged.
 */
export async function recoverDeliveries(
  tx: Tx,
  { workspaceId, webhookId }: WebhookKey,
  {
    from,
    to,
    most,
    now,
  }: { readonly from: number; readonly to: number; readonly most: number; readonly now: Date },
): Promise<Recovery> {
  const { rows } = await sql<Recovery>`
    with claimed as materialized (
      select c.from_seq, claimed.to_seq
      from webhook_claims c
      cross join lateral unnest(c.webhook_ids, c.to_seqs) as claimed(webhook_id, to_seq)
      where c.workspace_id = ${workspaceId} and claimed.webhook_id = ${webhookId}
    ), missed as materialized (
      select e.seq, e.workspace_id, e.event_id, e.type, e.created_at, ${idOf('e', 'w')} as delivery_id
      from (
        select webhook_id, types, pass_ids from webhooks
        where webhook_id = ${webhookId} and workspace_id = ${workspaceId}
        offset 0
      ) as w
      cross join lateral (
        select seq, workspace_id, event_id, type, pass_id, created_at from event_log
        where workspace_id = ${workspaceId} and seq between ${from} and ${to}
        order by seq
        offset 0
      ) as e
      cross join lateral (
        select coalesce((
          select d.status from webhook_deliveries d
          where d.webhook_id = w.webhook_id and d.delivery_id = ${idOf('e', 'w')} and d.workspace_id = ${workspaceId}
        ), case when exists (select from claimed where e.seq between from_seq and to_seq) then 'waiting' else 'failed' end)
          as status
      ) as d
      where ${wants('w', 'e')} and e.type not like 'webhook.%' and d.status = 'failed'
      limit ${most}
    ), recovered as (
      insert into webhook_deliveries as d (
        webhook_id, delivery_id, workspace_id, event_id, type, status, due_at, is_retry, is_single, tries, attempts, created_at
      )
      select ${webhookId}::uuid, m.delivery_id, m.workspace_id, m.event_id, m.type, 'waiting', ${now}, true, false, 0, '[]',
        m.created_at
      from missed m
      on conflict (webhook_id, delivery_id, workspace_id) do update
      set status = 'waiting', due_at = excluded.due_at, is_retry = true, is_single = false, tries = 0
      where d.status = 'failed'
      returning 1
    )
    select (select count(*)::int from recovered) as recovered,
      case when (select count(*) from missed) < ${most} then ${to} else (select max(seq) from missed) end as last_seq
  `.execute(tx);
  return rows[0] ?? { recovered: 0, lastSeq: to };
}

/** Makes a delivery due at once. One that has ended is tried only once. False if it is gone. */
export async function sendAgain(
  tx: Tx,
  { workspaceId, webhookId, deliveryId }: Pick<DeliveryRow, 'workspaceId' | 'webhookId' | 'deliveryId'>,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await sql`
    update webhook_deliveries
    set is_single = is_single or status <> 'waiting', status = 'waiting', due_at = ${now}, is_retry = true
    where webhook_id = ${webhookId} and delivery_id = ${deliveryId} and workspace_id = ${workspaceId}
  `.execute(tx);
  return rowCount === 1;
}

/** Deliveries that have ended, of events that were made before a moment, the oldest first. */
export function findOldDeliveries(
  db: Db,
  before: Date,
  limit: number,
): Promise<Pick<DeliveryRow, 'workspaceId' | 'webhookId' | 'deliveryId'>[]> {
  return sql<Pick<DeliveryRow, 'workspaceId' | 'webhookId' | 'deliveryId'>>`
    select workspace_id, webhook_id, delivery_id from webhook_deliveries
    where due_at is null and created_at < ${before}
    order by created_at limit ${limit}
  `.rows(db);
}

/** Deletes deliveries of one workspace, except those locked by others, which stay until the next time. */
export async function deleteDeliveries(
  tx: Tx,
  workspaceId: string,
  deliveries: readonly Pick<DeliveryRow, 'webhookId' | 'deliveryId'>[],
): Promise<void> {
  await sql`
    delete from webhook_deliveries
    -- By their places, which stay while they are locked: nothing is left to a join.
    where workspace_id = ${workspaceId} and ctid = any(array(
      select d.ctid
      from unnest(
        ${sql.list(deliveries, 'uuid', ({ webhookId }) => webhookId)},
        ${sql.list(deliveries, 'uuid', ({ deliveryId }) => deliveryId)}
      ) as old(webhook_id, delivery_id)
      cross join lateral (
        select ctid from webhook_deliveries d
        where d.webhook_id = old.webhook_id and d.delivery_id = old.delivery_id and d.workspace_id = ${workspaceId}
        for update skip locked
      ) as d
    ))
  `.execute(tx);
}

/** Removes the receivers' answers to a card's events from the deliveries. They may repeat personal data they were sent. */
export async function forgetAnswers(
  tx: Tx,
  { workspaceId, instanceId }: { readonly workspaceId: string; readonly instanceId: string },
): Promise<void> {
  await sql`
    update webhook_deliveries set attempts = (
      select coalesce(jsonb_agg(a.attempt || '{"answer":null}' order by a.place), '[]')
      from jsonb_array_elements(attempts) with ordinality as a(attempt, place)
    )
    where workspace_id = ${workspaceId} and ctid = any(array(
      select d.ctid
      from (select webhook_id from webhooks where workspace_id = ${workspaceId} offset 0) as w
      cross join lateral (
        select event_id from event_log where instance_id = ${instanceId} and workspace_id = ${workspaceId} offset 0
      ) as e
      cross join lateral (
        select ctid from webhook_deliveries d
        where d.webhook_id = w.webhook_id and d.delivery_id = ${idOf('e', 'w')} and d.workspace_id = ${workspaceId}
        for no key update
      ) as d
    ))
  `.execute(tx);
}

/** Abandons all waiting deliveries, in every workspace, since they may have been sent before. Returns how many. */
export async function giveUpWaiting(tx: Tx, attempt: Attempt): Promise<number> {
  const { rowCount } = await sql`
    update webhook_deliveries
    set status = 'failed', due_at = null, attempts = attempts || ${JSON.stringify([attempt])}::jsonb
    where due_at is not null
  `.execute(tx);
  return rowCount;
}
