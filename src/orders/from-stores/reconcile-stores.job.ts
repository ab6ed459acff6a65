import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Exchange,
  type OrderPage,
  type StoreApi,
  type StoreOrder,
  StoreTrouble,
  type UnreadOrder,
} from '../../connectors/connector.ts';
import { connectors } from '../../connectors/registry.ts';
import type { PublicCtx } from '../../context.ts';
import type { DueWork } from '../../engine/due.sql.ts';
import { changeLeased, leaseDue } from '../../engine/queue.sql.ts';
import { ApiError } from '../../kit/http/api-error.ts';
import { encodeId, newUuidV7 } from '../../kit/ids.ts';
import { backOff } from '../../kit/time.ts';
import { callStore, unsealCredentials } from '../../stores/call-store.ts';
import { withoutErased } from '../../stores/erased-customers.ts';
import { reconciledTopic, unreadTopic, writeOrder } from '../../stores/read-event.ts';
import { actorOf, type StoreRow } from '../../stores/store-row.ts';
import { type ClaimedStore, dueStores, findSuspended } from '../../stores/stores.sql.ts';
import { keepWebhooks, mendOrders, type NewWebhook } from '../../stores/webhooks.sql.ts';
import { recordStoreOrder } from './record-store-order.ts';

const everyMs = 15 * 60_000;
/** A store's list may show a change late: each reading starts this long before the end of the last one. */
const overlapMs = 3_600_000;
/** Longer than a request to a store takes, including the recording of its orders. */
const leaseMs = 45_000;
const pageSize = 100;
/** A store that fails is asked again after a minute, then after twice as long each time. */
const pauses = { firstMs: 60_000, mostMs: 3_600_000 };
/** A store with a permanent error waits for manual repair, but is retried every 30 minutes in case it was fixed at the platform. */
const leastLastingMs = 30 * 60_000;

/** A leased store. */
interface Turn {
  store: ClaimedStore;
}

/** The changes of the store's row at the end of a lease. */
type TurnOutcome = Partial<
  Pick<ClaimedStore, 'watermark' | 'reconciledAt' | 'reconcileAt' | 'failures' | 'problem'>
>;

/** The stores that are to be read. */
export function storesDue(): DueWork {
  return { queues: [dueStores] };
}

/**
 * Reads the orders of one store that have changed since the last reading, to make up for lost webhooks. Progress is saved
 * only when all of them were read. False if no store is due.
 */
export async function reconcileStores(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const began = now();
  const lease = { now: began, until: new Date(began.getTime() + leaseMs), most: 1 };
  const [store] = await leaseDue({ app: ctx.app, queue: dueStores }, lease);
  if (store === undefined) return false;
  const { api } = connectors[store.platform];
  if (api === null) throw new Error(`a store of the platform ${store.platform} is not to be read`);
  const turn = { store };
  if ((await findSuspended(database.db, [store.workspaceId])).size > 0) {
    await finish(ctx, turn, { reconcileAt: new Date(began.getTime() + everyMs) });
    return true;
  }
  try {
    if (await readThrough(ctx, api, turn))
      await finish(ctx, turn, {
        watermark: began,
        reconciledAt: began,
        reconcileAt: new Date(began.getTime() + everyMs),
        failures: 0,
        problem: null,
      });
  } catch (error) {
    const trouble = error instanceof StoreTrouble ? error : null;
    const storeId = encodeId('store', store.storeId);
    if (trouble === null) ctx.app.log.error({ storeId, err: error }, 'a store could not be read through');
    else ctx.app.log.warn({ storeId, reason: trouble.reason }, 'a store cannot be read');
    await fail(ctx, turn, trouble);
  }
  return true;
}

/** Reads all pages, one after the other. False if the process is about to end, or another worker has taken over. */
async function readThrough(ctx: PublicCtx, api: StoreApi, turn: Turn): Promise<boolean> {
  const { app } = ctx;
  const { store } = turn;
  const credentials = unsealCredentials(app, store);
  const since = new Date(store.watermark.getTime() - overlapMs);
  for (let after: string | null = null; ; ) {
    const question: Exchange<OrderPage> = api.listOrders(credentials, since, after, pageSize);
    const { value: page, restMs } = await callStore(app, store, question);
    await recordOrderPage(ctx, store, page);
    after = page.next;
    if (after === null) return true;
    if (app.isDraining()) {
      // The next worker starts from the beginning, at once.
      await finish(ctx, turn, { reconcileAt: app.now() });
      return false;
    }
    const until = new Date(app.now().getTime() + leaseMs + restMs);
    if (!(await change(ctx, turn, { reconcileAt: until }))) return false;
    turn.store = { ...store, reconcileAt: until };
    await sleep(restMs);
  }
}

/** Records a page of orders. Keeps refused ones to retry them like webhooks, and unreadable ones for diagnosis. */
async function recordOrderPage(
  ctx: PublicCtx,
  store: ClaimedStore,
  { items, unread }: OrderPage,
): Promise<void> {
  await Promise.all(unread.map((one) => keepUnread(ctx, store, one)));
  const read = items.map(({ orderId }) => orderId);
  if (read.length > 0) await ctx.app.database.transaction((tx) => mendOrders(tx, store, read));
  const wanted = await withoutErased(
    ctx,
    store,
    items.map((order) => ({ order })),
  );
  await Promise.all(
    wanted.map(async ({ order }) => {
      try {
        await recordStoreOrder(actorOf(ctx, store), store, order);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error;
        await keepRefused(ctx, store, order, error.code);
      }
    }),
  );
}

async function fail(ctx: PublicCtx, turn: Turn, trouble: StoreTrouble | null): Promise<void> {
  const failures = turn.store.failures + 1;
  const pauseMs = backOff(pauses, turn.store.failures);
  const leastMs = trouble === null ? 0 : (trouble.retryMs ?? leastLastingMs);
  await finish(ctx, turn, {
    reconcileAt: new Date(ctx.app.now().getTime() + Math.max(pauseMs, leastMs)),
    failures,
    // Our own failures do not count against the store.
    ...(trouble !== null && { problem: trouble.reason }),
  });
}

/** Records the end of the lease, unless another worker has it now. */
async function finish(ctx: PublicCtx, turn: Turn, outcome: TurnOutcome): Promise<void> {
  await change(ctx, turn, outcome);
}

async function change({ app }: PublicCtx, { store }: Turn, outcome: TurnOutcome): Promise<boolean> {
  return app.database.transaction((tx) => changeLeased(tx, dueStores, store, outcome));
}

/** Keeps an order that is refused at the moment, to retry it like a webhook. */
function keepRefused(ctx: PublicCtx, store: StoreRow, order: StoreOrder, refused: string): Promise<unknown> {
  return keep(ctx, store, { topic: reconciledTopic, body: writeOrder(order), refused });
}

function keepUnread(ctx: PublicCtx, store: StoreRow, { row, trouble }: UnreadOrder): Promise<unknown> {
  const fault = { reason: trouble.message, orderId: trouble.orderId };
  return keep(ctx, store, { topic: unreadTopic, body: Buffer.from(JSON.stringify(row)), fault });
}

/** Keeps a state of an order once, however often it is read. */
function keep(
  ctx: PublicCtx,
  store: StoreRow,
  kept: Pick<NewWebhook, 'topic' | 'body' | 'refused' | 'fault'>,
): Promise<unknown> {
  const hash = createHash('sha256').update(kept.body).digest('base64url');
  return ctx.app.groupCommit.write(keepWebhooks, store.workspaceId, {
    ...kept,
    storeId: store.storeId,
    webhookId: newUuidV7(),
    deliveryId: `${kept.topic}/${hash}`,
    receivedAt: ctx.app.now(),
  });
}
