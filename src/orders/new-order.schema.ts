import { type Static, Type } from 'typebox';
import { Phone } from '../cards/instance.schema.ts';
import { anyGiven, documentedWith, inNfc } from '../kit/http/schemas/documented.ts';
import { Money } from '../kit/http/schemas/money.ts';
import { closed, Id, line, Moment, nullable } from '../kit/http/schemas/shapes.ts';
import { paddedAddressPattern } from '../kit/http/schemas/text-patterns.ts';

/** An order's number in the caller's system, or in the store. */
export const OrderId = inNfc({
  ...line(255, 'your number of the order; in a store, its own'),
  // Clients take these out of a path.
  not: { enum: ['.', '..'] },
});
const StoreId = Type.Optional(
  nullable({
    ...Id,
    description: 'the store that the order was placed in; absent: you keep the orders yourself',
  }),
);

const CustomerAddress = Type.String({
  maxLength: 254,
  pattern: paddedAddressPattern,
  description: 'an e-mail address',
});
const Customer = documentedWith(
  closed(
    {
      id: Type.Optional(nullable(inNfc(line(255, "the holder's identifier")))),
      email: Type.Optional(nullable(inNfc(CustomerAddress))),
      phone: Type.Optional(nullable(Phone)),
      name: Type.Optional(nullable(line(200))),
    },
    { description: 'at least an id, an e-mail address, or a telephone number with its country' },
  ),
  anyGiven('id', 'email', 'phone'),
);

export const OrderLine = closed({
  id: Type.Optional(line(255)),
  sku: Type.Optional(nullable(line(255))),
  name: Type.Optional(nullable(line(500))),
  quantity: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000_000 })),
  total: Type.Optional(Money),
});

export const NewOrder = closed(
  {
    passId: Id,
    orderId: OrderId,
    number: Type.Optional(
      nullable(inNfc(line(255, 'what customers know it by, such as #1003, where that is not its orderId'))),
    ),
    storeId: StoreId,
    customer: Customer,
    total: { ...Money, description: 'what points are earned for' },
    items: Type.Optional(nullable(Type.Array(OrderLine, { maxItems: 500 }))),
    partnerId: Type.Optional(nullable(Id)),
    occurredAt: Type.Optional(nullable(Moment)),
  },
  { $id: 'NewOrder' },
);

export const NewRefund = closed(
  { refundId: inNfc(line(255, 'your number of the refund')), amount: Money, storeId: StoreId },
  { $id: 'NewRefund' },
);
export const Cancellation = closed({
  storeId: StoreId,
  early: Type.Optional(
    Type.Boolean({ description: 'the order may be still to come: the cancellation then waits for it' }),
  ),
});

export type NewOrderBody = Static<typeof NewOrder>;
export type NewRefundBody = Static<typeof NewRefund>;
export type CancellationBody = Static<typeof Cancellation>;
