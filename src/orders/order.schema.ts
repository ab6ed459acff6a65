import { type Static, Type } from 'typebox';
import { Links, presentPush, pushColumns, statusOf } from '../cards/instance.schema.ts';
import { documentedWith } from '../kit/http/schemas/documented.ts';
import { Money, presentMoney } from '../kit/http/schemas/money.ts';
import {
  closed,
  Id,
  line,
  listQuery,
  Moment,
  nullable,
  oneOf,
  Timestamp,
} from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import { digitsOf } from '../kit/money/digits.ts';
import type { Settled } from '../loyalty/ledger-item.ts';
import type { AccountState } from '../loyalty/loyalty.schema.ts';
import { EarnRuleShown, presentRule } from '../passes/programs/program.schema.ts';
import { OrderLine } from './new-order.schema.ts';
import { apiSource, type RecordedOrder } from './order-item.ts';
import { type Refund, refundedOf, totalOf } from './order-state.ts';
import type { OrderRow, RefundRow } from './orders.sql.ts';
import { stateOf } from './settlement.ts';

const Points = Type.Integer();
/** Why an order earns nothing. */
const limits = [
  'per_day',
  'min_seconds_between',
  'instance_expired',
  'cancelled',
  'empty_order',
  'below_minimum',
] as const;
const LimitedBy = {
  ...oneOf(limits),
  description:
    'why it earns nothing: a limit of the program; `instance_expired`: the card had expired when it was made; `cancelled`; `empty_order`: there is no money, or none that was not refunded; `below_minimum`: less money than the rule wants, or than a point takes',
};

export const ProcessedOrder = closed(
  {
    orderId: Type.String(),
    instanceId: Id,
    issued: Type.Boolean({ description: 'whether the card was issued for this order' }),
    pointsAwarded: Points,
    limitedBy: Type.Optional(LimitedBy),
    balance: Points,
    pendingRewards: Points,
    links: Links,
    ...pushColumns,
  },
  { $id: 'ProcessedOrder' },
);

/** Without a card, what the ledger would say is null. */
const correction = {
  orderId: Type.String(),
  waiting: Type.Boolean({ description: 'the order is not known yet: this counts as soon as it is' }),
  refunded: nullable({ ...Money, description: 'of the order, altogether' }),
  points: Type.Integer({ description: 'what the order earns after this' }),
  pointsTaken: Type.Integer({ description: 'taken from the balance by this call' }),
  instanceId: nullable(Id),
  balance: nullable(Points),
  pendingRewards: nullable(Points),
  ...pushColumns,
};
export const RefundedOrder = closed({ ...correction, refundId: Type.String() }, { $id: 'RefundedOrder' });
export const CancelledOrder = closed(correction, { $id: 'CancelledOrder' });

const orderStatuses = ['pending', 'processed', 'cancelled'] as const;

const listed = {
  orderId: Type.String(),
  number: nullable({
    ...Type.String(),
    description: 'what customers know it by, such as `#1003`; null: by its `orderId`',
  }),
  storeId: nullable(Id),
  passId: nullable(Id),
  instanceId: nullable(Id),
  status: {
    ...oneOf(orderStatuses),
    description: '`pending`: it has no card, since it is not known yet, or not paid',
  },
  waiting: Type.Boolean({ description: 'it has no card: what is known of it counts as soon as it has one' }),
  cancelled: Type.Boolean(),
  total: nullable(Money),
  refunded: nullable(Money),
  points: Type.Integer({ description: 'what it earns after all that is known of it' }),
  limitedBy: nullable(LimitedBy),
  earn: nullable(
    documentedWith(EarnRuleShown, {
      description: 'the earn rule that it was processed with; refunds go by it',
    }),
  ),
  multiplier: Type.Number({
    description: 'how many times the tier of the card counted what it earns; 1 without',
  }),
  partnerId: nullable(Id),
  placedAt: nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

/** What reads of orders have more than events, which outlive a person's name. */
const read = {
  holderName: nullable({
    ...Type.String(),
    description: "whose card it is: the holder's name, or else e-mail address, telephone or customer number",
  }),
};

/** An order of a list. */
export const ListedOrder = closed({ ...listed, ...read }, { $id: 'ListedOrder' });

/** The query parameters of lists of orders. */
export const OrderFilters = listQuery({
  passId: Type.Optional(Id),
  storeId: Type.Optional(Id),
  instanceId: Type.Optional(Id),
  number: Type.Optional(
    line(
      255,
      'the number that customers know it by, in any case, with its # or without; an order without one is found by its orderId alone',
    ),
  ),
  status: Type.Optional(oneOf(orderStatuses)),
  waiting: Type.Optional(oneOf(['true', 'false'])),
  createdAfter: Type.Optional(Moment),
  createdBefore: Type.Optional(Moment),
});

export const Order = closed(
  {
    ...listed,
    ...read,
    items: nullable(Type.Array(OrderLine)),
    refunds: Type.Array(closed({ refundId: Type.String(), amount: Money, createdAt: Timestamp })),
  },
  { $id: 'Order' },
);

export const orderExample = {
  passId: 'pass_01h455vb4pex5vsknk084sn02q',
  orderId: '1001',
  customer: { id: 'cust_8841', email: 'ada@example.com', name: 'Ada' },
  total: { amount: '12.50', currency: 'EUR' },
};

export type OrderQuery = Static<typeof OrderFilters>;

/** An order as lists show it: without what was bought and each refund, of which there may be many. */
export function presentOrder(row: OrderRow, refunded: number, followsEdits: boolean) {
  const { currency, paidTotal, cancelled } = row;
  const waiting = row.instanceId === null;
  return {
    orderId: row.orderId,
    number: row.number,
    storeId: row.source === apiSource ? null : encodeId('store', row.source),
    passId: row.passId === null ? null : encodeId('pass', row.passId),
    instanceId: row.instanceId === null ? null : encodeId('inst', row.instanceId),
    status: statusOfOrder({ cancelled, waiting }),
    waiting,
    cancelled,
    total: money(paidTotal, currency),
    refunded: money(refunded, currency),
    points: row.points,
    limitedBy: limitOf(row, refunded, followsEdits),
    earn: row.rule && presentRule(row.rule),
    multiplier: row.rule?.multiplier ?? 1,
    partnerId: row.partnerId === null ? null : encodeId('part', row.partnerId),
    placedAt: row.placedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** An order with all that is known of it. */
export function presentWhole(
  row: OrderRow,
  refunds: readonly RefundRow[],
  holderName: string | null,
  followsEdits: boolean,
) {
  const state = stateOf(row, new Map(refunds.map((refund) => [refund.refundId, refund])));
  return {
    ...presentOrder(row, refundedOf(state), followsEdits),
    holderName,
    items: row.items === null ? null : [...row.items],
    refunds: refunds.map((refund) => ({
      ...presentRefund(refund.refundId, refund),
      createdAt: refund.createdAt.toISOString(),
    })),
  };
}

/** A refund by its name. */
export function presentRefund(refundId: string, { amount, currency }: Refund) {
  return { refundId, amount: presentMoney({ minor: amount, currency, digits: digitsOf(currency) }) };
}

/** The status of an order: whether it is cancelled, and whether it waits for a card. */
export function statusOfOrder(order: {
  readonly cancelled: boolean;
  readonly waiting: boolean;
}): (typeof orderStatuses)[number] {
  if (order.cancelled) return 'cancelled';
  return order.waiting ? 'pending' : 'processed';
}

/** Why an order earns nothing; null where it earns something, or is not paid. */
function limitOf(row: OrderRow, refunded: number, followsEdits: boolean): (typeof limits)[number] | null {
  if (row.points > 0 || row.rule === null) return null;
  if (row.limitedBy !== null) return row.limitedBy as (typeof limits)[number];
  if (row.cancelled) return 'cancelled';
  const total = totalOf(row, followsEdits) ?? 0;
  return total <= refunded ? 'empty_order' : 'below_minimum';
}

/** The answer to Process Order. */
export function presentProcessed({ row, refunded, account }: RecordedOrder, followsEdits: boolean) {
  if (account === null) throw new Error('a paid order of a customer has a card');
  const { instanceId, state, push } = account.settled;
  const { balance, pendingRewards } = state;
  const limitedBy = limitOf(row, refunded, followsEdits);
  return {
    status: statusOf(push),
    body: {
      orderId: row.orderId,
      instanceId,
      issued: row.issued,
      pointsAwarded: row.points,
      ...(limitedBy !== null && { limitedBy }),
      balance,
      pendingRewards,
      links: account.links,
      ...presentPush(push),
    },
  };
}

/** The answer to a refund or a cancellation. */
export function presentCorrection({ row, refunded, account }: RecordedOrder) {
  return {
    status: account === null ? (200 as const) : statusOf(account.settled.push),
    body: {
      orderId: row.orderId,
      waiting: account === null,
      refunded: money(refunded, row.currency),
      points: row.points,
      pointsTaken: account === null || account.points === 0 ? 0 : -account.points,
      ...(account === null ? noCard : standing(account.settled)),
    },
  };
}

const noCard = { instanceId: null, balance: null, pendingRewards: null, pushed: false } as const;

/** The state of the card afterwards. */
function standing({ instanceId, state: { balance, pendingRewards }, push }: Settled<AccountState>) {
  return { instanceId, balance, pendingRewards, ...presentPush(push) };
}

const money = (minor: number | null, currency: string | null) =>
  minor === null || currency === null ? null : presentMoney({ minor, currency, digits: digitsOf(currency) });
