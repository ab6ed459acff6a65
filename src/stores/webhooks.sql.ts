import type { DueScan } from '../engine/due.sql.ts';
import { ownersOf, type Queue } from '../engine/queue.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import type { StoreKey } from './store-row.ts';

/** A webhook of a store, or an order that we keep like one to retry it. */
export interface NewWebhook {
  readonly storeId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly topic: string;
  readonly body: Buffer;
  readonly receivedAt: Date;
  /** The code that it was refused with already; absent before the first attempt. */
  readonly refused?: string;
  /** Why it is given up at once. */
  readonly fault?: UnreadFault;
}

/** Why a webhook cannot be read, and which order it is about, where that is known. */
export interface UnreadFault {
  readonly reason: string;
  readonly orderId: string | null;
}

/** The code of what cannot be read. It is given up, until a member changes the store's settings. */
export const unreadable = 'unreadable';

/** A leased webhook, with its store. */
export interface DueWebhook extends NewWebhook {
  readonly workspaceId: string;
  readonly attempts: number;
  /** The end of the lease. */
  readonly dueAt: Date;
}

/** Keeps webhooks of a workspace; each delivery once. Set-based, for the group commit. */
export async function keepWebhooks(
  tx: Tx,
  workspaceId: string,
  webhooks: readonly NewWebhook[],
): Promise<boolean[]> {
  // In one order, so that two runs with the same deliveries do not block each other.
  const sorted = [...webhooks].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const kept = await tx
    .insertInto('storeWebhooks')
    .values(
      sorted.map(({ fault, ...webhook }) => ({
        ...webhook,
        workspaceId,
        dueAt: fault === undefined ? webhook.receivedAt : null,
        ...(fault !== undefined && { ...fault, refused: unreadable }),
      })),
    )
    .onConflict((conflict) => conflict.columns(['workspaceId', 'storeId', 'deliveryId']).doNothing())
    .returning('webhookId')
    .execute();
  const ids = new Set(kept.map(({ webhookId }) => webhookId));
  return webhooks.map(({ webhookId }) => ids.has(webhookId));
}

function nameOf({ storeId, deliveryId }: NewWebhook): string {
  return `${storeId}/${deliveryId}`;
}

/** Webhooks that are to be processed. */
export const dueWebhooks: Queue<DueWebhook> = {
  job: 'workOffWebhooks',
  table: 'storeWebhooks',
  part: 'workspaceId',
  key: { storeId: 'uuid', webhookId: 'uuid' },
  due: 'dueAt',
  columns: sql`workspace_id, store_id, webhook_id, due_at, delivery_id, topic, body, received_at, attempts`,
};

/** Each lease counts as an attempt. */
export const oneMoreAttempt = sql`attempts = least(attempts + 1, 30000)`;

/** A webhook that is due, and the length of its body. */
export interface FoundWebhook {
  readonly workspaceId: string;
  readonly storeId: string;
  readonly webhookId: string;
  readonly attempts: number;
  readonly bytes: number;
}

/**
 * Returns webhooks that are due, round-robin over stores and the longest due first in each, so that one store's backlog
 * does not delay another store.
 */
export function findDueWebhooks(db: Db, { now, within, most }: DueScan): Promise<FoundWebhook[]> {
  return sql<FoundWebhook>`
    with recursive busy as (
      ${ownersOf(dueWebhooks, ['workspaceId', 'storeId'], within)}
    ), ready as materialized (
      -- Of many a store all webhooks wait: it has no share in the turn.
      select b.* from busy b
      cross join lateral (
        select from store_webhooks w
        where ${within} and w.workspace_id = b.workspace_id and w.store_id = b.store_id and w.due_at <= ${now}
        limit 1
      ) as w
    )
    select w.workspace_id, w.store_id, w.webhook_id, w.attempts, w.bytes
    from ready r
    cross join lateral (
      select w.*, row_number() over (order by w.due_at, w.webhook_id) as place
      from (
        select w.workspace_id, w.store_id, w.webhook_id, w.due_at, w.attempts, octet_length(w.body) as bytes
        from store_webhooks w
        where ${within} and w.workspace_id = r.workspace_id and w.store_id = r.store_id and w.due_at <= ${now}
        order by w.due_at
        limit (select greatest(4, ${most} / count(*)) from ready)
      ) as w
    ) as w
    order by w.place, w.due_at
    limit ${most}
  `.rows(db);
}

/** The outcome of a leased webhook. */
export interface WebhookOutcome {
  readonly webhook: Named & Pick<DueWebhook, 'receivedAt'>;
  /** The code that it was refused with; null when it is done. */
  readonly refused: string | null;
  /** When it is tried again; null: never. */
  readonly dueAt: Date | null;
  /** The order that it is about; null if it is about something else, or unknown. */
  readonly orderId: string | null;
  /** Why it could not be read; null: it was. */
  readonly reason: string | null;
}

/**
 * Records the outcomes of a workspace's webhooks. Bodies of processed webhooks are deleted, as are earlier unreadable
 * ones of the same order; bodies of abandoned ones are kept for diagnosis.
 */
export async function recordWebhookOutcomes(
  tx: Tx,
  workspaceId: string,
  results: readonly WebhookOutcome[],
): Promise<void> {
  const sorted = [...results].sort((a, b) => (a.webhook.webhookId < b.webhook.webhookId ? -1 : 1));
  await sql`
    with results as materialized (
      select r.*
      from unnest(
        ${sql.list(sorted, 'uuid', ({ webhook }) => webhook.storeId)},
        ${sql.list(sorted, 'uuid', ({ webhook }) => webhook.webhookId)},
        ${sql.list(sorted, 'text', ({ refused }) => refused)},
        ${sql.list(sorted, 'timestamptz', ({ dueAt }) => dueAt)},
        ${sql.list(sorted, 'text', ({ orderId }) => orderId)},
        ${sql.list(sorted, 'text', ({ reason }) => reason)},
        ${sql.list(sorted, 'timestamptz', ({ webhook }) => webhook.receivedAt)}
      ) as r(store_id, webhook_id, refused, due_at, order_id, reason, received_at)
      cross join lateral (
        select from store_webhooks w
        where w.workspace_id = ${workspaceId} and w.store_id = r.store_id and w.webhook_id = r.webhook_id
          -- The body may have been dropped since, after a privacy request.
          and w.body is not null
        for no key update
      ) as w
    ), mended as (
      update store_webhooks w set body = null, refused = null, reason = null
      from results
      where w.workspace_id = ${workspaceId} and w.store_id = results.store_id and w.order_id = results.order_id
        and w.due_at is null and w.body is not null and w.refused = ${unreadable}
        and results.refused is null and w.received_at < results.received_at
    )
    update store_webhooks w
    set refused = results.refused, due_at = results.due_at, order_id = results.order_id, reason = results.reason,
      body = case when results.refused is null then null else w.body end
    from results
    where w.workspace_id = ${workspaceId} and w.store_id = results.store_id and w.webhook_id = results.webhook_id
  `.execute(tx);
}

/** Makes a store's refused webhooks due at once, and the unreadable ones, too. */
export async function retryWaiting(tx: Tx, { workspaceId, storeId }: StoreKey, now: Date): Promise<void> {
  // `coalesce` keeps the planner from looking for what is due later, of all stores.
  await sql`
    update store_webhooks set due_at = ${now}
    where workspace_id = ${workspaceId} and store_id = ${storeId} and due_at is not null
      and coalesce(due_at > ${now}::timestamptz, false) and refused is not null
  `.execute(tx);
  await sql`
    update store_webhooks set due_at = ${now}
    where workspace_id = ${workspaceId} and store_id = ${storeId} and due_at is null and body is not null
      and refused = ${unreadable}
  `.execute(tx);
}

/** The key of a webhook. */
type Named = Pick<DueWebhook, 'workspaceId' | 'storeId' | 'webhookId'>;

/** Deletes the bodies of a store's unreadable webhooks whose orders have been read since. */
export async function mendOrders(
  tx: Tx,
  { workspaceId, storeId }: StoreKey,
  orderIds: readonly string[],
): Promise<void> {
  await sql`
    update store_webhooks set body = null, refused = null, reason = null
    where workspace_id = ${workspaceId} and store_id = ${storeId} and order_id = any(${orderIds}::text[])
      and due_at is null and body is not null and refused = ${unreadable}
  `.execute(tx);
}

/** Webhooks that came before a moment, the oldest first. */
export function findOldWebhooks(db: Db, before: Date, limit: number): Promise<Named[]> {
  return sql<Named>`
    select workspace_id, store_id, webhook_id from store_webhooks
    where received_at < ${before}
    order by received_at limit ${limit}
  `.rows(db);
}

/** Deletes webhooks of one workspace, except those locked by others, which stay until the next time. */
export async function deleteWebhooks(tx: Tx, workspaceId: string, webhooks: readonly Named[]): Promise<void> {
  await sql`
    delete from store_webhooks
    -- By their places, which stay while they are locked: nothing is left to a join.
    where workspace_id = ${workspaceId} and ctid = any(array(
      select w.ctid
      from unnest(
        ${sql.list(webhooks, 'uuid', ({ storeId }) => storeId)}, ${sql.list(webhooks, 'uuid', ({ webhookId }) => webhookId)}
      ) as old(store_id, webhook_id)
      cross join lateral (
        select ctid from store_webhooks w
        where w.workspace_id = ${workspaceId} and w.store_id = old.store_id and w.webhook_id = old.webhook_id
        for update skip locked
      ) as w
    ))
  `.execute(tx);
}

/** How many webhooks there are in each state that is of interest. */
export async function countWebhooks(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ due: number; waiting: number; givenUp: number }>`
    select due, waiting, given_up
    from (
      select count(*) filter (where refused is null)::int as due,
        count(*) filter (where refused is not null)::int as waiting
      from store_webhooks where due_at is not null
    ) as open
    cross join (
      select count(*)::int as given_up from store_webhooks where due_at is null and body is not null
    ) as closed
  `.execute(db);
  const { due = 0, waiting = 0, givenUp = 0 } = rows[0] ?? {};
  return { due, waiting, given_up: givenUp };
}
