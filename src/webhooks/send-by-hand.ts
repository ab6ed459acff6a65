import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { wakeAfter } from '../engine/wake-after.ts';
import { refusal } from '../errors.ts';
import { findCounter, findMoment } from '../events/event-log.sql.ts';
import { findSentSeq } from '../events/log-cursor.sql.ts';
import { findFirstSeq } from '../events/read-events.ts';
import { recordEvent } from '../events/record-event.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { encodeId } from '../kit/ids.ts';
import { recoverDeliveries, sendAgain } from './deliveries.sql.ts';
import { findOwnDelivery, findWebhook } from './find-webhook.ts';
import { deliveryIdOf } from './sign-message.ts';
import { presentDelivery, presentWebhook } from './webhook.schema.ts';

/** Sends a `webhook.test` to a webhook once, whatever its status and kinds. */
export async function testWebhook(tx: Tx, ctx: KeyCtx, input: { webhookId: string }) {
  const webhook = await findWebhook(tx, ctx, input.webhookId);
  const eventId = recordEvent(tx, ctx, {
    type: 'webhook.test',
    passId: null,
    instanceId: null,
    data: presentWebhook(webhook),
  });
  audit(tx, ctx, { action: 'testWebhook', target: input.webhookId });
  return {
    eventId: encodeId('evt', eventId),
    deliveryId: encodeId('msg', deliveryIdOf(eventId, webhook.webhookId)),
  };
}

/** Sends a delivery again at once. One that was delivered or abandoned is tried only once. */
export async function resendDelivery(tx: Tx, ctx: KeyCtx, input: { webhookId: string; deliveryId: string }) {
  const { app, workspaceId } = ctx;
  const delivery = await findOwnDelivery(tx, ctx, input);
  await sendAgain(tx, delivery, app.now());
  wakeAfter(tx, ctx, workspaceId, 'deliverWebhooks');
  audit(tx, ctx, {
    action: 'resendDelivery',
    target: input.webhookId,
    detail: { deliveryId: input.deliveryId, before: { status: delivery.status } },
  });
  return presentDelivery(await findOwnDelivery(tx, ctx, input), ctx.key);
}

const longestMs = 14 * 86_400_000;
/** Events of one moment get their numbers within this time: transactions are long, and clocks apart. */
const spareMs = 10_000;
/** The limits of one call: events that it looks at, and deliveries that it sends again. */
const most = { events: 50_000, deliveries: 10_000 };

/**
 * Sends the events since a moment again that a webhook wants to hear of and that were not delivered to it, those of the
 * time among them when it was paused or disabled. Raises `webhook_not_active`.
 */
export async function recoverWebhook(tx: Tx, ctx: KeyCtx, input: { webhookId: string; since: string }) {
  const { app, workspaceId } = ctx;
  const now = app.now();
  const since = new Date(input.since);
  if (since > now) throw invalidField('since', 'past', 'must not be in the future.');
  if (now.getTime() - since.getTime() > longestMs)
    throw invalidField('since', 'max_days_ago', 'must not be more than 14 days ago.', { limit: 14 });
  const webhook = await findWebhook(tx, ctx, input.webhookId);
  if (webhook.status !== 'active')
    throw refusal(
      'webhook_not_active',
      `The webhook is ${webhook.status}. Activate it first: PATCH /webhooks/{webhookId}.`,
    );
  const counter = await findCounter(tx, workspaceId);
  if (counter === undefined) return { recovered: 0, nextSince: null };
  const from = await findFirstSeq(tx, workspaceId, counter, since.getTime() - spareMs);
  // What comes later gets its deliveries yet.
  const end = await findSentSeq(tx, workspaceId);
  const to = Math.min(end, from + most.events - 1);
  const { recovered, lastSeq } = await recoverDeliveries(tx, webhook, {
    from,
    to,
    most: most.deliveries,
    now,
  });
  if (recovered > 0) wakeAfter(tx, ctx, workspaceId, 'deliverWebhooks');
  audit(tx, ctx, {
    action: 'recoverWebhook',
    target: input.webhookId,
    detail: { since: since.toISOString(), recovered },
  });
  const isMore = lastSeq < end;
  const next = isMore ? await findMoment(tx, workspaceId, lastSeq + 1) : undefined;
  return { recovered, nextSince: next?.toISOString() ?? null };
}
