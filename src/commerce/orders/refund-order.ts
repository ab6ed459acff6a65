import type { KeyCtx } from '../../context.ts';
import { invalidRequest } from '../../kit/http/api-error.ts';
import { parseMoney } from '../../kit/http/money.ts';
import { normalText } from '../../kit/http/parameters.ts';
import { findOrder } from './find-order.ts';
import { type NewRefundBody, presentCorrection } from './order.schema.ts';
import { claimsFor, type OrderItem, type SettledOrder } from './order-item.ts';

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
    news: { state: null, refunds: [{ refundId, amount }] },
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
