import type { EventRow } from '../events/event-log.sql.ts';
import type { Db } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import type { DeliveryRow } from '../webhooks/webhook-row.ts';

/** The events that a request has caused, in their order. */
export function eventsOfRequest(
  db: Db,
  workspaceId: string,
  requestId: string,
  take: number,
): Promise<EventRow[]> {
  return sql<EventRow>`
    select workspace_id, seq, event_id, type, pass_id, instance_id, actor, request_id, data, previous, created_at
    from event_log
    where request_id = ${requestId} and workspace_id = ${workspaceId}
    order by seq limit ${take}
  `.rows(db);
}

/** The outcomes of events at the webhooks of their workspace. */
export function deliveriesOfEvents(
  db: Db,
  workspaceId: string,
  eventIds: readonly string[],
  take: number,
): Promise<DeliveryRow[]> {
  // An id of a delivery begins with the first half of its event's.
  const halves = eventIds.map((id) => id.slice(0, 19));
  return sql<DeliveryRow>`
    select d.* from unnest(
      ${eventIds}::uuid[], ${halves.map((half) => `${half}0000-000000000000`)}::uuid[],
      ${halves.map((half) => `${half}ffff-ffffffffffff`)}::uuid[]
    ) as e(event_id, lowest, highest)
    cross join (select webhook_id from webhooks where workspace_id = ${workspaceId}) as w
    cross join lateral (
      select workspace_id, webhook_id, delivery_id, event_id, type, status, due_at, attempts, created_at
      from webhook_deliveries
      where webhook_id = w.webhook_id and workspace_id = ${workspaceId}
        and delivery_id between e.lowest and e.highest and event_id = e.event_id
      offset 0
    ) as d
    limit ${take}
  `.rows(db);
}

/** A push that a card still waits for. */
export interface WaitingPush {
  readonly instanceId: string;
  /** Since when it waits for credits; null: it does not. */
  readonly skippedAt: Date | null;
  readonly createdAt: Date;
}

/** What cards owe their wallets. */
export function pushesOfCards(
  db: Db,
  workspaceId: string,
  instanceIds: readonly string[],
): Promise<WaitingPush[]> {
  return sql<WaitingPush>`
    select p.* from unnest(${instanceIds}::uuid[]) as c(instance_id)
    cross join lateral (
      select instance_id, skipped_at, created_at from pushes
      where instance_id = c.instance_id and workspace_id = ${workspaceId}
      limit 1
    ) as p
  `.rows(db);
}

/** The workspaces in which a request has left something. */
export async function workspacesOfRequest(db: Db, requestId: string): Promise<string[]> {
  const tables = ['request_log', 'audit_log', 'event_log'];
  const found = await Promise.all(
    tables.map((table) =>
      sql<{ workspaceId: string }>`
        select distinct workspace_id from ${sql.raw(table)} where request_id = ${requestId} limit 20
      `.execute(db),
    ),
  );
  return [...new Set(found.flatMap(({ rows }) => rows.map(({ workspaceId }) => workspaceId)))].sort();
}
