import { again, batchOf } from '../../engine/batch.ts';
import { refusal } from '../../errors.ts';
import type { Tx } from '../../kit/db/database.ts';
import { ApiError, invalidRequest } from '../../kit/http/api-error.ts';
import { firstId } from '../../kit/id-range.ts';
import { decodeId, encodeId } from '../../kit/ids.ts';
import { findHolders } from '../instances/find-holders.ts';
import { post } from '../loyalty/post-to-ledger.ts';
import { type Draft, draftsOf, toldBy } from './draft.ts';
import { findCards } from './find-cards.ts';
import { ledgerItemOf } from './ledger-item-of.ts';
import type { OrderItem, SettledOrder } from './order-item.ts';
import { isForeign, learn, mostRefunds } from './order-state.ts';
import { lockOrders, type OrderRow, type RefundRow, readRefunds } from './orders.sql.ts';
import { writeOrders } from './write-orders.ts';

/** What is known of orders, which are held, and the cards that their customers have now. */
interface Known {
  readonly rows: readonly OrderRow[];
  readonly refunds: readonly RefundRow[];
  readonly cards: ReadonlyMap<OrderItem, string | null>;
}

/**
 * Settles news of many orders of one pass in one transaction. What an order has earned follows from all that is known
 * of it; the ledger gets the difference. Refunds of an order, and what its store tells of it, are settled together. A
 * refused item leaves nothing behind, nor does the card that it would have got.
 */
export const settleOrders = batchOf<OrderItem, SettledOrder, Known>({
  async load(tx, items) {
    const { workspaceId } = items[0]?.ctx ?? { workspaceId: firstId };
    const keys = items.map(({ order }) => order);
    const buyers = items.flatMap(({ customer }) => customer ?? []);
    // Without a pass there is nobody to find.
    const ofPass = { workspaceId, passId: decodeId('pass', items[0]?.passId ?? '') ?? firstId };
    const [rows, refunds, found] = await Promise.all([
      lockOrders(tx, workspaceId, keys),
      readRefunds(tx, workspaceId, keys),
      findHolders(tx, ofPass, buyers),
    ]);
    const cards = items.filter(({ customer }) => customer !== null);
    return { rows, refunds, cards: new Map(cards.map((item, place) => [item, found[place] ?? null])) };
  },
  async settle(tx, items, { rows, refunds, cards }) {
    const drafts = draftsOf(items, rows, refunds);
    for (const draft of drafts) draft.refused = unfitOf(draft);
    await findCards(tx, drafts, cards);
    await postEach(tx, drafts);
    const settled = await writeOrders(
      tx,
      drafts.filter(({ refused }) => refused === null),
    );
    const results = new Map<OrderItem, SettledOrder | ApiError | typeof again>(settled);
    for (const { items: told, refused } of drafts)
      if (refused !== null) for (const item of told) results.set(item, refused);
    return results;
  },
});

/** Why the news do not fit what is known of their order. */
function unfitOf(draft: Draft): Draft['refused'] {
  const {
    items: [item],
    row,
  } = draft;
  if (row.passId !== null && item.passId !== encodeId('pass', row.passId))
    return item.operation === 'processOrder' ? earnsElsewhere() : again;
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
async function postEach(tx: Tx, drafts: readonly Draft[]): Promise<void> {
  const posted = drafts.flatMap((draft) => {
    if (draft.refused !== null) return [];
    const entry = ledgerItemOf(draft);
    if (entry === null) learnAll(draft);
    return entry === null ? [] : [{ draft, entry }];
  });
  if (posted.length === 0) return;
  const results = await post(
    tx,
    posted.map(({ entry }) => entry),
  );
  for (const { draft, entry } of posted) {
    const result = results.get(entry);
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
