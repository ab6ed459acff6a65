import type { OrderCustomer, StoreOrder } from '../connector.ts';
import { type Exact, exactOf, moneyOf, namedCustomer, sumOf } from '../orders.ts';
import {
  emailOf,
  type Fields,
  fieldsOrNull,
  holdsOnly,
  listOf,
  momentOf,
  nameOf,
  numberOf,
  phoneOf,
  wordOf,
} from '../read-answer.ts';

const what = 'an order';

/** Without a date too: of older plugins. What is paid on delivery is `processing` long before. */
const paidStatuses = ['completed', 'refunded'];
const cancelledStatuses = ['cancelled', 'failed', 'trash'];

/** An order as the API and webhooks tell it. */
export function readOrder(order: Fields): StoreOrder {
  const status = wordOf(order.status);
  const { currency } = order;
  const goods = sumOf(listOf(order.line_items, what).map(({ total }) => exactOf(total, what)));
  const all = exactOf(order.total, what);
  return {
    orderId: numberOf(order.id, what),
    state: {
      version: momentOf(order.date_modified_gmt, what, 'Z').getTime(),
      paid: typeof order.date_paid_gmt === 'string' || paidStatuses.includes(status),
      cancelled: cancelledStatuses.includes(status),
      total: moneyOf(goods, currency, what),
      placedAt: momentOf(order.date_created_gmt, what, 'Z'),
      customer: namedCustomer(customerOf(order)),
      test: false,
    },
    refunds: listOf(order.refunds, what).map((refund) => ({
      refundId: numberOf(refund.id, what),
      amount: moneyOf(shareOfGoods(exactOf(refund.total, what), goods, all), currency, what, 'up'),
    })),
  };
}

/** An order that was thrown away: a webhook tells its number and nothing else. */
export function readDeleted(order: Fields): StoreOrder {
  // The topic is not signed: any other order would do.
  holdsOnly(order, ['id']);
  return { orderId: numberOf(order.id, what), state: null, refunds: [], deleted: true };
}

/**
 * What a refund takes from the goods. The platform tells no more of it than one amount, shipping and taxes included, so
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
  return {
    // 0: a guest
    customerId: order.customer_id === 0 ? null : numberOf(order.customer_id, what),
    email: emailOf(billing?.email),
    phone: phoneOf(billing?.phone),
    name: nameOf(billing?.first_name, billing?.last_name),
  };
}
