import type { StoreOrder } from '../connector.ts';
import { exactOf } from '../exact-amount.ts';
import {
  countOf,
  emailOf,
  type Fields,
  fieldsOf,
  fieldsOrNull,
  listOf,
  momentOf,
  nameOf,
  numberOf,
  phoneOf,
  wordOf,
} from '../read-json.ts';
import { type LineParts, type OrderParts, type RefundParts, storeOrderOf } from './order-parts.ts';

const what = 'an order';

/** An order as the API tells it; null for one that has more lines than were asked for. */
export function orderOfNode(node: Fields): StoreOrder | null {
  const lines = allOf(node.lineItems);
  return lines === null ? null : storeOrderOf(partsOf(node, lines));
}

function partsOf(node: Fields, lines: readonly Fields[]): OrderParts {
  const customer = fieldsOrNull(node.customer, what);
  const email = fieldsOrNull(customer?.defaultEmailAddress, what);
  const phone = fieldsOrNull(customer?.defaultPhoneNumber, what);
  return {
    orderId: numberOf(node.legacyResourceId, what),
    updatedAt: momentOf(node.updatedAt, what),
    placedAt: momentOf(node.processedAt, what),
    financialStatus: wordOf(node.displayFinancialStatus),
    isCancelled: typeof node.cancelledAt === 'string',
    isTest: node.test === true,
    taxesIncluded: node.taxesIncluded === true,
    currency: node.currencyCode,
    customer: {
      customerId: customer === null ? null : numberOf(customer.legacyResourceId, what),
      email: emailOf(node.email) ?? emailOf(email?.emailAddress),
      phone: phoneOf(node.phone) ?? phoneOf(phone?.phoneNumber),
      name: nameOf(customer?.firstName, customer?.lastName),
    },
    lines: lines.map(lineOf),
    // Of those that did not come whole the webhooks tell.
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
