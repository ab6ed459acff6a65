import { type Static, Type } from 'typebox';
import { ApiError, catchRefusal } from '../../kit/http/api-error.ts';
import { Money } from '../../kit/http/schemas/money.ts';
import { parseJson } from '../../kit/http/schemas/parse-json.ts';
import { closed, line, Moment, nullable, oneOf } from '../../kit/http/schemas/shapes.ts';
import { shapeCheck } from '../../kit/http/schemas/validation.ts';
import { type Connector, readHost, type StoreEvent, type StoreOrder, StoreTrouble } from '../connector.ts';
import { exactOf, moneyOf, namedCustomer, readAbout } from '../orders.ts';
import { emailOf, isFields, nameOf, phoneOf } from '../read-answer.ts';

/** Any shop that can sign a JSON text. It cannot be asked for anything. */
export const custom: Connector = {
  credentials: null,
  knowsConsent: false,
  readDomain: readHost,
  readHeaders: (headers) => ({
    signature: headers['x-signature'] ?? null,
    topic: headers['x-topic'] ?? null,
    deliveryId: headers['x-delivery-id'] ?? null,
  }),
  readWebhook(topic, body): StoreEvent {
    switch (topic) {
      case 'order':
        return { kind: 'order', order: readOrder(body) };
      case 'customer.redact':
        return { kind: 'customer_redact', ...readSubject(topic, body) };
      case 'customer.data_request':
        return { kind: 'data_request', ...readSubject(topic, body) };
      case 'shop.redact':
        readAs<CustomShop>(body, checkShop);
        return { kind: 'shop_redact' };
      default:
        return { kind: 'other' };
    }
  },
  api: null,
};

function readOrder(body: Buffer): StoreOrder {
  const order = readAs<CustomOrder>(body, checkOrder);
  return readAbout(order.orderId, () => ({
    orderId: normal(order.orderId),
    state: stateOf(order),
    refunds: (order.refunds ?? []).map(({ refundId, amount }) => ({
      refundId: normal(refundId),
      amount: moneyIn(amount),
    })),
  }));
}

function stateOf({ state }: CustomOrder): StoreOrder['state'] {
  if (state === undefined) return null;
  const { customer } = state;
  return {
    version: new Date(state.updatedAt).getTime(),
    paid: state.paid,
    cancelled: state.cancelled ?? false,
    total: moneyIn(state.total),
    placedAt: new Date(state.placedAt),
    number: state.number == null ? null : normal(state.number),
    customer: customer == null ? null : namedCustomer(customerOf(customer)),
    test: state.test ?? false,
  };
}

function customerOf({ id, email, phone, name }: NonNullable<NonNullable<CustomOrder['state']>['customer']>) {
  return {
    customerId: id == null ? null : normal(id),
    email: emailOf(email),
    phone: phoneOf(phone),
    name: nameOf(name, null),
  };
}

/** Held against the currency: more decimals than it has are a mistake. */
function moneyIn({ amount, currency }: { readonly amount: string; readonly currency: string }) {
  const exact = exactOf(amount, 'an amount');
  const money = moneyOf(exact, currency, 'an amount');
  if (exactOf(money.amount, 'an amount') !== exact)
    throw wrong(`${amount} has more decimals than ${currency}.`);
  return money;
}

function readSubject(topic: string, body: Buffer) {
  const { topic: signed, customer, orderIds } = readAs<CustomSubject>(body, checkSubject);
  if (signed !== topic) throw wrong(`topic must be ${topic}, as in the header.`);
  return {
    customerId: customer.id == null ? null : normal(customer.id),
    email: emailOf(customer.email),
    orderIds: (orderIds ?? []).map(normal),
  };
}

/** A name that the shop has given to something, in the form in which names are compared. */
function normal(name: string): string {
  return name.normalize('NFC');
}

function readAs<T>(body: Buffer, check: (value: unknown) => ApiError | null): T {
  const value = catchRefusal(() => parseJson(body));
  const problem = value instanceof ApiError ? value : check(value);
  return readAbout(isFields(value) ? value.orderId : null, () => {
    if (problem !== null) throw wrong(problem.message);
    return value as T;
  });
}

function wrong(message: string): StoreTrouble {
  return new StoreTrouble('store_answer_unreadable', message, null);
}

const OrderId = line(255);
const CustomerId = line(100);
const Email = Type.String({ maxLength: 320 });

const Customer = closed({
  id: Type.Optional(nullable(CustomerId)),
  email: Type.Optional(nullable(Email)),
  phone: Type.Optional(nullable(Type.String({ maxLength: 32 }))),
  name: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
});

/** What topic `order` takes: an order as it stands now, its refunds, or both. docs/STORES.md explains it. */
const CustomOrder = closed({
  orderId: OrderId,
  state: Type.Optional(
    closed({
      updatedAt: Moment,
      placedAt: Moment,
      number: Type.Optional(nullable(line(255))),
      paid: Type.Boolean(),
      cancelled: Type.Optional(Type.Boolean()),
      total: Money,
      customer: Type.Optional(nullable(Customer)),
      test: Type.Optional(Type.Boolean()),
    }),
  ),
  refunds: Type.Optional(Type.Array(closed({ refundId: line(255), amount: Money }), { maxItems: 1_000 })),
});
type CustomOrder = Static<typeof CustomOrder>;

/** What the topics of privacy take: the topic a second time, where the signature covers it, and whom it is about. */
const CustomSubject = closed({
  topic: oneOf(['customer.redact', 'customer.data_request']),
  customer: closed({ id: Type.Optional(nullable(CustomerId)), email: Type.Optional(nullable(Email)) }),
  orderIds: Type.Optional(Type.Array(OrderId, { maxItems: 10_000 })),
});
type CustomSubject = Static<typeof CustomSubject>;

/** The end of a shop. */
const CustomShop = closed({ topic: oneOf(['shop.redact']) });
type CustomShop = Static<typeof CustomShop>;

const checkOrder = shapeCheck(CustomOrder);
const checkSubject = shapeCheck(CustomSubject);
const checkShop = shapeCheck(CustomShop);
