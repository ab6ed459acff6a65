import { type Static, Type } from 'typebox';
import { shapeCheck } from '../../kit/http/shape-check.ts';
import { closed, line, Moment, nullable, oneOf } from '../../kit/http/shapes.ts';
import { Money } from '../../kit/money.ts';

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
      paid: Type.Boolean(),
      cancelled: Type.Optional(Type.Boolean()),
      total: Money,
      customer: Type.Optional(nullable(Customer)),
      test: Type.Optional(Type.Boolean()),
    }),
  ),
  refunds: Type.Optional(Type.Array(closed({ refundId: line(255), amount: Money }), { maxItems: 1_000 })),
});
export type CustomOrder = Static<typeof CustomOrder>;

/** What the topics of privacy take: the topic once more, where the signature covers it, and whom it is about. */
const CustomSubject = closed({
  topic: oneOf(['customer.redact', 'customer.data_request']),
  customer: closed({ id: Type.Optional(nullable(CustomerId)), email: Type.Optional(nullable(Email)) }),
  orderIds: Type.Optional(Type.Array(OrderId, { maxItems: 10_000 })),
});
export type CustomSubject = Static<typeof CustomSubject>;

/** The end of a shop. */
const CustomShop = closed({ topic: oneOf(['shop.redact']) });
export type CustomShop = Static<typeof CustomShop>;

export const checkOrder = shapeCheck(CustomOrder);
export const checkSubject = shapeCheck(CustomSubject);
export const checkShop = shapeCheck(CustomShop);
