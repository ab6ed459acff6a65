import type { CallOptions } from '../../../sdk/typescript/src/core/options.ts';
import type { ListedOrder } from '../../../sdk/typescript/src/types.ts';
import { codeOf } from '../../shared/api-error.ts';
import { api } from '../api.ts';

/** What customers call an order. */
export function numberOf({ number, orderId }: Pick<ListedOrder, 'number' | 'orderId'>): string {
  return number ?? orderId;
}

/**
 * The orders that customers know by a number, a few at most; otherwise the one whose id it is: of no store, or of one of these. Raises
 * `order_not_found` where there is none.
 */
export async function findOrders(
  text: string,
  storeIds: readonly string[],
  options: CallOptions = {},
): Promise<readonly ListedOrder[]> {
  const { data } = await api.orders.list({ number: text, limit: 5 }, options).page();
  return data.length > 0 ? data : [await getOrder(text.replace(/^#/, ''), [undefined, ...storeIds], options)];
}

async function getOrder(orderId: string, storeIds: readonly (string | undefined)[], options: CallOptions) {
  const [storeId, ...others] = storeIds;
  try {
    return await api.orders.get(orderId, storeId === undefined ? {} : { storeId }, options);
  } catch (error) {
    if (codeOf(error) !== 'order_not_found' || others.length === 0) throw error;
    return getOrder(orderId, others, options);
  }
}
