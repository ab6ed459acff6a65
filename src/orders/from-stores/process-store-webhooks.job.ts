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
  recordWebhookOutcomes,
  unreadable,
  type WebhookOutcome,
} from '../../stores/webhooks.sql.ts';
import { notePrivacyRequest } from './note-privacy-request.ts';
import { recordStoreOrder } from './record-store-order.ts';

/** The limits of one round: the bodies are in memory at the same time. */
const most = { count: 100, bytes: 16 * 1_048_576 };
/** Other workers process the webhooks of a dead worker after this time. */
const leaseMs = 30_000;
/** Retries after a refusal: after a minute, then after twice as long each time. */
const pauses = { firstMs: 60_000, mostMs: 6 * 3_600_000 };
/** A webhook is abandoned after this time. The platform has long stopped retrying, and the body is personal data. */
const giveUpAfterMs = 30 * 24 * 3_600_000;

interface Received {
  readonly webhook: DueWebhook;
  readonly store: StoreRow;
}
interface ReceivedOrder extends Received {
  readonly order: StoreOrder;
}

/** The refusal of each webhook; null if it was processed. */
type Refusals = Map<DueWebhook, string | null>;

/** The webhooks that are due. */
export function webhooksDue(): DueWork {
  return { queues: [dueWebhooks] };
}

/**
 * Processes webhooks that are due. Each has its own outcome: one that cannot be read is abandoned, one that is refused at
 * the moment is retried later, and neither delays another. False if none is left.
 */
export async function processStoreWebhooks(ctx: PublicCtx): Promise<boolean> {
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
    await database.transaction((tx) => recordWebhookOutcomes(tx, workspaceId, its));
  // Callers who wait for an answer, stores among them, use the same process and database.
  if (webhooks.length === most.count) await sleep(performance.now() - began);
  return true;
}

/**
 * Leases webhooks that are due, up to a number of them and of bytes. A webhook whose outcome no worker records is due again
 * at the end of its lease. Each lease is twice as long as the one before, so that a webhook which kills its worker does so
 * less and less often.
 */
export async function takeWebhooks({ app }: PublicCtx): Promise<DueWebhook[]> {
  const now = app.now();
  // Twice as many as are leased: another worker may have the first ones.
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

/** The part of an outcome that depends on the content of the webhook. */
type Subject = Pick<WebhookOutcome, 'orderId' | 'reason'>;
const nothingKnown: Subject = { orderId: null, reason: null };

function subjectOf(event: StoreEvent | StoreTrouble): Subject {
  if (event instanceof StoreTrouble) return { orderId: event.orderId, reason: event.message };
  // A webhook with nothing but a refund does not replace one about the order that could not be read.
  const isWhole = event.kind === 'order' && (event.order.state !== null || event.order.deleted === true);
  return isWhole ? { orderId: event.order.orderId, reason: null } : nothingKnown;
}

/** Reads a webhook. A failure is logged, since it may be an erasure request, and does not stop the others. */
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

/** True if the app is installed: it may have been installed again since the webhook of its removal. Raises StoreTrouble if the store cannot say. */
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
    ctx.app.log.error({ err: error }, 'a webhook could not be processed');
    return 'internal_error';
  }
}

function resultOf(
  webhook: DueWebhook,
  refused: string | null,
  now: Date,
): Omit<WebhookOutcome, keyof Subject> {
  if (refused === null || refused === unreadable) return { webhook, refused, dueAt: null };
  const pauseMs = backOff(pauses, webhook.attempts - 1);
  const isOver = now.getTime() - webhook.receivedAt.getTime() > giveUpAfterMs;
  return { webhook, refused, dueAt: isOver ? null : new Date(now.getTime() + pauseMs) };
}

const keptDays = { webhooks: 30, secrets: 90 };
const rowsPerStep = 2_000;
const dayMs = 24 * 3_600_000;

/**
 * Deletes webhooks that are older than a month, and the webhook secrets of stores that were disconnected three months ago.
 * False if nothing is left.
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
