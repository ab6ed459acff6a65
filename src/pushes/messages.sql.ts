import type { Page } from '../engine/page.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import type { Audience } from './rollouts.sql.ts';

/** Pushes that have ended, of one message. */
export interface DeliveryCount {
  readonly messageId: string;
  readonly delivered: number;
  readonly failed: number;
}

/** A message with its outcome so far, whether it has gone out or waits for that. */
export interface MessageRow {
  readonly workspaceId: string;
  readonly rolloutId: string;
  readonly passId: string;
  readonly message: string | null;
  readonly audience: Audience | null;
  readonly stage: 'cards' | 'devices' | 'finished' | 'planned' | 'cancelled' | 'unsent';
  readonly cards: number;
  readonly done: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly sendAt: Date | null;
  readonly endsAt: Date | null;
  readonly endedAt: Date | null;
  /** Why it was not sent. */
  readonly reason: string | null;
  readonly delivered: number;
  readonly failed: number;
}

/** Counts pushes of messages of a workspace that have ended, in the order of the messages' ids. */
export async function addDeliveries(
  tx: Tx,
  workspaceId: string,
  counts: readonly DeliveryCount[],
): Promise<void> {
  const sorted = [...counts].sort((a, b) => (a.messageId < b.messageId ? -1 : 1));
  await sql`
    insert into message_deliveries as m (workspace_id, rollout_id, delivered, failed)
    select ${workspaceId}, c.message_id, c.delivered, c.failed
    from unnest(
      ${sorted.map(({ messageId }) => messageId)}::uuid[], ${sorted.map(({ delivered }) => delivered)}::bigint[],
      ${sorted.map(({ failed }) => failed)}::bigint[]
    ) as c(message_id, delivered, failed)
    on conflict (workspace_id, rollout_id) do update set
      delivered = m.delivered + excluded.delivered, failed = m.failed + excluded.failed
  `.execute(tx);
}

const sent = sql`
  workspace_id, rollout_id, pass_id, message, audience, stage, cards, done, created_at, finished_at, send_at, ends_at, ended_at,
  null::text as reason`;

const planned = sql`
  workspace_id, message_id as rollout_id, pass_id, message, audience, state as stage, 0::bigint as cards, 0::bigint as done,
  created_at, null::timestamptz as finished_at, send_at, ends_at, null::timestamptz as ended_at, reason`;

const columns = sql`m.*, coalesce(d.delivered, 0) as delivered, coalesce(d.failed, 0) as failed`;

const withDeliveries = (workspaceId: string) => sql`
  left join lateral (
    select delivered, failed from message_deliveries
    where rollout_id = m.rollout_id and workspace_id = ${workspaceId} limit 1
  ) as d on true`;

/** A message of a workspace by its id; undefined where it has none such. */
export function findMessageOf(
  db: Db,
  workspaceId: string,
  messageId: string,
): Promise<MessageRow | undefined> {
  return sql<MessageRow>`
    select ${columns}
    from (
      select ${sent} from rollouts
      where workspace_id = ${workspaceId} and rollout_id = ${messageId} and kind = 'message'
      union all
      select ${planned} from planned_messages where workspace_id = ${workspaceId} and message_id = ${messageId}
    ) as m
    ${withDeliveries(workspaceId)}
  `.first(db);
}

/** Whether any workspace has such a message: for a caller that has looked in its own first. */
export async function messageExists(db: Db, messageId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from rollouts where rollout_id = ${messageId} and kind = 'message'
    union all
    select 1 from planned_messages where message_id = ${messageId}
  `.execute(db);
  return rows.length > 0;
}

/** The messages of a pass with ids below `after`, newest first. */
export function listMessagesOf(
  db: Db,
  { workspaceId, passId }: { readonly workspaceId: string; readonly passId: string },
  { after, take }: Page,
): Promise<MessageRow[]> {
  return sql<MessageRow>`
    select ${columns}
    from (
      (
        select ${sent} from rollouts
        where workspace_id = ${workspaceId} and pass_id = ${passId} and kind = 'message'
          ${after === null ? sql`` : sql`and rollout_id < ${after}::uuid`}
        order by rollout_id desc
        limit ${take}
      )
      union all
      (
        select ${planned} from planned_messages
        where workspace_id = ${workspaceId} and pass_id = ${passId}
          ${after === null ? sql`` : sql`and message_id < ${after}::uuid`}
        order by message_id desc
        limit ${take}
      )
      order by rollout_id desc
      limit ${take}
    ) as m
    ${withDeliveries(workspaceId)}
    order by m.rollout_id desc
  `.rows(db);
}
