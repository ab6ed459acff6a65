import { Type } from 'typebox';
import { invalidField } from '../../kit/http/api-error.ts';
import { closed } from '../../kit/http/schemas/shapes.ts';
import { type Connector, readHost, type StoreEvent, type StoreOrder } from '../connector.ts';
import { exactOf, readAbout, sumOf } from '../orders.ts';
import {
  countOf,
  emailOf,
  type Fields,
  fieldsOf,
  fieldsOrNull,
  holdsOnly,
  isBlank,
  listOf,
  momentOf,
  nameOf,
  numberOf,
  phoneOf,
  readJson,
  textOf,
  unreadable,
  wordOf,
} from '../read-answer.ts';
import { shopifyApi } from './api.ts';
import { type LineParts, type OrderParts, type RefundParts, refundOf, storeOrderOf } from './read-order.ts';

export const ShopifyCredentials = closed(
  {
    accessToken: Type.String({
      pattern: '^[\\x21-\\x7e]+$',
      minLength: 1,
      maxLength: 255,
      description: 'the access token of an app that may read customers and orders, e.g. shpat_…',
    }),
  },
  { $id: 'ShopifyCredentials', description: 'kept encrypted, and never shown' },
);

/** Shopify: the GraphQL Admin API, and webhooks that are shaped like the REST API before it. */
export const shopify: Connector = {
  credentials: ShopifyCredentials,
  knowsConsent: true,
  readDomain(text) {
    const host = readHost(text);
    // Its other domains lead to the storefront only. A port has none of the real ones, but a simulated one.
    if (host.endsWith('.myshopify.com') || /:\d+$/.test(host)) return host;
    throw invalidField(
      'domain',
      'pattern',
      'a Shopify store has a name such as blue-bean.myshopify.com, whatever others it has.',
    );
  },
  readHeaders: (headers) => ({
    signature: headers['x-shopify-hmac-sha256'] ?? null,
    topic: headers['x-shopify-topic'] ?? null,
    // The same each time that a delivery is repeated.
    deliveryId: headers['x-shopify-webhook-id'] ?? null,
    // "Send test notification" of the admin. Not every sample says so in its body.
    isTrial: headers['x-shopify-test'] === 'true',
  }),
  readWebhook: readShopifyWebhook,
  api: shopifyApi,
};

/** Of others that begin with `orders/` some have other bodies. */
const orderTopics = [
  'orders/create',
  'orders/updated',
  'orders/paid',
  'orders/partially_paid',
  'orders/cancelled',
  'orders/fulfilled',
  'orders/partially_fulfilled',
];

const what = 'an order';

function readShopifyWebhook(topic: string, body: Buffer, domain: string): StoreEvent {
  if (orderTopics.includes(topic)) {
    const order = fieldsIn(body);
    return { kind: 'order', order: readAbout(order.id, () => storeOrderOf(orderPartsOf(order))) };
  }
  switch (topic) {
    case 'refunds/create': {
      const refund = fieldsIn(body);
      return readAbout(refund.order_id, () => loneRefundOf(refund));
    }
    case 'orders/delete':
      return { kind: 'order', order: deletedOf(fieldsIn(body)) };
    case 'customers/data_request':
      return { kind: 'data_request', ...subjectOf(addressed(fieldsIn(body), domain), 'orders_requested') };
    case 'customers/redact':
      return { kind: 'customer_redact', ...subjectOf(addressed(fieldsIn(body), domain), 'orders_to_redact') };
    case 'shop/redact':
      holdsOnly(addressed(fieldsIn(body), domain), ['shop_id', 'shop_domain']);
      return { kind: 'shop_redact' };
    case 'app/uninstalled':
      if (fieldsIn(body).myshopify_domain !== domain) throw unreadable('whose app was taken off');
      return { kind: 'uninstalled' };
    default:
      return { kind: 'other' };
  }
}

function fieldsIn(body: Buffer): Fields {
  return fieldsOf(readJson(body, 'the webhook'), 'the webhook');
}

function orderPartsOf(order: Fields): OrderParts {
  const customer = fieldsOrNull(order.customer, what);
  const goods = listOf(order.line_items, what).filter(({ tip }) => tip === null || tip === undefined);
  return {
    orderId: numberOf(order.id, what),
    updatedAt: momentOf(isBlank(order.updated_at) ? order.created_at : order.updated_at, what),
    placedAt: momentOf(isBlank(order.processed_at) ? order.created_at : order.processed_at, what),
    number: textOf(order.name, 255),
    financialStatus: wordOf(order.financial_status),
    isCancelled: !isBlank(order.cancelled_at),
    isTest: order.test === true,
    taxesIncluded: order.taxes_included === true,
    currency: order.currency,
    customer: {
      customerId: isBlank(customer?.id) ? null : numberOf(customer?.id, what),
      email: emailOf(order.email) ?? emailOf(customer?.email),
      phone: phoneOf(order.phone) ?? phoneOf(customer?.phone),
      name: nameOf(customer?.first_name, customer?.last_name),
    },
    lines: goods.map(lineOf),
    refunds: listOf(order.refunds, what).map((refund) => refundPartsOf(refund, order.currency)),
  };
}

/**
 * A refund alone does not say whether its prices include tax, so this reports the lesser amount. The webhook of the order
 * reports the exact one, and the greater of two amounts of one refund counts. A refund that does not even name its
 * currency is left to the order.
 */
function loneRefundOf(refund: Fields): StoreEvent {
  const currency = currencyOf(refund);
  if (currency === null || isOfTrial(refund)) return { kind: 'other' };
  const refunds = [refundOf(refundPartsOf(refund, currency), currency, true)];
  return { kind: 'order', order: { orderId: numberOf(refund.order_id, what), state: null, refunds } };
}

/** Whether it gives back what was never paid: trial orders earn nothing, and samples belong to no order. */
function isOfTrial(refund: Fields): boolean {
  const transactions = listOf(refund.transactions, what);
  return transactions.length > 0 && transactions.every(({ test }) => test === true);
}

/** That of the shop, which is in its amounts only: those of transactions are in what the customer has paid with. */
function currencyOf(refund: Fields): unknown {
  const sets = [
    ...listOf(refund.refund_line_items, what).map(({ subtotal_set }) => subtotal_set),
    ...listOf(refund.order_adjustments, what).map(({ amount_set }) => amount_set),
    refund.total_duties_set,
  ];
  for (const set of sets) {
    const { currency_code } = fieldsOrNull(fieldsOrNull(set, what)?.shop_money, what) ?? {};
    if (currency_code !== undefined) return currency_code;
  }
  return null;
}

/** The webhook of a deleted order contains its number, and nothing else. */
function deletedOf(order: Fields): StoreOrder {
  holdsOnly(order, ['id']);
  return { orderId: numberOf(order.id, what), state: null, refunds: [], deleted: true };
}

function lineOf(line: Fields): LineParts {
  const allocations = listOf(line.discount_allocations, what);
  const discounts = allocations.map((allocation) => amountOf(allocation.amount_set, allocation.amount));
  const taxes = listOf(line.tax_lines, what).map((tax) => amountOf(tax.price_set, tax.price));
  return {
    isGiftCard: line.gift_card === true,
    quantity: countOf(line.quantity, what),
    price: amountOf(line.price_set, line.price),
    // Discounts of the whole order are among the allocations only.
    discount: Array.isArray(line.discount_allocations)
      ? sumOf(discounts)
      : amountOf(line.total_discount_set, line.total_discount ?? '0'),
    tax: sumOf(taxes),
  };
}

function refundPartsOf(refund: Fields, shopCurrency: unknown): RefundParts {
  const adjustments = listOf(refund.order_adjustments, what);
  const isShipping = ({ kind }: Fields) => kind === 'shipping_refund';
  return {
    refundId: numberOf(refund.id, what),
    lines: listOf(refund.refund_line_items, what).map((line) => ({
      isGiftCard: fieldsOrNull(line.line_item, what)?.gift_card === true,
      subtotal: amountOf(line.subtotal_set, line.subtotal),
      tax: amountOf(line.total_tax_set, line.total_tax ?? '0'),
    })),
    adjustments: adjustments
      .filter((adjustment) => !isShipping(adjustment))
      .map((adjustment) => amountOf(adjustment.amount_set, adjustment.amount)),
    refundsShipping: adjustments.some(isShipping) || listOf(refund.refund_shipping_lines, what).length > 0,
    transactions: listOf(refund.transactions, what)
      .filter(({ kind, status }) => kind === 'refund' && status === 'success')
      // What it was worth in another currency is unknown.
      .filter(({ amount_set, currency }) => (amount_set ?? null) !== null || currency === shopCurrency)
      .map(({ amount_set, amount }) => amountOf(amount_set, amount)),
  };
}

/** In the shop's currency; the plain amount is that of older bodies. */
function amountOf(set: unknown, plain: unknown): bigint {
  const money = fieldsOrNull(fieldsOrNull(set, what)?.shop_money, what);
  return exactOf(money === null ? plain : money.amount, what);
}

/** The body of a demand that is made to this store: the secret is that of an app, which others have too. */
function addressed(body: Fields, domain: string): Fields {
  if (body.shop_domain !== domain) throw unreadable('whose demand it is');
  return body;
}

function subjectOf(body: Fields, orders: string) {
  const customer = fieldsOrNull(body.customer, 'the customer');
  const numbers = body[orders];
  // Each demand has a list of another name.
  if (!Array.isArray(numbers)) throw unreadable('the orders');
  const { id } = customer ?? {};
  return {
    customerId: isBlank(id) ? null : numberOf(id, 'the customer'),
    email: emailOf(customer?.email),
    orderIds: numbers.map((number) => numberOf(number, 'the orders')),
  };
}
