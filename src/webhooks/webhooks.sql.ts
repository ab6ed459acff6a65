import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import { firstIdSince } from '../kit/ids.ts';
import type { WebhookKey, WebhookRow } from './webhook-row.ts';

/** A webhook of a workspace. */
export function findWebhookOf(
  db: Db,
  workspaceId: string,
  webhookId: string,
): Promise<WebhookRow | undefined> {
  return sql<WebhookRow>`
    select * from webhooks where webhook_id = ${webhookId} and workspace_id = ${workspaceId}
  `.first(db);
}

/** A webhook by its id, whatever workspace owns it: for a caller that has looked in its own first. */
export function findWebhookAnywhere(db: Db, webhookId: string): Promise<WebhookRow | undefined> {
  return sql<WebhookRow>`
    select * from webhooks where webhook_id = ${webhookId}
  `.first(db);
}

/** Locks a webhook until the end of the transaction. */
export async function lockWebhookRow(tx: Tx, workspaceId: string, webhookId: string): Promise<void> {
  await sql`
    select webhook_id from webhooks
    where webhook_id = ${webhookId} and workspace_id = ${workspaceId}
    for no key update
  `.execute(tx);
}

/** Those of a workspace that were not deleted, newest first. */
export function listWebhooks(
  db: Db,
  workspaceId: string,
  after: string | null,
  take: number,
): Promise<WebhookRow[]> {
  return prepared<WebhookRow>`
    select * from webhooks
    where workspace_id = ${workspaceId} and status <> 'deleted'
      ${after === null ? sql`` : sql`and webhook_id < ${after}`}
    order by webhook_id desc limit ${take}
  `.rows(db);
}

/** Webhooks of a workspace by their ids, deleted ones too. */
export function findWebhooks(
  db: Db,
  workspaceId: string,
  webhookIds: ReadonlySet<string>,
): Promise<WebhookRow[]> {
  return sql<WebhookRow>`
    select w.* from unnest(${sql.list([...webhookIds], 'uuid')}) as named(webhook_id)
    cross join lateral (
      select * from webhooks where webhook_id = named.webhook_id and workspace_id = ${workspaceId} offset 0
    ) as w
  `.rows(db);
}

export async function insertWebhook(tx: Tx, row: WebhookRow): Promise<void> {
  const { types, passIds } = row;
  await tx
    .insertInto('webhooks')
    .values({ ...row, types: [...types], passIds: passIds === null ? null : [...passIds] })
    .execute();
}

export async function replaceWebhook(tx: Tx, row: WebhookRow): Promise<void> {
  const { workspaceId, webhookId, types, passIds, ...columns } = row;
  await tx
    .updateTable('webhooks')
    .set({ ...columns, types: [...types], passIds: passIds === null ? null : [...passIds] })
    .where('webhookId', '=', webhookId)
    .where('workspaceId', '=', workspaceId)
    .execute();
}

/** Notes that something has succeeded at webhooks that were failing. */
export async function noteSuccess(tx: Tx, workspaceId: string, webhookIds: readonly string[]): Promise<void> {
  await sql`
    update webhooks set failing_since = null, problem = case when status = 'active' then null else problem end
    where workspace_id = ${workspaceId} and webhook_id = any(${[...webhookIds]}::uuid[])
  `.execute(tx);
}

/** Notes since when a webhook has been failing, unless that is known. */
export async function noteFailure(
  tx: Tx,
  { workspaceId, webhookId }: WebhookKey,
  since: Date,
): Promise<void> {
  await sql`
    update webhooks set failing_since = ${since}
    where webhook_id = ${webhookId} and workspace_id = ${workspaceId} and failing_since is null
  `.execute(tx);
}

/** Records a new problem of a webhook, and returns the webhook. Undefined if it is not active, or has that problem already. */
export function noteProblem(
  tx: Tx,
  { workspaceId, webhookId }: WebhookKey,
  change: Pick<WebhookRow, 'status' | 'problem' | 'updatedAt'>,
): Promise<WebhookRow | undefined> {
  return sql<WebhookRow>`
    update webhooks set status = ${change.status}, problem = ${change.problem}, updated_at = ${change.updatedAt}
    where webhook_id = ${webhookId} and workspace_id = ${workspaceId} and status = 'active'
      and problem is distinct from ${change.problem}
    returning *
  `.first(tx);
}

/** The outcomes of the deliveries of a day. */
export interface DayFigures {
  readonly delivered: number;
  readonly failed: number;
  readonly waiting: number;
}

/** It, of webhooks of a workspace; of each the last ten thousand count. */
export async function countDeliveries(
  db: Db,
  workspaceId: string,
  webhookIds: readonly string[],
  since: Date,
): Promise<Map<string, DayFigures>> {
  const { rows } = await sql<DayFigures & { webhookId: string }>`
    select named.webhook_id, counted.delivered, counted.failed, counted.waiting
    from unnest(${sql.list(webhookIds, 'uuid')}) as named(webhook_id)
    cross join lateral (
      select count(*) filter (where status = 'delivered')::int as delivered,
        count(*) filter (where status = 'failed')::int as failed,
        count(*) filter (where status = 'waiting')::int as waiting
      from (
        select status from webhook_deliveries
        where webhook_id = named.webhook_id and workspace_id = ${workspaceId} and delivery_id >= ${firstIdSince(since)}
        order by delivery_id desc
        limit 10000
      ) as last
    ) as counted
  `.execute(db);
  return new Map(rows.map(({ webhookId, ...figures }) => [webhookId, figures]));
}

/** Webhooks that were deleted before a moment. */
export function listForgotten(db: Db, before: Date, limit: number): Promise<WebhookKey[]> {
  return sql<WebhookKey>`
    select workspace_id, webhook_id from webhooks
    where status = 'deleted' and updated_at < ${before}
    order by updated_at limit ${limit}
  `.rows(db);
}

/** Deletes the row of a webhook. */
export async function deleteRow(tx: Tx, { workspaceId, webhookId }: WebhookKey): Promise<void> {
  await sql`
    delete from webhooks where webhook_id = ${webhookId} and workspace_id = ${workspaceId}
  `.execute(tx);
}

/** How many webhooks are in each state that is of interest. */
export async function countWebhooks(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; count: number }>`
    select case when status = 'active' and failing_since is not null then 'failing' else status end as state,
      count(*)::int as count
    from webhooks where status <> 'deleted' group by 1
  `.execute(db);
  return {
    active: 0,
    failing: 0,
    paused: 0,
    disabled: 0,
    ...Object.fromEntries(rows.map((row) => [row.state, row.count])),
  };
}
