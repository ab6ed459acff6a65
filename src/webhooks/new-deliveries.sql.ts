import type { Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import { idOf, wants } from './deliveries.sql.ts';

/** What came of events that were just numbered. */
interface FannedOut {
  readonly deliveries: number;
  /** Whether there are events about webhooks among them. */
  readonly areOfWebhooks: boolean;
}

type Numbers = { readonly from: number; readonly to: number; readonly now: Date };

/** The beginning of a statement that makes deliveries of events `e` and webhooks `w`. */
const insertInto = sql`
  insert into webhook_deliveries (
    webhook_id, delivery_id, workspace_id, event_id, type, status, due_at, is_retry, is_single, tries, attempts, created_at
  )`;

/** Has events of a workspace delivered to the webhooks that want to hear of them, once each, but for those about webhooks. */
export async function insertDeliveries(
  tx: Tx,
  workspaceId: string,
  { from, to, now }: Numbers,
): Promise<FannedOut> {
  const { rows } = await prepared<FannedOut>`
    with w as materialized (
      select webhook_id, types, pass_ids from webhooks where workspace_id = ${workspaceId} and status = 'active'
    ), made as (
      ${insertInto}
      select w.webhook_id, ${idOf('e', 'w')}, e.workspace_id, e.event_id, e.type, 'waiting', ${now}::timestamptz, false,
        false, 0, '[]', e.created_at
      from w
      cross join lateral (
        select workspace_id, event_id, type, pass_id, created_at from event_log
        where workspace_id = ${workspaceId} and seq between ${from} and ${to}
        offset 0
      ) as e
      where ${wants('w', 'e')} and e.type not like 'webhook.%'
      on conflict do nothing
      returning 1
    )
    select (select count(*)::int from made) as deliveries,
      exists (
        select from (
          select type from event_log where workspace_id = ${workspaceId} and seq between ${from} and ${to} offset 0
        ) as e
        where type like 'webhook.%'
      ) as are_of_webhooks
  `.execute(tx);
  return rows[0] ?? { deliveries: 0, areOfWebhooks: false };
}

/** The same of those about webhooks: what happens to one is told to the others, and a test to itself alone. How many that makes. */
export async function insertOwnDeliveries(
  tx: Tx,
  workspaceId: string,
  webhooks: readonly { readonly webhookId: string; readonly publicId: string }[],
  { from, to, now }: Numbers,
): Promise<number> {
  const { rowCount } = await sql`
    ${insertInto}
    select w.webhook_id, ${idOf('e', 'w')}, e.workspace_id, e.event_id, e.type, 'waiting', ${now}, false,
      e.type = 'webhook.test', 0, '[]', e.created_at
    from unnest(
      ${sql.list(webhooks, 'uuid', ({ webhookId }) => webhookId)}, ${sql.list(webhooks, 'text', ({ publicId }) => publicId)}
    ) as named(webhook_id, public_id)
    cross join lateral (
      select webhook_id, types, pass_ids, status from webhooks
      where webhook_id = named.webhook_id and workspace_id = ${workspaceId}
      offset 0
    ) as w
    cross join lateral (
      select workspace_id, event_id, type, pass_id, created_at, data ->> 'webhookId' = named.public_id as is_of_itself
      from event_log
      where workspace_id = ${workspaceId} and seq between ${from} and ${to}
      offset 0
    ) as e
    where e.type like 'webhook.%' and case e.type when 'webhook.test' then e.is_of_itself
      else w.status = 'active' and not e.is_of_itself and ${wants('w', 'e')} end
    on conflict do nothing
  `.execute(tx);
  return rowCount;
}
