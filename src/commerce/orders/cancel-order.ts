import type { KeyCtx } from '../../context.ts';
import { findOrder } from './find-order.ts';
import { presentCorrection } from './order.schema.ts';
import { claimsFor, nameOf, type OrderItem, type SettledOrder } from './order-item.ts';
import { cancelledForGood } from './order-state.ts';

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
