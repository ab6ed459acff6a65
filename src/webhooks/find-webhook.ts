import type { ActorCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { decodeId } from '../kit/ids.ts';
import { findDelivery } from './deliveries.sql.ts';
import { presentWithFigures } from './webhook.schema.ts';
import type { DeliveryRow, WebhookRow } from './webhook-row.ts';
import { countDeliveries, findWebhookAnywhere, findWebhookOf, lockWebhookRow } from './webhooks.sql.ts';

/** A webhook of the caller by its public id. Raises `webhook_not_found`; `forbidden` when another account owns it. */
export async function findWebhook(db: Db, ctx: ActorCtx, publicId: string): Promise<WebhookRow> {
  const webhookId = decodeId('hook', publicId);
  const row =
    webhookId === null
      ? undefined
      : ((await findWebhookOf(db, ctx.workspaceId, webhookId)) ?? (await findWebhookAnywhere(db, webhookId)));
  if (row === undefined || row.status === 'deleted')
    throw refusal(
      'webhook_not_found',
      'No webhook of this workspace has this id. GET /webhooks lists yours.',
    );
  if (row.workspaceId !== ctx.workspaceId)
    throw refusal('forbidden', 'This webhook belongs to another account.');
  return row;
}

/** The same, locked until the transaction ends. */
export async function lockWebhook(tx: Tx, ctx: ActorCtx, publicId: string): Promise<WebhookRow> {
  const webhookId = decodeId('hook', publicId);
  // Two statements: a single one that waits for the lock would return the row as it was before the wait.
  if (webhookId !== null) await lockWebhookRow(tx, ctx.workspaceId, webhookId);
  return findWebhook(tx, ctx, publicId);
}

/** A delivery of a webhook of the caller. Raises `delivery_not_found`, and what `findWebhook` raises. */
export async function findOwnDelivery(
  db: Db,
  ctx: ActorCtx,
  input: { readonly webhookId: string; readonly deliveryId: string },
): Promise<DeliveryRow> {
  const webhook = await findWebhook(db, ctx, input.webhookId);
  const deliveryId = decodeId('msg', input.deliveryId);
  const row = deliveryId === null ? undefined : await findDelivery(db, webhook, deliveryId);
  if (row === undefined)
    throw refusal(
      'delivery_not_found',
      'No delivery of this webhook has this id; they are kept for 30 days.',
    );
  return row;
}

const dayMs = 86_400_000;

/** Webhooks of the caller as the API shows them, in their order, with the figures of the last day. */
export async function presentWebhooks(db: Db, { app, workspaceId }: ActorCtx, rows: readonly WebhookRow[]) {
  const since = new Date(app.now().getTime() - dayMs);
  const ids = rows.map(({ webhookId }) => webhookId);
  const figures = rows.length === 0 ? new Map() : await countDeliveries(db, workspaceId, ids, since);
  const nothing = { delivered: 0, failed: 0, waiting: 0 };
  return rows.map((row) => presentWithFigures(row, figures.get(row.webhookId) ?? nothing));
}
