import { setTimeout as sleep } from 'node:timers/promises';
import { type StoreEvent, type StoreOrder, StoreTrouble } from '../../connectors/connector.ts';
import { connectors } from '../../connectors/registry.ts';
import type { PublicCtx } from '../../context.ts';
import { byWorkspace, readByWorkspace } from '../../engine/by-workspace.ts';
import type { DueWork } from '../../engine/due.sql.ts';
import { findDueRows } from '../../engine/due-workspaces.ts';
import { leaseFound } from '../../engine/queue.sql.ts';
import { ApiError } from '../../kit/http/api-error.ts';
import { encodeId } from '../../kit/ids.ts';
import { backOff } from '../../kit/time.ts';
import { callStore, unsealCredentials } from '../../stores/call-store.ts';
import { withoutErased } from '../../stores/erased-customers.ts';
import { readEvent } from '../../stores/read-event.ts';
import { actorOf, type StoreRow } from '../../stores/store-row.ts';
import { findStores, findSuspended, forgetSecrets, listForgettable } from '../../stores/stores.sql.ts';
import { disconnectStore } from '../../stores/stores.ts';
import {
  type DueWebhook,
  deleteWebhooks,
  dueWebhooks,
  type FoundWebhook,
  findDueWebhooks,
  findOldWebhooks,
  oneMoreAttempt,
  recordWorkedOff,
  unreadable,
  type WorkedOff,
} from '../../stores/webhooks.sql.ts';
import { notePrivacyRequest } from './note-privacy-request.ts';
import { recordStoreOrder } from './record-store-order.ts';

/** A turn takes so many, and so much: bodies of strangers lie in memory meanwhile. */
const most = { count: 100, bytes: 16 * 1_048_576 };
/** A worker that dies leaves its webhooks to others after this time. */
const leaseMs = 30_000;
/** What was refused is tried again after a minute, then after twice as long each time. */
const pauses = { firstMs: 60_000, mostMs: 6 * 3_600_000 };
/** The platform has long stopped by then, and what waits for it is a person's data. */
const maxQueueMs = 30 * 24 * 3_600_000;

interface Received {
  readonly webhook: DueWebhook;
  readonly store: StoreRow;
}
interface ReceivedOrder extends Received {
  readonly order: StoreOrder;
}

/** What a webhook was refused with; null when it is done. */
type Refusals = Map<DueWebhook, string | null>;

/** The webhooks that are to be worked off. */
export function webhooksDue(): DueWork {
  return { queues: [dueWebhooks] };
}

/**
 * Works off webhooks that are due. Each has its own outcome: what cannot be read is given up, what is refused at the
 * moment waits, and neither holds up another. False when none is left.
 */
export async function workOffWebhooks(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const began = performance.now();
  const webhooks = await takeWebhooks(ctx);
  if (webhooks.length === 0) return false;
  const found = await readByWorkspace(database.db, webhooks, (db, workspaceId, its) =>
    findStores(db, workspaceId, new Set(its.map(({ storeId }) => storeId))),
  );
  const stores = new Map(found.map((store) => [store.storeId, store]));
  const refusals: Refusals = new Map();
  const subjects = new Map<DueWebhook, Subject>();
  const orders: ReceivedOrder[] = [];
  const others: (Received & { event: StoreEvent })[] = [];
  for (const webhook of webhooks) {
    const store = stores.get(webhook.storeId);
    const event = store === undefined ? null : readOrLog(ctx, store, webhook);
    if (event !== null) subjects.set(webhook, subjectOf(event));
    if (store === undefined || event === null || event instanceof StoreTrouble)
      refusals.set(webhook, unreadable);
    else if (event.kind === 'order') orders.push({ webhook, store, order: event.order });
    else others.push({ webhook, store, event });
  }
  await Promise.all([
    recordEach(ctx, orders, refusals),
    ...others.map(async (one) => refusals.set(one.webhook, await catchRefusal(ctx, () => obey(ctx, one)))),
  ]);
  const results = webhooks.map((webhook) => ({
    ...(subjects.get(webhook) ?? nothingKnown),
    ...resultOf(webhook, refusals.get(webhook) ?? null, now()),
  }));
  for (const [workspaceId, its] of Map.groupBy(results, ({ webhook }) => webhook.workspaceId))
    await database.transaction((tx) => recordWorkedOff(tx, workspaceId, its));
  // Those who wait for an answer, stores among them, use the same process and database.
  if (webhooks.length === most.count) await sleep(performance.now() - began);
  return true;
}

/**
 * Takes webhooks that are due, up to a number of them and of bytes. Each comes back at the end of its lease, should no worker record what became of it: twice as long after each time that it
 * was taken, so that one which kills its worker does so less and less often.
 */
export async function takeWebhooks({ app }: PublicCtx): Promise<DueWebhook[]> {
  const now = app.now();
  // Twice as many as are taken: another worker may have the first ones.
  const found = await findDueRows(app, dueWebhooks.job, { now, most: most.count * 2 }, (within, count) =>
    findDueWebhooks(app.database.db, { now, within, most: count }),
  );
  let bytes = 0;
  const fitting = found.filter((webhook) => {
    const before = bytes;
    bytes += webhook.bytes;
    return before < most.bytes;
  });
  const until = ({ attempts }: FoundWebhook) =>
    new Date(now.getTime() + leaseMs * 2 ** Math.min(attempts, 10));
  const claim = { now, until, most: most.count, set: oneMoreAttempt };
  const webhooks = await leaseFound({ app, queue: dueWebhooks }, fitting, claim);
  return webhooks.sort((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime());
}

/** What is recorded of what a webhook tells. */
type Subject = Pick<WorkedOff, 'orderId' | 'reason'>;
const nothingKnown: Subject = { orderId: null, reason: null };

function subjectOf(event: StoreEvent | StoreTrouble): Subject {
  if (event instanceof StoreTrouble) return { orderId: event.orderId, reason: event.message };
  // News of a refund alone do not make up for news of the order that could not be read.
  const isWhole = event.kind === 'order' && (event.order.state !== null || event.order.deleted === true);
  return isWhole ? { orderId: event.order.orderId, reason: null } : nothingKnown;
}

/** Whatever is wrong with one, the others go on. It is logged: it may be an erasure request that the law demands. */
function readOrLog(
  { app }: PublicCtx,
  store: StoreRow,
  webhook: DueWebhook,
): StoreEvent | StoreTrouble | null {
  const storeId = encodeId('store', store.storeId);
  const facts = { storeId, webhookId: encodeId('webhook', webhook.webhookId), topic: webhook.topic };
  try {
    const event = readEvent(store, webhook);
    if (event instanceof StoreTrouble)
      app.log.warn({ ...facts, orderId: event.orderId }, 'a webhook cannot be read');
    return event;
  } catch (error) {
    app.log.error({ ...facts, err: error }, 'a webhook cannot be read');
    return null;
  }
}

async function recordEach(
  ctx: PublicCtx,
  orders: readonly ReceivedOrder[],
  refusals: Refusals,
): Promise<void> {
  if (orders.length === 0) return;
  const suspended = await findSuspended(
    ctx.app.database.db,
    orders.map(({ store }) => store.workspaceId),
  );
  for (const { webhook, store } of orders)
    if (suspended.has(store.workspaceId)) refusals.set(webhook, 'workspace_suspended');
  const byStore = Map.groupBy(
    orders.filter(({ webhook }) => !refusals.has(webhook)),
    ({ store }) => store,
  );
  const wanted = await Promise.all(
    [...byStore].map(([store, received]) => withoutErased(ctx, store, received)),
  );
  // All at once: they share transactions.
  await Promise.all(
    wanted.flat().map(async ({ webhook, store, order }) => {
      const settle = () => recordStoreOrder(actorOf(ctx, store), store, order);
      refusals.set(webhook, await catchRefusal(ctx, settle));
    }),
  );
}

async function obey(
  ctx: PublicCtx,
  { store, event, webhook }: Received & { event: StoreEvent },
): Promise<void> {
  const actor = actorOf(ctx, store);
  const { database } = ctx.app;
  switch (event.kind) {
    case 'uninstalled':
      if (store.disconnectedAt !== null || (await isInstalled(ctx, store))) return;
      return database.transaction((tx) =>
        disconnectStore(tx, actor, { storeId: actor.actor, problem: 'app_uninstalled' }),
      );
    case 'data_request':
    case 'customer_redact':
    case 'shop_redact':
      return database.transaction((tx) => notePrivacyRequest(tx, actor, store, event, webhook.receivedAt));
    default:
      return;
  }
}

/** The webhook of a removal may be late, and the app installed again since. Raises StoreTrouble when the store cannot say. */
async function isInstalled({ app }: PublicCtx, store: StoreRow): Promise<boolean> {
  const { api } = connectors[store.platform];
  if (api === null) return false;
  try {
    await callStore(app, store, api.getShop(unsealCredentials(app, store)));
    return true;
  } catch (error) {
    if (!(error instanceof StoreTrouble) || error.retryMs !== null) throw error;
    return error.reason === 'store_answer_unreadable';
  }
}

/** The code of a refusal or failure; null when there was none. */
async function catchRefusal(ctx: PublicCtx, work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return error.code;
    if (error instanceof StoreTrouble) return error.reason;
    ctx.app.log.error({ err: error }, 'a webhook could not be worked off');
    return 'internal_error';
  }
}

function resultOf(webhook: DueWebhook, refused: string | null, now: Date): Omit<WorkedOff, keyof Subject> {
  if (refused === null || refused === unreadable) return { webhook, refused, dueAt: null };
  const pauseMs = backOff(pauses, webhook.attempts - 1);
  const isOver = now.getTime() - webhook.receivedAt.getTime() > maxQueueMs;
  return { webhook, refused, dueAt: isOver ? null : new Date(now.getTime() + pauseMs) };
}

const keptDays = { webhooks: 30, secrets: 90 };
const rowsPerStep = 2_000;
const dayMs = 24 * 3_600_000;

/**
 * Deletes webhooks that came more than a month ago, and what signs those of stores that were disconnected three months
 * ago. False when there is no more of it.
 */
export async function trimWebhooks(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const ago = (days: number) => new Date(now().getTime() - days * dayMs);
  const forgotten = ago(keptDays.secrets);
  for (const store of await listForgettable(database.db, forgotten))
    await database.transaction((tx) => forgetSecrets(tx, store, forgotten));
  const old = await findOldWebhooks(database.db, ago(keptDays.webhooks), rowsPerStep);
  for (const [workspaceId, webhooks] of byWorkspace(old))
    await database.transaction((tx) => deleteWebhooks(tx, workspaceId, webhooks));
  return old.length === rowsPerStep;
}
