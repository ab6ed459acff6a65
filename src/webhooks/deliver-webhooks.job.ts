import type { App, PublicCtx } from '../context.ts';
import { byWorkspace } from '../engine/by-workspace.ts';
import type { DueWork } from '../engine/due.sql.ts';
import { findDueRows } from '../engine/due-workspaces.ts';
import { leaseDue, leaseRows } from '../engine/queue.sql.ts';
import { groupByTransaction, transactionsAtOnce } from '../engine/share-transactions.ts';
import { allEnded, withConcurrency } from '../kit/promises.ts';
import { claims, makeMissing } from './claims.sql.ts';
import { deleteDeliveries, findOldDeliveries } from './deliveries.sql.ts';
import { dueDeliveries, type FoundDelivery, findDueDeliveries, findSendable } from './due-deliveries.sql.ts';
import { hostOf, type Place } from './places.ts';
import { leaseMs } from './send-webhooks.ts';
import { keptMs, type WebhookRow } from './webhook-row.ts';
import { signingKeys } from './webhook-secrets.ts';
import type { Outgoing } from './webhook-sender.ts';
import { deleteRow, findWebhooks, listForgotten } from './webhooks.sql.ts';

/** A turn takes so many. */
const mostPerTurn = 512;
/** The events that are to be sent to webhooks. */
export function deliveriesDue(): DueWork {
  return { queues: [dueDeliveries] };
}

/**
 * Leases deliveries for which there are permits, and hands them to the sender, without waiting for their outcomes. False
 * if no delivery is due, or no permit is free.
 */
export async function deliverWebhooks(ctx: PublicCtx): Promise<boolean> {
  const { app } = ctx;
  const { places, handed, onCapacity } = app.webhookSender;
  const most = Math.min(mostPerTurn, places.left);
  if (most === 0) return false;
  const now = app.now();
  const free = places.free();
  const found = await findDueRows(app, dueDeliveries.job, { now, most }, (within, count) =>
    findDueDeliveries(app.database.db, { now, within, most: count, free, usual: places.usual }),
  );
  for (const { workspaceId } of found) onCapacity(workspaceId);
  if (found.length < most) {
    const known = new Map(free.map((one) => [one.webhookId, one.free]));
    const its = Map.groupBy(found, ({ webhookId }) => webhookId);
    for (const webhookId of [...handed.behind])
      if ((its.get(webhookId)?.length ?? 0) < (known.get(webhookId) ?? places.usual))
        handed.clearSpilled(webhookId);
  }
  await withConcurrency(groupByTransaction(app, byWorkspace(found)), transactionsAtOnce, (groups) =>
    takeAndSend(ctx, groups),
  );
  return found.length >= most;
}

/** Leases the deliveries for which there are permits, in a transaction, and hands them to the sender. */
async function takeAndSend(
  ctx: PublicCtx,
  groups: readonly (readonly [workspaceId: string, found: readonly FoundDelivery[]])[],
): Promise<void> {
  const { app } = ctx;
  const entered = new Map<string, Place>();
  const placed = groups.flatMap(([workspaceId, found]) => {
    const its = found.filter(({ webhookId, deliveryId, url, isFailing }) => {
      const place = app.webhookSender.places.enter({ workspaceId, webhookId, host: hostOf(url), isFailing });
      if (place !== null) entered.set(nameOf({ webhookId, deliveryId }), place);
      return place !== null;
    });
    return its.length === 0 ? [] : [[workspaceId, its] as const];
  });
  try {
    for (const outgoing of await takeWithEvents(ctx, placed)) {
      const place = entered.get(nameOf(outgoing.delivery));
      if (place === undefined) continue;
      entered.delete(nameOf(outgoing.delivery));
      app.webhookSender.send({ ...outgoing, place });
    }
  } finally {
    for (const place of entered.values()) place.leave();
  }
}

/** Leases deliveries, and loads their events and webhooks. Skips deliveries that another worker has leased. */
async function takeWithEvents(
  { app }: PublicCtx,
  groups: readonly (readonly [workspaceId: string, found: readonly FoundDelivery[]])[],
): Promise<Omit<Outgoing, 'place'>[]> {
  if (groups.length === 0) return [];
  const now = app.now();
  const until = new Date(now.getTime() + leaseMs);
  return app.database.transaction(async (tx) => {
    const all = groups.map(async ([workspaceId, found]) => {
      const taken = await leaseRows(tx, dueDeliveries, keysOf(found), { now, until, most: found.length });
      if (taken.length === 0) return [];
      const [webhooks, events] = await Promise.all([
        findWebhooks(tx, workspaceId, new Set(taken.map(({ webhookId }) => webhookId))),
        findSendable(tx, workspaceId, new Set(taken.map(({ eventId }) => eventId))),
      ]);
      const byId = new Map(events.map((event) => [event.eventId, event]));
      const hooks = new Map(webhooks.map((webhook) => [webhook.webhookId, withKeys(app, webhook)]));
      return taken.map((delivery) => ({
        delivery,
        claim: null,
        ...(hooks.get(delivery.webhookId) ?? { webhook: undefined, keys: [] }),
        event: byId.get(delivery.eventId),
      }));
    });
    return (await allEnded(all)).flat();
  });
}

/** A webhook, and what signs its messages: opened once for all that is sent there. */
function withKeys(app: App, webhook: WebhookRow) {
  return { webhook, keys: webhook.status === 'deleted' ? [] : signingKeys(app, webhook) };
}

function keysOf(
  found: readonly FoundDelivery[],
): Pick<FoundDelivery, 'workspaceId' | 'webhookId' | 'deliveryId'>[] {
  return found.map(({ workspaceId, webhookId, deliveryId }) => ({ workspaceId, webhookId, deliveryId }));
}

function nameOf({
  webhookId,
  deliveryId,
}: {
  readonly webhookId: string;
  readonly deliveryId: string;
}): string {
  return `${webhookId}/${deliveryId}`;
}

const claimsPerStep = 100;

/** Moves to the table what a process had claimed before it died. False if nothing is left. */
export async function takeOverClaims({ app }: PublicCtx): Promise<boolean> {
  const now = app.now();
  const taken = await leaseDue(
    { app, queue: claims },
    {
      now,
      until: new Date(now.getTime() + leaseMs),
      most: claimsPerStep,
      also: async (tx, rows) => {
        for (const [workspaceId, its] of byWorkspace(rows)) await makeMissing(tx, workspaceId, its, now);
      },
    },
  );
  for (const [workspaceId] of byWorkspace(taken)) app.wake('deliverWebhooks', workspaceId);
  return taken.length === claimsPerStep;
}

const rowsPerStep = 2_000;

/** Deletes deliveries of events older than a month, and webhooks that were deleted before that. False if nothing is left. */
export async function trimDeliveries(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const before = new Date(now().getTime() - keptMs);
  const old = await findOldDeliveries(database.db, before, rowsPerStep);
  for (const [workspaceId, its] of byWorkspace(old))
    await database.transaction((tx) => deleteDeliveries(tx, workspaceId, its));
  // The deliveries of a webhook that was just deleted get one more day to be deleted first.
  const forgotten = await listForgotten(database.db, new Date(before.getTime() - 86_400_000), rowsPerStep);
  for (const webhook of forgotten) await database.transaction((tx) => deleteRow(tx, webhook));
  return old.length === rowsPerStep || forgotten.length === rowsPerStep;
}
