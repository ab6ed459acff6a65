import { linksOf } from '../cards/find-instance.ts';
import { findHolders } from '../cards/keep-holder.ts';
import type { ActorCtx } from '../context.ts';
import { batchOf, retryNextRound, submitOnce } from '../engine/batch.ts';
import type { Answered } from '../engine/idempotency.ts';
import { refusal } from '../errors.ts';
import type { Tx } from '../kit/db/database.ts';
import { ApiError, invalidRequest } from '../kit/http/api-error.ts';
import { decodeId, encodeId, firstId } from '../kit/ids.ts';
import { post } from '../loyalty/post-to-ledger.ts';
import { emitOrderUpdate, type OrderMoment } from './emit-order-events.ts';
import { findCards } from './find-cards.ts';
import { ledgerItemOf } from './ledger-item-of.ts';
import { laneOf, type OrderAnswer, type OrderItem, type RecordedOrder } from './order-item.ts';
import { learn, mostRefunds, type OrderState, refundedOf } from './order-state.ts';
import {
  insertOrders,
  keepRefunds,
  lockOrders,
  type OrderRow,
  type RefundRow,
  readRefunds,
  updateOrders,
} from './orders.sql.ts';
import { type Result, type Settlement, settlementsOf } from './settlement.ts';

/** Locked orders with their known state, and the present cards of their customers. */
interface Known {
  readonly rows: readonly OrderRow[];
  readonly refunds: readonly RefundRow[];
  readonly cards: ReadonlyMap<OrderItem, string | null>;
}

/**
 * Records updates of many orders of one pass in one transaction. The points of an order follow from all its updates; the
 * ledger gets the difference. Refunds of an order, and reports of its store, are recorded together. A refused item changes
 * nothing, and its new card is not issued.
 */
export const recordOrders = batchOf<OrderItem, RecordedOrder, Known>({
  async load(tx, items) {
    const { workspaceId } = items[0]?.ctx ?? { workspaceId: firstId };
    const keys = items.map(({ order }) => order);
    const buyers = items.flatMap(({ customer }) => customer ?? []);
    // Without a pass no card can be found.
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
    const unfit = unfitItems(items, rows, refunds);
    const fitting = items.filter((item) => !unfit.has(item));
    const settlements = settlementsOf(fitting, rows, refunds);
    await findCards(tx, settlements, cards);
    await postEach(tx, settlements);
    const settled = await writeOrders(
      tx,
      settlements.filter(({ refused }) => refused === null),
    );
    const results = new Map<OrderItem, RecordedOrder | ApiError | typeof retryNextRound>([
      ...unfit,
      ...settled,
    ]);
    for (const { items: refusedItems, refused } of settlements)
      if (refused !== null) for (const item of refusedItems) results.set(item, refused);
    return results;
  },
});

/**
 * Records an item together with others that arrive at the same time. Calls `describe` again if the order's pass became
 * known since. Null if there is nothing to record. Raises the item's refusal.
 */
export async function submitOrder<A extends OrderAnswer>(
  ctx: ActorCtx,
  describe: () => Promise<OrderItem<A> | null>,
): Promise<Answered<A> | null> {
  for (let turn = 0; turn < mostTurns; turn++) {
    const item = await describe();
    if (item === null) return null;
    const outcome = await submitOnce(ctx, recordOrders, laneOf(item), item);
    if (outcome !== retryNextRound) return outcome;
  }
  throw new Error('the pass of an order was another one each time');
}

/** An order learns its pass once. */
const mostTurns = 5;

/** Returns the updates that contradict their order's known state or an earlier update, with the reason. */
function unfitItems(
  items: readonly OrderItem[],
  rows: readonly OrderRow[],
  refunds: readonly RefundRow[],
): Map<OrderItem, ApiError | typeof retryNextRound> {
  const unfit = new Map<OrderItem, ApiError | typeof retryNextRound>();
  for (const settlement of settlementsOf(items, rows, refunds)) {
    let { state } = settlement;
    for (const item of settlement.items) {
      const after = learn(state, item.update);
      const refused = refusedBy(settlement.row, item, state, after);
      if (refused === null) state = after;
      else unfit.set(item, refused);
    }
  }
  return unfit;
}

function refusedBy(row: OrderRow, item: OrderItem, before: OrderState, after: OrderState) {
  if (row.passId !== null && item.passId !== encodeId('pass', row.passId))
    return item.operation === 'processOrder' ? earnsElsewhere() : retryNextRound;
  if (after.refunds.size > mostRefunds)
    return invalidRequest(`An order takes ${mostRefunds} refunds at most.`);
  return item.unfit(before, after);
}

function earnsElsewhere(): ApiError {
  return refusal('external_ref_reused', 'This order was processed for another pass.');
}

/** Posts the gains and losses of orders with a card. Of the others only the known state changes. */
async function postEach(tx: Tx, settlements: readonly Settlement[]): Promise<void> {
  const posted = settlements.flatMap((settlement) => {
    if (settlement.refused !== null) return [];
    const entry = ledgerItemOf(settlement);
    if (entry === null) learnAll(settlement);
    return entry === null ? [] : [{ settlement, entry }];
  });
  if (posted.length === 0) return;
  const results = await post(
    tx,
    posted.map(({ entry }) => entry),
  );
  for (const { settlement, entry } of posted) {
    const result = results.get(entry);
    if (!(result instanceof ApiError)) settlement.posted = result ?? null;
    // The card that was issued for it must go, too: alone in a transaction, everything is rolled back.
    else if (settlement.cardIsNew) throw result;
    else settlement.refused = result;
  }
}

function learnAll(settlement: Settlement): void {
  for (const item of settlement.items) {
    settlement.state = learn(settlement.state, item.update);
    settlement.results.set(item, { state: settlement.state, settled: settlement.settled, gained: 0 });
  }
}

/** Writes orders and their refunds. Returns the result of each update. Raises `LostRace` like `insertOrders`. */
async function writeOrders(
  tx: Tx,
  settlements: readonly Settlement[],
): Promise<Map<OrderItem, RecordedOrder>> {
  const settled = new Map<OrderItem, RecordedOrder>();
  const [first] = settlements;
  if (first === undefined) return settled;
  const { ctx } = first.items[0];
  const rowsOf = (some: readonly Settlement[]) => some.map((settlement) => rowAfter(settlement, settlement));
  const cards = settlements.flatMap(({ instanceId }) => instanceId ?? []);
  const [links] = await Promise.all([
    linksOf(tx, ctx, cards),
    insertOrders(tx, ctx.workspaceId, rowsOf(settlements.filter(({ isNew }) => isNew))),
    updateOrders(tx, ctx.workspaceId, rowsOf(settlements.filter(({ isNew }) => !isNew))),
    keepRefunds(tx, ctx.workspaceId, settlements.flatMap(newRefundsOf)),
  ]);
  for (const settlement of settlements) {
    const { posted } = settlement;
    const linked = links.get(settlement.instanceId ?? '');
    let before: OrderMoment | null = settlement.isNew
      ? null
      : { row: settlement.row, refunds: settlement.refundsBefore };
    for (const [item, result] of settlement.results) {
      const after = { row: rowAfter(settlement, result), refunds: result.state.refunds };
      emitOrderUpdate(tx, item, before, after);
      before = after;
      settled.set(item, {
        row: after.row,
        refunded: refundedOf(result.state),
        account: posted && linked ? { settled: posted, links: linked, points: result.gained } : null,
      });
    }
  }
  return settled;
}

/** The row of an order as it stands after one of its updates, or all. */
function rowAfter(settlement: Settlement, { state, settled }: Pick<Result, 'state' | 'settled'>): OrderRow {
  const { row, instanceId, cardIsNew, partnerId } = settlement;
  const [item] = settlement.items;
  const { refunds: _, ...known } = state;
  return {
    ...row,
    ...known,
    ...settled,
    passId: row.passId ?? (instanceId === null ? null : decodeId('pass', item.passId ?? '')),
    instanceId,
    issued: row.issued || cardIsNew,
    items: row.items ?? item.items,
    partnerId,
    updatedAt: settlement.settledAt,
  };
}

function newRefundsOf({ items: [item], state, refundsBefore, settledAt }: Settlement) {
  return [...state.refunds].flatMap(([refundId, refund]) =>
    refundsBefore.get(refundId) === refund
      ? []
      : [{ ...item.order, refundId, ...refund, createdAt: settledAt }],
  );
}
