import type { KeyCtx } from '../../context.ts';
import { invalidRequest } from '../../kit/http/api-error.ts';
import { parseMoney } from '../../kit/http/money.ts';
import { normalText } from '../../kit/http/parameters.ts';
import { pastMoment } from '../../loyalty/earn-points.ts';
import { reachesPass } from '../../passes/find-pass.ts';
import { foldAddress } from '../invites/address.ts';
import { findOrder, sourceOf } from './find-order.ts';
import {
  type NewOrderBody,
  type NewRefundBody,
  presentCorrection,
  presentProcessed,
} from './order.schema.ts';
import { claimsFor, nameOf, type OrderHolder, type OrderItem, type SettledOrder } from './order-item.ts';
import { cancelledForGood } from './order-state.ts';

/**
 * A paid order: it earns by the program's rule on the card of its customer, who gets one if there is none. Once by
 * orderId and store: a repeat answers the first result, whatever its amounts. Raises, of its own, `store_not_found` and
 * `forbidden` for the store, and `invalid_request`.
 */
export async function processOrder(ctx: KeyCtx, body: NewOrderBody, key: string | null) {
  const { passId, orderId, partnerId = null, items = null, occurredAt = null } = body;
  const { source, followsEdits } = await sourceOf(ctx, body.storeId);
  const order = { source, orderId: normalText('orderId', orderId) };
  const now = ctx.app.now();
  return {
    ctx,
    operation: 'processOrder' as const,
    order,
    // A key that does not reach the pass is refused before it is shown an answer.
    claims: reachesPass(ctx, passId) ? claimsFor(ctx, 'processOrder', order, { effect: [passId], key }) : [],
    names: [nameOf(order)],
    passId,
    update: {
      state: {
        // Whatever a store tells of it is newer.
        version: 0,
        paid: true,
        cancelled: false,
        total: parseMoney('total', body.total),
        placedAt: occurredAt === null ? now : pastMoment(occurredAt, now),
      },
      refunds: [],
    },
    customer: holderOf(body.customer),
    partnerId,
    items,
    followsEdits,
    present: presentProcessed,
  } satisfies OrderItem;
}

/** Raises `invalid_request` for a customer without id and e-mail address. */
function holderOf({ id, email, phone, name }: NewOrderBody['customer']): OrderHolder {
  const address = email == null ? null : normalText('customer.email', foldAddress(email), 254);
  const identifier = id == null ? address : normalText('customer.id', id);
  if (identifier === null)
    throw invalidRequest('customer: send an id or an email, by which the card of the customer is found.');
  return { identifier, email: address, phone: phone ?? null, name: name ?? null };
}

/**
 * A refund: what the order has earned for the money is taken away again, by the rule that it was processed with. Refunds
 * add up, in any order; one of an order that is not known yet waits for it. Once by refundId. Raises `invalid_request`
 * for another currency than the order's, and what `findOrder` raises.
 */
export async function refundOrder(ctx: KeyCtx, orderId: string, body: NewRefundBody, key: string | null) {
  const { order, row, passId, followsEdits } = await findOrder(ctx, orderId, body.storeId);
  const amount = parseMoney('amount', body.amount);
  const refundId = normalText('refundId', body.refundId);
  const currency = row?.currency ?? amount.currency;
  if (amount.currency !== currency)
    throw invalidRequest(`amount.currency: the order was placed in ${currency}.`);
  return {
    ctx,
    operation: 'refundOrder' as const,
    order,
    claims: claimsFor(ctx, 'refundOrder', order, {
      names: [refundId],
      effect: [amount.minor, amount.currency],
      key,
    }),
    names: [],
    passId,
    update: { state: null, refunds: [{ refundId, amount }] },
    customer: null,
    partnerId: null,
    items: null,
    followsEdits,
    present: (settled: SettledOrder) => {
      const { status, body } = presentCorrection(settled);
      const { orderId: id, ...rest } = body;
      return { status, body: { orderId: id, refundId, ...rest } };
    },
  } satisfies OrderItem;
}

/**
 * The cancellation of an order: it earns nothing, whatever else is reported of it. One of an order that is not known yet
 * waits for it. Raises what `findOrder` raises.
 */
export async function cancelOrder(
  ctx: KeyCtx,
  orderId: string,
  storeId: string | null | undefined,
  key: string | null,
) {
  const { order, passId, followsEdits } = await findOrder(ctx, orderId, storeId);
  return {
    ctx,
    operation: 'cancelOrder' as const,
    order,
    claims: claimsFor(ctx, 'cancelOrder', order, { effect: [], key }),
    names: [nameOf(order)],
    passId,
    update: cancelledForGood,
    customer: null,
    partnerId: null,
    items: null,
    followsEdits,
    present: (settled: SettledOrder) => presentCorrection(settled),
  } satisfies OrderItem;
}
