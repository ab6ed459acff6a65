import { StoreTrouble } from '../connectors/connector.ts';
import type { ActorCtx, PublicCtx } from '../context.ts';
import type { DueWork } from '../engine/due.sql.ts';
import { leaseDue, lockLeased } from '../engine/queue.sql.ts';
import { forgetInvitee, forgetInviteesOfStore } from '../invitations/forget-invitee.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { findCustomersCards, listCardsOfOrders } from '../orders/customers-cards.sql.ts';
import { isSame, namesOf } from '../stores/erased-customers.ts';
import {
  dropWebhooks,
  duePrivacyRequests,
  type KeptWebhook,
  listCardsOfPrefix,
  listKeptWebhooks,
  type PrivacyRequestRow,
  savePrivacyStep,
} from '../stores/privacy.sql.ts';
import { readEvent } from '../stores/read-event.ts';
import { actorOf, identifierOf, type StoreRow } from '../stores/store-row.ts';
import { findStoreOf } from '../stores/stores.sql.ts';
import { disconnectStore } from '../stores/stores.ts';
import { eraseInstance } from './erase-instance.ts';

/** A step is one transaction: what it did is committed with how far it came, so that a crash repeats nothing. */
const step = {
  webhooks: { count: 1_000, bytes: 8 * 1_048_576 },
  cards: 20,
  orders: 20,
  rows: 2_000,
  invites: 200,
};
/** A worker that dies in the middle of a step leaves it to others after this time. */
const leaseMs = 60_000;

/** What a step needs, and where it goes on: its place; null when it is through. */
interface Walk {
  readonly tx: Tx;
  readonly ctx: ActorCtx;
  readonly store: StoreRow;
  readonly request: PrivacyRequestRow;
}
type Step = (walk: Walk, after: string | null) => Promise<string | null>;

const steps: Readonly<Record<PrivacyRequestRow['topic'], readonly Step[]>> = {
  data_request: [],
  customer_redact: [dropOfCustomer, eraseFound, forgetCustomer],
  shop_redact: [leaveStore, dropAll, eraseOfOrders, eraseOfPrefix, forgetInvited],
};

/** What platforms have demanded to be erased. */
export function privacyRequestsDue(): DueWork {
  return { queues: [duePrivacyRequests] };
}

/** Takes the next step of what a platform has demanded to be erased. False when there is none. */
export async function obeyPrivacyRequests(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const lease = { now: now(), until: new Date(now().getTime() + leaseMs), most: 1 };
  const [request] = await leaseDue({ app: ctx.app, queue: duePrivacyRequests }, lease);
  if (request === undefined) return false;
  const store = await findStoreOf(database.db, request.workspaceId, request.storeId);
  if (store === undefined) throw new Error('a privacy request has no store');
  await database.transaction(async (tx) => {
    if ((await lockLeased(tx, duePrivacyRequests, request)) === undefined) return;
    await takeStep({ tx, ctx: actorOf(ctx, store), store, request });
  });
  return true;
}

async function takeStep(walk: Walk): Promise<void> {
  const { tx, ctx, request } = walk;
  const { place, after } = readCursor(request.cursor);
  const next = await steps[request.topic][place]?.(walk, after);
  const now = ctx.app.now();
  const isOver = next == null && place + 1 >= steps[request.topic].length;
  await savePrivacyStep(tx, request, {
    cursor: next == null ? String(place + 1) : `${place} ${next}`,
    dueAt: isOver ? null : now,
    ...(isOver && { doneAt: now }),
  });
}

/** Drops what waits for the customer, and what cannot be attributed to a person. */
async function dropOfCustomer(walk: Walk, after: string | null): Promise<string | null> {
  return drop(walk, after, (webhook) => concerns(walk, webhook));
}

async function dropAll(walk: Walk, after: string | null): Promise<string | null> {
  const before = connectedSince(walk);
  return drop(walk, after, ({ receivedAt }) => before === null || receivedAt < before);
}

async function drop(
  { tx, store }: Walk,
  after: string | null,
  isDropped: (webhook: KeptWebhook) => boolean,
): Promise<string | null> {
  const webhooks = await listKeptWebhooks(tx, store, after, step.webhooks);
  const dropped = webhooks.filter(isDropped);
  await dropWebhooks(
    tx,
    store,
    dropped.map(({ webhookId }) => webhookId),
  );
  return webhooks.at(-1)?.webhookId ?? null;
}

function concerns({ ctx, store, request: { subject } }: Walk, webhook: KeptWebhook): boolean {
  const event = readEvent(store, webhook);
  // The request does not say whom it is about.
  if (event instanceof StoreTrouble) return true;
  if (event.kind !== 'order') return false;
  const { orderId, state } = event.order;
  if (subject.orderIds.includes(orderId)) return true;
  return state?.customer != null && isSame(subject, namesOf(ctx, store, state.customer));
}

async function eraseFound(walk: Walk, after: string | null): Promise<string | null> {
  const { tx, ctx, request } = walk;
  const all = after === null ? await findAgain(walk) : request.instanceIds;
  const begin = Number(after ?? '0');
  const found = all.slice(begin, begin + step.cards);
  await erase(tx, ctx, found);
  return found.length < step.cards ? null : String(begin + step.cards);
}

/** A worker that had the order when the demand came may have issued a card since. */
async function findAgain({ tx, store, request }: Walk): Promise<readonly string[]> {
  const { customerId, orderIds } = request.subject;
  const identifier = customerId === null ? null : identifierOf(store, customerId);
  const late = await findCustomersCards(tx, store, { identifier, email: null, orderIds }, false);
  const all = [...new Set([...request.instanceIds, ...late])];
  await savePrivacyStep(tx, request, { instanceIds: all });
  return all;
}

/** Invitations of the customer lose the person; the address is never written to again. */
async function forgetCustomer({ tx, ctx, store, request: { subject } }: Walk): Promise<null> {
  const { customerId, emailHash } = subject;
  await forgetInvitee(tx, ctx, {
    storeId: store.storeId,
    identifier: customerId === null ? null : identifierOf(store, customerId),
    emailHash: emailHash === null ? null : Buffer.from(emailHash, 'hex'),
  });
  return null;
}

async function leaveStore(walk: Walk): Promise<null> {
  const { tx, ctx, store } = walk;
  if (store.disconnectedAt === null && connectedSince(walk) === null)
    await disconnectStore(tx, ctx, { storeId: ctx.actor, problem: 'app_uninstalled' });
  return null;
}

/** When the store was connected again after it was to be erased: what came since is none of that; else null. */
function connectedSince({ store, request }: Walk): Date | null {
  return store.connectedAt > request.receivedAt ? store.connectedAt : null;
}

async function eraseOfOrders(walk: Walk, after: string | null): Promise<string | null> {
  const { tx, ctx, store } = walk;
  const range = { after: after ?? '', before: connectedSince(walk) };
  const { instanceIds, last } = await listCardsOfOrders(tx, store, range, step.orders);
  await erase(tx, ctx, instanceIds);
  return last;
}

async function eraseOfPrefix(walk: Walk, after: string | null): Promise<string | null> {
  const { tx, ctx, store } = walk;
  const most = { looked: step.rows, found: step.cards };
  const range = { after, before: connectedSince(walk) };
  const { instanceIds, last } = await listCardsOfPrefix(tx, store, range, most);
  await erase(tx, ctx, instanceIds);
  return last;
}

/** Those who were forgotten are passed over, so that there is no place to go on from. */
async function forgetInvited(walk: Walk): Promise<string | null> {
  const { tx, ctx, store } = walk;
  const ofStore = { storeId: store.storeId, before: connectedSince(walk) };
  return (await forgetInviteesOfStore(tx, ctx, ofStore, step.invites)) === 0 ? null : 'more';
}

/** Erases cards in the order of their ids, in which all transactions take locks. */
async function erase(tx: Tx, ctx: ActorCtx, instanceIds: readonly string[]): Promise<void> {
  for (const instanceId of [...instanceIds].sort())
    await eraseInstance(tx, ctx, { instanceId: encodeId('inst', instanceId) });
}

/** The number of a step, and where in it. */
function readCursor(cursor: string | null): { place: number; after: string | null } {
  const text = cursor ?? '0';
  const gap = text.indexOf(' ');
  return gap === -1
    ? { place: Number(text), after: null }
    : { place: Number(text.slice(0, gap)), after: text.slice(gap + 1) };
}
