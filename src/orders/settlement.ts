import type { retryNextRound } from '../engine/batch.ts';
import type { ApiError } from '../kit/http/api-error.ts';
import type { Settled as Posted } from '../loyalty/ledger-item.ts';
import type { AccountState } from '../loyalty/loyalty.schema.ts';
import { nameOf, type OrderHolder, type OrderItem } from './order-item.ts';
import { learn, type OrderState, type Refund, unknownOrder } from './order-state.ts';
import type { OrderRow, RefundRow } from './orders.sql.ts';

/** An order while a transaction records its updates: its state before and after. */
export interface Settlement {
  /** The updates, in their order; several only where they are refunds, or come from a store. */
  readonly items: readonly [OrderItem, ...OrderItem[]];
  /** As it was read; empty where it is new. */
  readonly row: OrderRow;
  readonly isNew: boolean;
  readonly settledAt: Date;
  readonly refundsBefore: ReadonlyMap<string, Refund>;
  /** Whose card it is; null where no update names a customer. */
  readonly customer: OrderHolder | null;
  state: OrderState;
  /** The card, and whether it was issued for it. */
  instanceId: string | null;
  cardIsNew: boolean;
  /** Whether the card had expired when the order was made. */
  cardHasExpired: boolean;
  partnerId: string | null;
  settled: Settled;
  /** After each update. */
  readonly results: Map<OrderItem, Result>;
  /** What the ledger says; null where there is no card. */
  posted: Posted<AccountState> | null;
  /** Why none of its updates is recorded. */
  refused: ApiError | typeof retryNextRound | null;
}

/** What an order remembers of the ledger. */
export type Settled = Pick<
  OrderRow,
  'rule' | 'points' | 'credited' | 'accountId' | 'pointsExpireAt' | 'limitedBy'
>;

/** The state of an order after an update, and the change of the balance. */
export interface Result {
  readonly state: OrderState;
  readonly settled: Settled;
  readonly gained: number;
}

/** A settlement for each order that items are about. */
export function settlementsOf(
  items: readonly OrderItem[],
  rows: readonly OrderRow[],
  refunds: readonly RefundRow[],
): Settlement[] {
  const known = new Map(rows.map((row) => [nameOf(row), row]));
  const refundsOf = Map.groupBy(refunds, nameOf);
  return [...Map.groupBy(items, ({ order }) => nameOf(order))].flatMap(([name, [first, ...others]]) => {
    if (first === undefined) return [];
    const row = known.get(name) ?? emptyRow(first);
    const refundsBefore = new Map(
      (refundsOf.get(name) ?? []).map(({ refundId, amount, currency }) => [refundId, { amount, currency }]),
    );
    const { rule, points, credited, accountId, pointsExpireAt, limitedBy } = row;
    return {
      items: [first, ...others],
      row,
      isNew: !known.has(name),
      settledAt: first.ctx.app.now(),
      refundsBefore,
      customer: [first, ...others].find(({ customer }) => customer !== null)?.customer ?? null,
      state: stateOf(row, refundsBefore),
      instanceId: row.instanceId,
      cardIsNew: false,
      cardHasExpired: false,
      partnerId: row.partnerId,
      settled: { rule, points, credited, accountId, pointsExpireAt, limitedBy },
      results: new Map(),
      posted: null,
      refused: null,
    };
  });
}

/** The order after all its updates. */
export function stateAfter({ state, items }: Settlement): OrderState {
  return items.reduce((known, { update }) => learn(known, update), state);
}

/** Reads the state of an order from its row and its refunds. */
export function stateOf(row: OrderRow, refunds: ReadonlyMap<string, Refund>): OrderState {
  const { currency, paidVersion, paidTotal, latestVersion, latestTotal, cancelled, placedAt, number } = row;
  return {
    currency,
    paidVersion,
    paidTotal,
    latestVersion,
    latestTotal,
    cancelled,
    placedAt,
    number,
    refunds,
  };
}

function emptyRow({ ctx, order }: OrderItem): OrderRow {
  const now = ctx.app.now();
  const { refunds: _, ...unknown } = unknownOrder;
  return {
    ...unknown,
    ...order,
    workspaceId: ctx.workspaceId,
    passId: null,
    partnerId: null,
    items: null,
    instanceId: null,
    issued: false,
    accountId: null,
    rule: null,
    pointsExpireAt: null,
    limitedBy: null,
    points: 0,
    credited: 0,
    createdAt: now,
    updatedAt: now,
  };
}
