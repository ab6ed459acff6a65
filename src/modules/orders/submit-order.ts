import type { ActorCtx } from '../../context.ts';
import type { Answered } from '../../engine/answered.ts';
import { again, submitOnce } from '../../engine/batch.ts';
import { laneOf, type OrderAnswer, type OrderItem } from './order-item.ts';
import { settleOrders } from './settle-orders.ts';

/**
 * Settles an item together with others that arrive meanwhile. `describe` is asked again where the pass of the order was
 * learned meanwhile; null where there is nothing to settle. Raises the item's refusal.
 */
export async function submitOrder<A extends OrderAnswer>(
  ctx: ActorCtx,
  describe: () => Promise<OrderItem<A> | null>,
): Promise<Answered<A> | null> {
  for (let turn = 0; turn < mostTurns; turn++) {
    const item = await describe();
    if (item === null) return null;
    const outcome = await submitOnce(ctx, settleOrders, laneOf(item), item);
    if (outcome !== again) return outcome;
  }
  throw new Error('the pass of an order was another one each time');
}

/** An order learns its pass once. */
const mostTurns = 5;
