import type { PublicCtx } from '../context.ts';
import { byWorkspace } from '../engine/by-workspace.ts';
import type { DueWork } from '../engine/due.sql.ts';
import { findWithin } from '../engine/due-workspaces.ts';
import { takeFound } from '../engine/queue.sql.ts';
import { inOneWrite } from '../kit/db/database.ts';
import { deleteDeliveries, findOldDeliveries } from './deliveries.sql.ts';
import { dueDeliveries, type FoundDelivery, findDueDeliveries, findSendable } from './due-deliveries.sql.ts';
import type { Place } from './places.ts';
import { leaseMs } from './send-webhooks.ts';
import { keptMs } from './webhook-row.ts';
import { deleteRow, findWebhooks, listForgotten } from './webhooks.sql.ts';

/** A turn takes so many. */
const mostPerTurn = 256;
/** So many workspaces are taken from at a time. */
const transactionsAtOnce = 4;

/** The events that are to be sent to webhooks. */
export function deliveriesDue(): DueWork {
  return { queues: [dueDeliveries] };
}

/**
 * Takes deliveries for which there are places, and has them sent; the turn does not wait for what becomes of them. False
 * when there is none left to take, or no place.
 */
export async function deliverWebhooks(ctx: PublicCtx): Promise<boolean> {
  const { app } = ctx;
  const { places, wantMore } = app.webhookSender;
  const most = Math.min(mostPerTurn, places.left);
  if (most === 0) return false;
  const now = app.now();
  const free = places.free();
  const found = await findWithin(app, dueDeliveries.job, { now, most }, (within, count) =>
    findDueDeliveries(app.database.db, { now, within, most: count, free, usual: places.usual }),
  );
  for (const { workspaceId } of found) wantMore(workspaceId);
  const groups = byWorkspace(found);
  const lane = async () => {
    for (let next = groups.shift(); next !== undefined; next = groups.shift())
      await takeAndSend(ctx, ...next);
  };
  await Promise.all(Array.from({ length: transactionsAtOnce }, lane));
  return found.length >= most;
}

async function takeAndSend(
  ctx: PublicCtx,
  workspaceId: string,
  found: readonly FoundDelivery[],
): Promise<void> {
  const { app } = ctx;
  const entered = new Map<string, Place>();
  for (const { webhookId, deliveryId, url, isFailing } of found) {
    const place = app.webhookSender.places.enter({ webhookId, host: hostOf(url), isFailing });
    if (place !== null) entered.set(`${webhookId}/${deliveryId}`, place);
  }
  const nameOf = ({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) =>
    `${webhookId}/${deliveryId}`;
  try {
    const now = app.now();
    const until = new Date(now.getTime() + leaseMs);
    const placed = found
      .filter((one) => entered.has(nameOf(one)))
      .map(({ webhookId, deliveryId }) => ({ workspaceId, webhookId, deliveryId }));
    const taken = await takeFound({ app, queue: dueDeliveries }, placed, { now, until, most: placed.length });
    if (taken.length === 0) return;
    const [webhooks, events] = await inOneWrite(app.database.db, (db) =>
      Promise.all([
        findWebhooks(db, workspaceId, new Set(taken.map(({ webhookId }) => webhookId))),
        findSendable(db, workspaceId, new Set(taken.map(({ eventId }) => eventId))),
      ]),
    );
    for (const delivery of taken) {
      const name = nameOf(delivery);
      const place = entered.get(name);
      if (place === undefined) continue;
      entered.delete(name);
      app.webhookSender.send({
        delivery,
        place,
        webhook: webhooks.find(({ webhookId }) => webhookId === delivery.webhookId),
        event: events.find(({ eventId }) => eventId === delivery.eventId),
      });
    }
  } finally {
    for (const place of entered.values()) place.leave();
  }
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}

const rowsPerStep = 2_000;

/** Deletes what became of events of more than a month ago, and webhooks that were deleted by then. False when there is no more of it. */
export async function trimDeliveries(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const before = new Date(now().getTime() - keptMs);
  const old = await findOldDeliveries(database.db, before, rowsPerStep);
  for (const [workspaceId, its] of byWorkspace(old))
    await database.transaction((tx) => deleteDeliveries(tx, workspaceId, its));
  // Those of a webhook that was just deleted have a day to follow it.
  const forgotten = await listForgotten(database.db, new Date(before.getTime() - 86_400_000), rowsPerStep);
  for (const webhook of forgotten) await database.transaction((tx) => deleteRow(tx, webhook));
  return old.length === rowsPerStep || forgotten.length === rowsPerStep;
}
