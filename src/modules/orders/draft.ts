import type { Answer } from '../../kit/http/endpoint.ts';
import type { OrderItem } from './order-item.ts';
import { type OrderState, type Refund, unknownOrder } from './order-state.ts';
import type { OrderKey, OrderRow, RefundRow } from './orders.sql.ts';

/** An order while a transaction works on it: what was known of it, and what becomes of it. */
export interface Draft {
  readonly item: OrderItem;
  /** As it was read; empty where nobody knew it. */
  readonly row: OrderRow;
  readonly isNew: boolean;
  readonly refundsBefore: ReadonlyMap<string, Refund>;
  state: OrderState;
  /** The card, and whether it was issued for this news. */
  instanceId: string | null;
  cardIsNew: boolean;
  partnerId: string | null;
  /** What was decided of its points. */
  settled: Partial<Settled>;
  gained: number;
  /** The ledger's answer; null where there is no card. */
  posted: Answer | null;
}

/** What an order remembers of the ledger. */
export type Settled = Pick<
  OrderRow,
  'rule' | 'points' | 'credited' | 'accountId' | 'pointsExpireAt' | 'limitedBy'
>;

/** A draft of each item's order; no two are of one. */
export function openDrafts(
  items: readonly OrderItem[],
  rows: readonly OrderRow[],
  refunds: readonly RefundRow[],
): Draft[] {
  const known = new Map(rows.map((row) => [nameOf(row), row]));
  const refundsOf = Map.groupBy(refunds, nameOf);
  return items.map((item) => {
    const name = nameOf(item.order);
    const row = known.get(name) ?? emptyRow(item);
    const refundsBefore = new Map(
      (refundsOf.get(name) ?? []).map(({ refundId, amount, currency }) => [refundId, { amount, currency }]),
    );
    return {
      item,
      row,
      isNew: !known.has(name),
      refundsBefore,
      state: stateOf(row, refundsBefore),
      instanceId: row.instanceId,
      cardIsNew: false,
      partnerId: row.partnerId,
      settled: {},
      gained: 0,
      posted: null,
    };
  });
}

/** An order's name within its workspace; an id holds no control characters. */
export function nameOf({ source, orderId }: OrderKey): string {
  return `${source}\t${orderId}`;
}

/** What a row and its refunds say of the order. */
export function stateOf(row: OrderRow, refunds: ReadonlyMap<string, Refund>): OrderState {
  const { currency, paidVersion, paidTotal, latestVersion, latestTotal, cancelled, placedAt } = row;
  return { currency, paidVersion, paidTotal, latestVersion, latestTotal, cancelled, placedAt, refunds };
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
