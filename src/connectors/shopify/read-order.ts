import type { OrderCustomer, StoreOrder } from '../connector.ts';
import { type Exact, exactOf, moneyOf, namedCustomer, readAbout, sumOf } from '../orders.ts';
import {
  countOf,
  emailOf,
  type Fields,
  fieldsOf,
  fieldsOrNull,
  isBlank,
  listOf,
  momentOf,
  nameOf,
  numberOf,
  phoneOf,
  textOf,
  wordOf,
} from '../read-answer.ts';

/** The part of an order that webhooks and the API have in common, in the shop's own currency. */
export interface OrderParts {
  readonly orderId: string;
  readonly updatedAt: Date;
  readonly placedAt: Date;
  readonly number: string | null;
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

/** The order in the form that all platforms share. */
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
      number: parts.number,
      customer: namedCustomer(parts.customer),
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

const what = 'an order';

/** Reads an order of the API; null if it has more lines than were asked for. */
export function orderOfNode(node: Fields): StoreOrder | null {
  return readAbout(node.legacyResourceId, () => {
    const lines = allOf(node.lineItems);
    return lines === null ? null : storeOrderOf(partsOf(node, lines));
  });
}

function partsOf(node: Fields, lines: readonly Fields[]): OrderParts {
  const customer = fieldsOrNull(node.customer, what);
  const email = fieldsOrNull(customer?.defaultEmailAddress, what);
  const phone = fieldsOrNull(customer?.defaultPhoneNumber, what);
  return {
    orderId: numberOf(node.legacyResourceId, what),
    updatedAt: momentOf(node.updatedAt, what),
    placedAt: momentOf(node.processedAt, what),
    number: textOf(node.name, 255),
    financialStatus: wordOf(node.displayFinancialStatus),
    isCancelled: !isBlank(node.cancelledAt),
    isTest: node.test === true,
    taxesIncluded: node.taxesIncluded === true,
    currency: node.currencyCode,
    customer: {
      customerId: isBlank(customer?.legacyResourceId) ? null : numberOf(customer?.legacyResourceId, what),
      email: emailOf(node.email) ?? emailOf(email?.emailAddress),
      phone: phoneOf(node.phone) ?? phoneOf(phone?.phoneNumber),
      name: nameOf(customer?.firstName, customer?.lastName),
    },
    lines: lines.map(lineOf),
    // Webhooks report the refunds that are incomplete here.
    refunds: listOf(node.refunds, what).flatMap((refund) => refundPartsOf(refund) ?? []),
  };
}

function lineOf(line: Fields): LineParts {
  const discounts = listOf(line.discountAllocations, what).map(({ allocatedAmountSet }) =>
    amountOf(allocatedAmountSet),
  );
  const taxes = listOf(line.taxLines, what).map(({ priceSet }) => amountOf(priceSet));
  return {
    isGiftCard: line.isGiftCard === true,
    quantity: countOf(line.quantity, what),
    price: amountOf(line.originalUnitPriceSet),
    discount: discounts.reduce((sum, amount) => sum + amount, 0n),
    tax: taxes.reduce((sum, amount) => sum + amount, 0n),
  };
}

function refundPartsOf(refund: Fields): RefundParts | null {
  const lines = allOf(refund.refundLineItems);
  const adjustments = allOf(refund.orderAdjustments);
  const transactions = allOf(refund.transactions);
  if (lines === null || adjustments === null) return null;
  if (transactions === null && lines.length + adjustments.length === 0) return null;
  return {
    refundId: numberOf(refund.legacyResourceId, what),
    lines: lines.map((line) => ({
      isGiftCard: fieldsOrNull(line.lineItem, what)?.isGiftCard === true,
      subtotal: amountOf(line.subtotalSet),
      tax: amountOf(line.totalTaxSet),
    })),
    adjustments: adjustments.map(({ amountSet }) => amountOf(amountSet)),
    refundsShipping: listOf(fieldsOf(refund.refundShippingLines, what).nodes, what).length > 0,
    transactions: (transactions ?? [])
      .filter(({ kind, status }) => kind === 'REFUND' && status === 'SUCCESS')
      .map(({ amountSet }) => amountOf(amountSet)),
  };
}

/** The objects of a connection; null when there are more. */
function allOf(connection: unknown): Fields[] | null {
  const { nodes, pageInfo } = fieldsOf(connection, what);
  return fieldsOf(pageInfo, what).hasNextPage === true ? null : listOf(nodes, what);
}

function amountOf(bag: unknown): bigint {
  return exactOf(fieldsOf(fieldsOf(bag, what).shopMoney, what).amount, what);
}
