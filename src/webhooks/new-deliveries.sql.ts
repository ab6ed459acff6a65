import type { Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import { idOf, wants } from './deliveries.sql.ts';
import { type SendableEvent, sendable, sized } from './due-deliveries.sql.ts';

type Numbers = { readonly from: number; readonly to: number; readonly now: Date };

/** The beginning of a statement that makes deliveries. */
export const insertInto = sql`
  insert into webhook_deliveries (
    webhook_id, delivery_id, workspace_id, event_id, type, status, due_at, is_retry, is_single, tries, attempts, created_at
  )`;

/** An event that webhooks want to hear of. */
export interface WantedEvent {
  readonly event: SendableEvent;
  /** Which of those that were named do. */
  readonly webhookIds: ReadonlySet<string>;
}

/**
 * The first events between two numbers of which some webhooks want to hear, with what is sent of them; those about webhooks are not
 * among them.
 */
export async function findWanted(
  tx: Tx,
  workspaceId: string,
  { from, to }: Numbers,
  webhookIds: readonly string[],
  most: number,
): Promise<WantedEvent[]> {
  const { rows } = await prepared<SendableEvent & { places: string }>`
    with w as materialized (
      select place, types, pass_ids
      from unnest(${sql.list(webhookIds, 'uuid')}) with ordinality as named(webhook_id, place)
      cross join lateral (
        select types, pass_ids from webhooks where webhook_id = named.webhook_id and workspace_id = ${workspaceId}
        offset 0
      ) as w
    )
    select ${sendable}, wanting.places
    from (
      select ${sized} from event_log where workspace_id = ${workspaceId} and seq between ${from} and ${to}
      order by seq
      offset 0
    ) as e
    cross join lateral (select string_agg(w.place::text, ',') as places from w where ${wants('w', 'e')}) as wanting
    where wanting.places is not null and e.type not like 'webhook.%'
    limit ${most}
  `.execute(tx);
  const sets = new Map<string, ReadonlySet<string>>();
  return rows.map(({ places, ...event }) => {
    const named =
      sets.get(places) ?? new Set(places.split(',').map((place) => webhookIds[Number(place) - 1] ?? ''));
    sets.set(places, named);
    return { event, webhookIds: named };
  });
}

/** Between which numbers a webhook is to hear of events; the last is one of them. */
export interface WantedNumbers {
  readonly webhookId: string;
  readonly afterSeq: number;
  readonly toSeq: number;
}

/**
 * Has events of a workspace delivered to the webhooks that want to hear of them, once each, but for those about webhooks. The
 * webhooks for which there are any.
 */
export function insertDeliveries(tx: Tx, workspaceId: string, numbers: readonly WantedNumbers[], now: Date) {
  return prepared<{ webhookId: string }>`
    with made as (
      ${insertInto}
      select w.webhook_id, ${idOf('e', 'w')}, e.workspace_id, e.event_id, e.type, 'waiting', ${now}, false, false, 0, '[]',
        e.created_at
      from unnest(
        ${sql.list(numbers, 'uuid', ({ webhookId }) => webhookId)}, ${sql.list(numbers, 'bigint', ({ afterSeq }) => afterSeq)},
        ${sql.list(numbers, 'bigint', ({ toSeq }) => toSeq)}
      ) as named(webhook_id, after_seq, to_seq)
      cross join lateral (
        select webhook_id, types, pass_ids from webhooks
        where webhook_id = named.webhook_id and workspace_id = ${workspaceId}
        offset 0
      ) as w
      cross join lateral (
        select workspace_id, event_id, type, pass_id, created_at from event_log
        where workspace_id = ${workspaceId} and seq > named.after_seq and seq <= named.to_seq
        offset 0
      ) as e
      where ${wants('w', 'e')} and e.type not like 'webhook.%'
      order by w.webhook_id, 2
      on conflict do nothing
      returning webhook_id
    )
    select distinct webhook_id from made
  `.rows(tx);
}

/** Whether there are events about webhooks among those between two numbers. */
export async function isAnyOfWebhooks(tx: Tx, workspaceId: string, { from, to }: Numbers): Promise<boolean> {
  // All of them by their numbers: to look for one, PostgreSQL would walk through all kinds of the workspace. And with a column
  // that the index of kinds does not have.
  const { rows } = await prepared<{ isAny: boolean }>`
    with e as materialized (
      select type, created_at from event_log where workspace_id = ${workspaceId} and seq between ${from} and ${to}
    )
    select exists (select from e where type like 'webhook.%') as is_any
  `.execute(tx);
  return rows[0]?.isAny === true;
}

/** Inserts deliveries of events about webhooks, and returns how many. Such an event goes to the other webhooks, a test to its own only. */
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
