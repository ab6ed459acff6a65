import type { OrderCustomer, StoreOrder } from '../connector.ts';
import { type Exact, exactOf, moneyOf, namedCustomer, readAbout, sumOf } from '../orders.ts';
import {
  emailOf,
  type Fields,
  fieldsOrNull,
  holdsOnly,
  isBlank,
  listOf,
  momentOrNull,
  nameOf,
  numberOf,
  phoneOf,
  textOf,
  unlike,
  wordOf,
} from '../read-answer.ts';
import { plainOf } from './plain-text.ts';

const what = 'an order';

/** Without a date too: of older plugins. What is paid on delivery is `processing` long before. */
const paidStatuses = ['completed', 'refunded'];
const cancelledStatuses = ['cancelled', 'failed', 'trash'];

/** Reads an order of the API or of a webhook. */
export function readOrder(order: Fields): StoreOrder {
  return readAbout(order.id, () => orderOf(order));
}

function orderOf(order: Fields): StoreOrder {
  const status = wordOf(order.status).replace(/^wc-/, '');
  const { currency } = order;
  const goods = sumOf(listOf(order.line_items, what).map(({ total }) => amountOf(total)));
  const all = amountOf(order.total);
  const created = dateOf(order, 'date_created');
  // What is there and no date says that it is not paid, whatever the local one says.
  const paid = momentOrNull('date_paid_gmt' in order ? order.date_paid_gmt : order.date_paid, 'Z');
  const placedAt = created ?? paid;
  if (placedAt === null) throw unlike(order.date_created_gmt, 'date', what);
  return {
    orderId: numberOf(order.id, what),
    state: {
      // With some plugins an order that was not changed since it was made has no such date.
      version: (dateOf(order, 'date_modified') ?? paid ?? placedAt).getTime(),
      paid: paid !== null || paidStatuses.includes(status),
      cancelled: cancelledStatuses.includes(status),
      total: moneyOf(goods, currency, what),
      placedAt,
      number: textOf(order.number, 255),
      customer: namedCustomer(customerOf(order)),
      test: false,
    },
    refunds: listOf(order.refunds, what).map((refund) => ({
      refundId: numberOf(refund.id, what),
      amount: moneyOf(shareOfGoods(amountOf(refund.total), goods, all), currency, what, 'up'),
    })),
  };
}

/** A deleted order: its webhook contains the number, and nothing else. */
export function readDeleted(order: Fields): StoreOrder {
  // The topic is not signed: any other order would do.
  holdsOnly(order, ['id']);
  return { orderId: numberOf(order.id, what), state: null, refunds: [], deleted: true };
}

/**
 * What a refund takes from the goods. The platform reports a single amount, shipping and taxes included, so
 * its goods are taken to be the share that they are of the order. Rounded up, so that of an order that was refunded in
 * parts nothing is left.
 */
function shareOfGoods(refund: Exact, goods: Exact, all: Exact): Exact {
  const amount = refund < 0n ? -refund : refund;
  if (all <= 0n || amount >= all) return goods;
  return (amount * goods + all - 1n) / all;
}

function customerOf(order: Fields): OrderCustomer {
  const billing = fieldsOrNull(order.billing, what);
  const id = order.customer_id;
  return {
    // 0: a guest
    customerId: isBlank(id) || isNobody(id) ? null : numberOf(id, what),
    email: emailOf(billing?.email),
    phone: phoneOf(billing?.phone),
    name: nameOf(plainOf(billing?.first_name), plainOf(billing?.last_name)),
  };
}

/** Whether an id is the one of guests: 0, also as a text, or PHP's empty list. An object may lack what Number() needs. */
function isNobody(id: unknown): boolean {
  return Array.isArray(id) ? id.length === 0 : typeof id !== 'object' && Number(id) === 0;
}

/** WooCommerce writes an empty text where an amount was never set, which is nothing. */
function amountOf(value: unknown): Exact {
  return isBlank(value) ? 0n : exactOf(value, what);
}

/** A time in UTC, or by the site's clock where only that is given; null for none, such as "". */
function dateOf(order: Fields, name: 'date_created' | 'date_modified'): Date | null {
  return momentOrNull(order[`${name}_gmt`], 'Z') ?? momentOrNull(order[name], 'Z');
}
