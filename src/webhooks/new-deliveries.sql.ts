import type { Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import { idOf, wants } from './deliveries.sql.ts';

/** What came of events that were just numbered, at one webhook. */
interface FannedOut {
  readonly webhookId: string;
  /** How many wait in the table. */
  readonly waiting: number;
  /** Those that were made as taken, and their events: ids with commas between them; null where there are none. */
  readonly takenIds: string | null;
  readonly eventIds: string | null;
}

/** Which deliveries are made as taken by their maker. */
interface Taking {
  /** The end of the lease. */
  readonly until: Date;
  /** So many of each webhook, the first ones; none of others. */
  readonly rooms: readonly { readonly webhookId: string; readonly room: number }[];
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
  { until, rooms }: Taking,
): Promise<FannedOut[]> {
  const { rows } = await prepared<FannedOut>`
    with w as materialized (
      select webhook_id, types, pass_ids, coalesce(known.room, 0) as room
      from webhooks
      left join unnest(
        ${sql.list(rooms, 'uuid', ({ webhookId }) => webhookId)}, ${sql.list(rooms, 'int', ({ room }) => room)}
      ) as known(id, room) on known.id = webhook_id
      where workspace_id = ${workspaceId} and status = 'active'
    ), wanted as (
      select w.webhook_id, ${idOf('e', 'w')} as delivery_id, e.workspace_id, e.event_id, e.type, e.created_at,
        row_number() over (partition by w.webhook_id order by e.seq) <= w.room as is_taken
      from w
      cross join lateral (
        select workspace_id, seq, event_id, type, pass_id, created_at from event_log
        where workspace_id = ${workspaceId} and seq between ${from} and ${to}
        offset 0
      ) as e
      where ${wants('w', 'e')} and e.type not like 'webhook.%'
    ), made as (
      ${insertInto}
      select webhook_id, delivery_id, workspace_id, event_id, type, 'waiting',
        case when is_taken then ${until}::timestamptz else ${now}::timestamptz end, false, false, 0, '[]', created_at
      from wanted
      on conflict do nothing
      returning webhook_id, delivery_id, event_id, due_at > ${now} as is_taken
    )
    select webhook_id, count(*) filter (where not is_taken)::int as waiting,
      string_agg(delivery_id::text, ',') filter (where is_taken) as taken_ids,
      string_agg(event_id::text, ',') filter (where is_taken) as event_ids
    from made group by webhook_id
  `.execute(tx);
  return rows;
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
