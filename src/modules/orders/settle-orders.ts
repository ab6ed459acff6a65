import { refusal } from '../../errors.ts';
import { replayKnown, replayLate } from '../../idempotency.ts';
import { keepNewAnswers } from '../../kit/db/claims.ts';
import type { Tx } from '../../kit/db/database.ts';
import { ApiError, invalidRequest } from '../../kit/http/api-error.ts';
import { encodeId } from '../../kit/ids.ts';
import { type Announcements, announcements } from '../delivery/announcements.ts';
import { postItems } from '../loyalty/post-to-ledger.ts';
import { type Draft, draftsOf, nameOf, toldBy } from './draft.ts';
import { findCards } from './find-cards.ts';
import { ledgerItemOf } from './ledger-item-of.ts';
import { claimsOf, type OrderItem, type OrderOutcome } from './order-item.ts';
import { isForeign, learn, mostRefunds } from './order-state.ts';
import { lockOrders, readRefunds } from './orders.sql.ts';
import { writeOrders } from './write-orders.ts';

type Outcomes = Map<OrderItem, OrderOutcome>;

/**
 * Settles news of many orders of one pass in one transaction. What an order has earned follows from all that is known
 * of it; the ledger gets the difference. Each item has its own outcome: a refusal or a replay never affects its
 * neighbours. A refused item leaves nothing behind, nor does the card that it would have got.
 */
export async function settleOrders(
  tx: Tx,
  _lane: string,
  items: readonly OrderItem[],
): Promise<readonly OrderOutcome[]> {
  const outcomes: Outcomes = new Map();
  const [first] = items;
  if (first === undefined) return [];
  await replayKnown(tx, items, claimsOf, outcomes);
  const drafts = await draftEach(tx, unanswered(items, outcomes), outcomes);
  await findCards(tx, drafts);
  const pushes = announcements(tx, first.ctx, first.ctx.workspaceId);
  await postEach(tx, drafts, pushes);
  const answers = await writeOrders(
    tx,
    drafts.filter(({ refused }) => refused === null),
  );
  for (const [item, answer] of answers) outcomes.set(item, answer);
  for (const { items: told, refused } of drafts)
    if (refused !== null) for (const item of told) outcomes.set(item, refused);
  await keepAnswers(tx, items, answers);
  await replayLate(tx, items, claimsOf, outcomes);
  await pushes.settle();
  return items.map((item) => outcomes.get(item) ?? refusal('internal_error', 'Nothing was settled.'));
}

/** The orders as they are known, held. */
async function draftEach(tx: Tx, items: readonly OrderItem[], outcomes: Outcomes): Promise<Draft[]> {
  const chosen = takeFitting(items, outcomes);
  const [first] = chosen;
  if (first === undefined) return [];
  const { workspaceId } = first.ctx;
  const rows = await lockOrders(
    tx,
    workspaceId,
    chosen.map(({ order }) => order),
  );
  const refunds = await readRefunds(tx, workspaceId, rows);
  // Somebody who was waited for may have answered the same call.
  if (rows.length > 0) await replayKnown(tx, chosen, claimsOf, outcomes);
  const drafts = draftsOf(unanswered(chosen, outcomes), rows, refunds);
  for (const draft of drafts) draft.refused = unfitOf(draft);
  return drafts;
}

/**
 * Refunds of an order, and what its store tells of it, are settled together; calls that process or cancel it one after the
 * other, and so are repeats of a call.
 */
function takeFitting(items: readonly OrderItem[], outcomes: Outcomes): OrderItem[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const isWhole = item.operation === 'processOrder' || item.operation === 'cancelOrder';
    const names = [...item.claims.map(({ key }) => key), ...(isWhole ? [nameOf(item.order)] : [])];
    const isRepeat = names.some((name) => seen.has(name));
    if (isRepeat) outcomes.set(item, 'again');
    for (const name of names) seen.add(name);
    return !isRepeat;
  });
}

/** Why the news do not fit what is known of their order. */
function unfitOf(draft: Draft): Draft['refused'] {
  const {
    items: [item],
    row,
  } = draft;
  if (row.passId !== null && item.passId !== encodeId('pass', row.passId))
    return item.operation === 'processOrder' ? earnsElsewhere() : 'again';
  if (toldBy(draft).refunds.size > mostRefunds)
    return invalidRequest(`An order takes ${mostRefunds} refunds at most.`);
  const total = item.news.state?.total ?? null;
  if (item.operation !== 'processOrder' || !isForeign(draft.state, total)) return null;
  return invalidRequest(`total.currency: the store has told this order in ${row.currency}.`);
}

function earnsElsewhere(): ApiError {
  return refusal('external_ref_reused', 'This order was processed for another pass.');
}

/** Posts what the orders with a card have gained or lost; of the others nothing but what is known changes. */
async function postEach(tx: Tx, drafts: readonly Draft[], pushes: Announcements): Promise<void> {
  const posted = drafts.flatMap((draft) => {
    if (draft.refused !== null) return [];
    const entry = ledgerItemOf(draft);
    if (entry === null) learnAll(draft);
    return entry === null ? [] : [{ draft, entry }];
  });
  const results = await postItems(
    tx,
    posted.map(({ entry }) => entry),
    pushes,
  );
  for (const [place, { draft }] of posted.entries()) {
    const result = results[place];
    if (!(result instanceof ApiError)) draft.posted = result ?? null;
    // It takes the card along that was issued for it: alone in a transaction, everything is taken back.
    else if (draft.cardIsNew) throw result;
    else draft.refused = result;
  }
}

function learnAll(draft: Draft): void {
  for (const item of draft.items) {
    draft.state = learn(draft.state, item.news);
    draft.results.set(item, { state: draft.state, settled: draft.settled, gained: 0 });
  }
}

async function keepAnswers(
  tx: Tx,
  items: readonly OrderItem[],
  answers: ReadonlyMap<OrderItem, { readonly status: number; readonly body: string }>,
): Promise<void> {
  const kept = items.flatMap((item) => {
    const answer = answers.get(item);
    return answer === undefined ? [] : claimsOf(item).map((claim) => ({ ...claim, ...answer }));
  });
  await keepNewAnswers(tx, items[0]?.ctx.workspaceId ?? '', kept);
}

function unanswered(items: readonly OrderItem[], outcomes: Outcomes): OrderItem[] {
  return items.filter((item) => !outcomes.has(item));
}
