import type { KeyCtx } from '../../context.ts';
import { findOrder } from './find-order.ts';
import { presentCorrection } from './order.schema.ts';
import { claimsFor, type OrderItem } from './order-item.ts';
import { cancelledForGood } from './order-state.ts';

/**
 * The cancellation of an order: it earns nothing, whatever else is told of it. One of an order that is not known yet
 * waits for it. Raises what `findOrder` raises.
 */
export async function cancelOrder(
  ctx: KeyCtx,
  orderId: string,
  storeId: string | null | undefined,
  key: string | null,
): Promise<OrderItem> {
  const { order, passId, followsEdits } = await findOrder(ctx, orderId, storeId);
  return {
    ctx,
    operation: 'cancelOrder',
    order,
    claims: claimsFor(order, { effect: [], key }),
    passId,
    news: cancelledForGood,
    customer: null,
    partnerId: null,
    items: null,
    followsEdits,
    present: (settled) => presentCorrection(settled),
  };
}
