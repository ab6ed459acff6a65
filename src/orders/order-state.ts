import type { MinorUnits } from '../kit/http/schemas/money.ts';
import { digitsOf } from '../kit/money/digits.ts';
import { orderPoints } from '../passes/programs/order-points.ts';
import type { EarnRule } from '../passes/programs/program-row.ts';
import { timesMultiplier } from '../passes/programs/tiers.ts';

/** The known state of an order, after any number of updates. */
export interface OrderState {
  readonly currency: string | null;
  /** The earliest state in which it was paid: points are earned for its total, unless edits are followed. */
  readonly paidVersion: number | null;
  readonly paidTotal: number | null;
  /** The newest state. */
  readonly latestVersion: number | null;
  readonly latestTotal: number | null;
  readonly cancelled: boolean;
  readonly placedAt: Date | null;
  /** The number that customers know it by; null: it has none of its own. */
  readonly number: string | null;
  /** Refunds by their own names. */
  readonly refunds: ReadonlyMap<string, Refund>;
}

/** In minor units. */
export interface Refund {
  readonly amount: number;
  readonly currency: string;
}

/** An earn rule, and how often the tier of the card counts what it makes; absent: once. */
export interface OrderRule extends EarnRule {
  readonly multiplier?: number;
}

/** The content of one update. */
export interface OrderUpdate {
  readonly state: {
    /** When it was so; of two states the one with the greater is newer. */
    readonly version: number;
    readonly paid: boolean;
    readonly cancelled: boolean;
    /** Null where the update is nothing but a cancellation. */
    readonly total: MinorUnits | null;
    readonly placedAt: Date | null;
    readonly number: string | null;
  } | null;
  readonly refunds: readonly { readonly refundId: string; readonly amount: MinorUnits }[];
}

/** An order of which nothing is known. */
export const unknownOrder: OrderState = {
  currency: null,
  paidVersion: null,
  paidTotal: null,
  latestVersion: null,
  latestTotal: null,
  cancelled: false,
  placedAt: null,
  number: null,
  refunds: new Map(),
};

/** The most refunds of an order: all of them are read at each update. */
export const mostRefunds = 1_000;

/** Newer than any state that a store reports. */
export const lastVersion = Number.MAX_SAFE_INTEGER;

/** The update that an order earns nothing, whatever else is reported of it. */
export const cancelledForGood: OrderUpdate = {
  state: { version: lastVersion, paid: false, cancelled: true, total: null, placedAt: null, number: null },
  refunds: [],
};

/**
 * The order after an update. The same updates end in the same state, in any order and any number of times: each part
 * keeps the earliest, the newest or the greatest value.
 */
export function learn(order: OrderState, { state, refunds }: OrderUpdate): OrderState {
  const known = state === null || isForeign(order, state.total) ? order : learnState(order, state);
  return { ...known, refunds: learnRefunds(order.refunds, refunds) };
}

function learnState(order: OrderState, state: NonNullable<OrderUpdate['state']>): OrderState {
  const { version, paid, cancelled, total, placedAt, number } = state;
  const isPaid = paid && total !== null && isEarlier(order, version, total.minor);
  const isNewest = order.latestVersion === null || version >= order.latestVersion;
  const isTwin = version === order.latestVersion;
  return {
    ...order,
    currency: order.currency ?? total?.currency ?? null,
    ...(isPaid && { paidVersion: version, paidTotal: total.minor }),
    ...(isNewest && {
      latestVersion: version,
      latestTotal: isTwin ? least(order.latestTotal, total?.minor ?? null) : (total?.minor ?? null),
      cancelled: cancelled || (isTwin && order.cancelled),
    }),
    placedAt: placedAt === null ? order.placedAt : earliest(order.placedAt, placedAt),
    // It does not change; of two, one has to stay whichever comes first.
    number: number === null ? order.number : lesser(order.number, number),
  };
}

/** Whether the order was paid at some time. */
export function wasPaid(order: OrderState): boolean {
  return order.paidVersion !== null;
}

/** Whether more than refunds and a cancellation are known of the order. */
export function isKnown({ currency }: Pick<OrderState, 'currency'>): boolean {
  return currency !== null;
}

/** What it earns for, before refunds, in minor units; null where that is not known. */
export function totalOf(
  { paidTotal, latestTotal }: Pick<OrderState, 'paidTotal' | 'latestTotal'>,
  followsEdits: boolean,
): number | null {
  return followsEdits ? (latestTotal ?? paidTotal) : (paidTotal ?? latestTotal);
}

/** What was refunded so far. Refunds in another currency than the order's count for nothing. */
export function refundedOf({ refunds, currency }: OrderState): number {
  let sum = 0;
  for (const refund of refunds.values())
    if (refund.currency === currency) sum = Math.min(Number.MAX_SAFE_INTEGER, sum + refund.amount);
  return sum;
}

/**
 * What the order earns after all that is known of it, by the rule that it was processed with. Raises `invalid_request`
 * like `orderPoints`.
 */
export function pointsDue(order: OrderState, rule: OrderRule, followsEdits: boolean): number {
  const { currency } = order;
  const total = totalOf(order, followsEdits);
  if (!wasPaid(order) || currency === null || total === null || order.cancelled) return 0;
  const minor = total - refundedOf(order);
  if (minor <= 0) return 0;
  const points = orderPoints(rule, { minor, currency, digits: digitsOf(currency) });
  return timesMultiplier(points, rule.multiplier ?? 1);
}

/** Whether a total is in another currency than the order: the first one that is reported is its own. */
export function isForeign(order: OrderState, total: MinorUnits | null): boolean {
  return total !== null && order.currency !== null && order.currency !== total.currency;
}

function isEarlier({ paidVersion, paidTotal }: OrderState, version: number, total: number): boolean {
  if (paidVersion === null || paidTotal === null || version < paidVersion) return true;
  return version === paidVersion && total < paidTotal;
}

function learnRefunds(
  known: ReadonlyMap<string, Refund>,
  refunds: OrderUpdate['refunds'],
): ReadonlyMap<string, Refund> {
  if (refunds.length === 0) return known;
  const all = new Map(known);
  for (const { refundId, amount } of refunds) {
    const before = all.get(refundId);
    const refund = { amount: amount.minor, currency: amount.currency };
    if (before === undefined || isMore(refund, before)) all.set(refundId, refund);
  }
  return all;
}

/** A store that reports a refund in parts reports the greater amount later. */
function isMore(refund: Refund, than: Refund): boolean {
  return refund.amount > than.amount || (refund.amount === than.amount && refund.currency < than.currency);
}

function least(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

function lesser(a: string | null, b: string): string {
  return a !== null && a <= b ? a : b;
}

function earliest(a: Date | null, b: Date): Date {
  return a !== null && a <= b ? a : b;
}
