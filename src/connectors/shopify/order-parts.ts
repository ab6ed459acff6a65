import type { OrderCustomer, StoreOrder } from '../connector.ts';
import { type Exact, moneyOf, sumOf } from '../exact-amount.ts';
import { somebody } from '../orders.ts';

/** What webhooks and the API tell alike of an order, in the shop's own currency. */
export interface OrderParts {
  readonly orderId: string;
  readonly updatedAt: Date;
  readonly placedAt: Date;
  /** In lower case. */
  readonly financialStatus: string;
  readonly isCancelled: boolean;
  readonly isTest: boolean;
  readonly taxesIncluded: boolean;
  readonly currency: unknown;
  readonly customer: OrderCustomer;
  readonly lines: readonly LineParts[];
  readonly refunds: readonly RefundParts[];
}

/** One line of an order. */
export interface LineParts {
  readonly isGiftCard: boolean;
  readonly quantity: bigint;
  readonly price: Exact;
  /** Of the whole line. */
  readonly discount: Exact;
  readonly tax: Exact;
}

/** A refund of an order. */
export interface RefundParts {
  readonly refundId: string;
  readonly lines: readonly RefundLineParts[];
  /** By how much more or less was given back than the lines come to; what is given back is negative. */
  readonly adjustments: readonly Exact[];
  readonly refundsShipping: boolean;
  /** What was paid back in the end. */
  readonly transactions: readonly Exact[];
}

/** What a refund says of one line. */
export interface RefundLineParts {
  readonly isGiftCard: boolean;
  readonly subtotal: Exact;
  readonly tax: Exact;
}

const paidStatuses = ['paid', 'partially_refunded', 'refunded'];

/** The order as every platform tells it. */
export function storeOrderOf(parts: OrderParts): StoreOrder {
  const { financialStatus, currency, taxesIncluded } = parts;
  const total = sumOf(
    parts.lines.filter((line) => !line.isGiftCard).map((line) => netOf(line, taxesIncluded)),
  );
  return {
    orderId: parts.orderId,
    state: {
      version: parts.updatedAt.getTime(),
      paid: paidStatuses.includes(financialStatus),
      cancelled: parts.isCancelled || financialStatus === 'voided',
      total: moneyOf(total, currency, 'an order'),
      placedAt: parts.placedAt,
      customer: somebody(parts.customer),
      test: parts.isTest,
    },
    refunds: parts.refunds.map((refund) => refundOf(refund, currency, taxesIncluded)),
  };
}

/**
 * What a refund takes from the total. One that names no goods has adjustments; where these are missing too, and it is
 * not the shipping that was refunded, it is what was paid back.
 */
export function refundOf(
  { refundId, lines, adjustments, refundsShipping, transactions }: RefundParts,
  currency: unknown,
  taxesIncluded: boolean,
): StoreOrder['refunds'][number] {
  const goods = lines.filter((line) => !line.isGiftCard);
  const subtotal = sumOf(goods.map(({ subtotal, tax }) => (taxesIncluded ? subtotal - tax : subtotal)));
  const isAmountOnly = lines.length === 0 && adjustments.length === 0 && !refundsShipping;
  const amount = isAmountOnly ? sumOf(transactions) : subtotal - sumOf(adjustments);
  return { refundId, amount: moneyOf(amount, currency, 'a refund', 'up') };
}

function netOf({ price, quantity, discount, tax }: LineParts, taxesIncluded: boolean): Exact {
  return price * quantity - discount - (taxesIncluded ? tax : 0n);
}
