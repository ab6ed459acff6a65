import { Type } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { answer, endpoint, writeEndpoint } from '../engine/endpoints.ts';
import { toApiError } from '../errors.ts';
import { closed, Id, listOf } from '../kit/http/schemas/shapes.ts';
import { showOrder } from '../orders/find-order.ts';
import { listOrders as listVerb } from '../orders/list-orders.ts';
import { Cancellation, NewOrder, NewRefund, OrderId } from '../orders/new-order.schema.ts';
import * as shapes from '../orders/order.schema.ts';
import type { OrderAnswer, OrderItem } from '../orders/order-item.ts';
import {
  cancelOrder as cancelVerb,
  processOrder as processVerb,
  refundOrder as refundVerb,
} from '../orders/orders.ts';
import { submitOrder } from '../orders/record-orders.ts';
import { withdrawCancellation as withdrawVerb } from '../orders/withdraw-cancellation.ts';

const tag = 'Orders';
const OrderPath = closed({ orderId: OrderId });
const OfStore = closed({ storeId: Type.Optional(Id) });
const storeErrors = ['store_not_found', 'forbidden'] as const;

/** An order's own number is its key, so that a repeat is safe. */
async function submit<A extends OrderAnswer>(ctx: KeyCtx, describe: () => Promise<OrderItem<A>>) {
  try {
    const answered = await submitOrder(ctx, describe);
    if (answered === null) throw new Error('a call says something about an order');
    return answered;
  } catch (error) {
    throw toApiError(error, true);
  }
}

export const processOrder = endpoint({
  op: 'processOrder',
  call: 'orders.process',
  tag,
  summary: 'Process Order: find the holder or issue a card, and award by the earn rule',
  description:
    'Idempotent by orderId and store: a repeat answers the first result and awards nothing again, whatever its amounts. Finds the holder by customer.id, then by e-mail address, or by the telephone number where that is all that is sent; else issues a card. All of it happens, or nothing.',
  idempotent: true,
  body: NewOrder,
  example: shapes.orderExample,
  answers: { 200: shapes.ProcessedOrder, 202: shapes.ProcessedOrder },
  errors: [
    'pass_not_found',
    ...storeErrors,
    'partner_not_found',
    'no_loyalty_program',
    'program_not_launched',
    'program_inactive',
    'pool_exhausted',
    'external_ref_reused',
  ],
  handle: (ctx: KeyCtx, { body, key }) => submit(ctx, () => processVerb(ctx, body, key)),
});

export const listOrders = endpoint({
  op: 'listOrders',
  call: 'orders.list',
  tag,
  summary: 'List orders',
  description:
    'Those that became known last come first; each without its items and single refunds. `waiting`: orders without a card, of which a refund or a cancellation came early, or that are not paid. Keys that are restricted to passes see the orders of these.',
  query: shapes.OrderFilters,
  answers: { 200: listOf(shapes.ListedOrder) },
  errors: ['pass_not_found', 'instance_not_found', ...storeErrors],
  handle: async (ctx: KeyCtx, { query }) => answer(200, await listVerb(ctx, query)),
});

export const getOrder = endpoint({
  op: 'getOrder',
  call: 'orders.get',
  tag,
  summary: 'An order, and what it has earned',
  description: 'With its refunds, and what it earns after them.',
  params: OrderPath,
  query: OfStore,
  answers: { 200: shapes.Order },
  errors: ['order_not_found', ...storeErrors],
  handle: async (ctx: KeyCtx, { params, query }) =>
    answer(200, await showOrder(ctx, params.orderId, query.storeId)),
});

export const refundOrder = endpoint({
  op: 'refundOrder',
  call: 'orders.refund',
  tag,
  summary: 'Refund an order, in full or in part',
  description:
    'Takes back what the order has earned for the money, by the rule that it was processed with. Idempotent by refundId; refunds add up in any order. A refund of an order that is not known yet waits for it. One beyond what is left of a known order is refused, with `refundable`; what a store itself reports is believed.',
  idempotent: true,
  params: OrderPath,
  body: NewRefund,
  example: { refundId: 'refund-1', amount: { amount: '2.50', currency: 'EUR' } },
  answers: { 200: shapes.RefundedOrder, 202: shapes.RefundedOrder },
  errors: ['order_not_found', ...storeErrors, 'refund_exceeds_order', 'external_ref_reused'],
  handle: (ctx: KeyCtx, { params, body, key }) =>
    submit(ctx, () => refundVerb(ctx, params.orderId, body, key)),
});

export const cancelOrder = endpoint({
  op: 'cancelOrder',
  call: 'orders.cancel',
  tag,
  summary: 'Cancel an order: it earns nothing',
  description:
    'Takes back what the order has earned; again is the same. With `early`, a cancellation of an order that is not known yet waits for it: `GET /orders?waiting=true` shows it, and `DELETE /orders/{orderId}/cancel` takes it back.',
  idempotent: true,
  params: OrderPath,
  body: Type.Optional(Cancellation),
  example: {},
  answers: { 200: shapes.CancelledOrder, 202: shapes.CancelledOrder },
  errors: ['order_not_found', ...storeErrors, 'external_ref_reused'],
  handle: (ctx: KeyCtx, { params, body, key }) =>
    submit(ctx, () => cancelVerb(ctx, params.orderId, body ?? {}, key)),
});

export const withdrawCancellation = writeEndpoint({
  op: 'withdrawCancellation',
  call: 'orders.withdrawCancellation',
  tag,
  summary: 'Take back the cancellation of an order that has not come',
  description: 'Refunds that wait for the order stay. Once the order has come, its cancellation stands.',
  idempotent: true,
  params: OrderPath,
  query: OfStore,
  answers: { 204: null },
  effect: ({ params, query }) => [params, query],
  errors: ['order_not_found', ...storeErrors, 'cancel_not_reversible', 'external_ref_reused'],
  async handle(tx, ctx, { params, query }) {
    await withdrawVerb(tx, ctx, { ...params, storeId: query.storeId });
    return answer(204, null);
  },
});
