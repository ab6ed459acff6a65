import { createHash } from 'node:crypto';
import type { StoreOrder } from '../../connectors/connector.ts';
import type { PublicCtx } from '../../context.ts';
import { newUuidV7 } from '../../kit/ids.ts';
import { reconciledTopic, writeOrder } from './kept-order.ts';
import type { StoreRow } from './store-row.ts';
import { keepWebhooks } from './webhooks.sql.ts';

/**
 * Keeps an order that was read from the store and is refused at the moment: it waits and is tried again like a webhook.
 * The same state of an order is kept once, however often it is read.
 */
export async function keepRefused(
  ctx: PublicCtx,
  store: StoreRow,
  order: StoreOrder,
  refused: string,
): Promise<void> {
  const body = writeOrder(order);
  const hash = createHash('sha256').update(body).digest('base64url');
  const now = ctx.app.now();
  const webhook = {
    storeId: store.storeId,
    webhookId: newUuidV7(),
    deliveryId: `${reconciledTopic}/${hash}`,
    topic: reconciledTopic,
    body,
    receivedAt: now,
    refused,
  };
  await ctx.app.groupCommit.write(keepWebhooks, store.workspaceId, webhook);
}
