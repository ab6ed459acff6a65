import type { KeyObject } from 'node:crypto';
import type { PublicCtx } from '../context.ts';
import { wakeAfter } from '../engine/wake-after.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { findSendable } from './due-deliveries.sql.ts';
import { insertDeliveries, insertOwnDeliveries, isAnyOfWebhooks } from './new-deliveries.sql.ts';
import { leaseMs } from './send-webhooks.ts';
import type { WebhookRow } from './webhook-row.ts';
import { signingKeys } from './webhook-secrets.ts';
import type { Handed } from './webhook-sender.ts';
import { listWebhooks } from './webhooks.sql.ts';

/**
 * Has events of a workspace that were just numbered delivered to its webhooks, in the transaction that numbers them. As many as
 * there is room for are taken by this process at once, and sent after the commit.
 */
export async function fanOut(
  tx: Tx,
  ctx: PublicCtx,
  workspaceId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const { now, webhookSender } = ctx.app;
  const webhooks = await listWebhooks(tx, workspaceId, null, mostWebhooks);
  if (webhooks.length === 0) return;
  const numbers = { from, to, now: now() };
  const until = new Date(numbers.now.getTime() + leaseMs);
  const rooms = webhooks.flatMap((webhook) => {
    const room = webhook.status === 'active' ? webhookSender.handed.roomOf(webhook) : 0;
    const keys = room === 0 ? null : keysOf(ctx, webhook);
    return keys === null ? [] : [{ webhookId: webhook.webhookId, room, webhook, keys }];
  });
  const [made, areOfWebhooks] = await Promise.all([
    insertDeliveries(tx, workspaceId, numbers, { until, rooms }),
    isAnyOfWebhooks(tx, workspaceId, numbers),
  ]);
  const behind = made.filter(({ waiting }) => waiting > 0).map(({ webhookId }) => webhookId);
  const own = areOfWebhooks ? await tellWebhooks(tx, workspaceId, webhooks, numbers) : 0;
  if (behind.length > 0 || own > 0) wakeAfter(tx, ctx, workspaceId, 'deliverWebhooks');
  const handed = await takenOf(tx, workspaceId, { made, rooms, until });
  tx.unit.afterCommit(`handDeliveries ${workspaceId} ${from}`, () => {
    for (const webhookId of behind) webhookSender.handed.noteBehind(webhookId);
    webhookSender.handed.add(handed);
  });
}

/** What signs the messages of a webhook; null where it cannot be opened: those wait in the table, and events get numbers. */
function keysOf({ app }: PublicCtx, webhook: WebhookRow): KeyObject[] | null {
  try {
    return signingKeys(app, webhook);
  } catch {
    return null;
  }
}

interface Made {
  readonly made: Awaited<ReturnType<typeof insertDeliveries>>;
  readonly rooms: readonly { readonly webhook: WebhookRow; readonly keys: readonly KeyObject[] }[];
  readonly until: Date;
}

/** What is sent of the deliveries that were made as taken, in the order of their events. */
async function takenOf(tx: Tx, workspaceId: string, { made, rooms, until }: Made): Promise<Handed[]> {
  const taken = made.flatMap(({ webhookId, takenIds, eventIds }) => {
    const room = rooms.find(({ webhook }) => webhook.webhookId === webhookId);
    if (room === undefined || takenIds === null || eventIds === null) return [];
    return [{ ...room, deliveryIds: takenIds.split(','), eventIds: eventIds.split(',') }];
  });
  if (taken.length === 0) return [];
  const events = await findSendable(tx, workspaceId, new Set(taken.flatMap(({ eventIds }) => eventIds)));
  const byId = new Map(events.map((event) => [event.eventId, event]));
  return taken.flatMap(({ webhook, keys, deliveryIds, eventIds }) =>
    deliveryIds.flatMap((deliveryId, place): Handed[] => {
      const event = byId.get(eventIds[place] ?? '');
      if (event === undefined) return [];
      const { webhookId } = webhook;
      const { eventId, type } = event;
      const lease = { workspaceId, webhookId, deliveryId, tries: 0, isSingle: false, dueAt: until };
      return [{ delivery: { ...lease, eventId, type }, webhook, keys, event }];
    }),
  );
}

async function tellWebhooks(
  tx: Tx,
  workspaceId: string,
  webhooks: readonly WebhookRow[],
  numbers: { readonly from: number; readonly to: number; readonly now: Date },
): Promise<number> {
  const named = webhooks.map(({ webhookId }) => ({ webhookId, publicId: encodeId('hook', webhookId) }));
  return insertOwnDeliveries(tx, workspaceId, named, numbers);
}

/** No workspace has more. */
const mostWebhooks = 100;
