import type { ActorCtx } from '../../context.ts';
import { ApiError } from '../../kit/http/api-error.ts';
import type { Answer } from '../../kit/http/endpoint.ts';
import { laneOf, type OrderItem } from './order-item.ts';
import { settleOrders } from './settle-orders.ts';

/**
 * Settles an item together with others that arrive meanwhile. `describe` is asked again where the order was in other
 * hands; null where there is nothing to settle. Raises the item's refusal.
 */
export async function submitOrder(
  ctx: ActorCtx,
  describe: () => Promise<OrderItem | null>,
): Promise<Answer | null> {
  for (let turn = 0; turn < mostTurns; turn++) {
    const item = await describe();
    if (item === null) return null;
    const outcome = await ctx.app.groupCommit.write(settleOrders, laneOf(item), item);
    if (outcome instanceof ApiError) throw outcome;
    if (outcome === 'again') continue;
    ctx.app.wake();
    return outcome;
  }
  throw new Error('an order was in other hands all the time');
}

/** Each turn settles one of those that stand in each other's way; a batch has a hundred. */
const mostTurns = 200;
