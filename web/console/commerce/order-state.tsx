import type { ListedOrder, Money } from '../../../sdk/typescript/src/types.ts';
import { Badge } from '../../shared/notice.tsx';
import { orders } from '../../texts/orders.ts';

const kinds = { processed: 'good', pending: 'note', cancelled: undefined } as const;

export function OrderState({ status }: Pick<ListedOrder, 'status'>) {
  return <Badge kind={kinds[status]}>{orders().statuses[status]}</Badge>;
}

/** The page of an order: stores number their orders each for themselves. */
export function orderHref({ orderId, storeId }: Pick<ListedOrder, 'orderId' | 'storeId'>): string {
  const search = storeId === null ? '' : `?${new URLSearchParams({ storeId })}`;
  return `/console/orders/${encodeURIComponent(orderId)}${search}`;
}

/** What was not refunded yet of an order; null where its total is not known. */
export function leftOf({ total, refunded }: Pick<ListedOrder, 'total' | 'refunded'>): Money | null {
  if (total === null) return null;
  // Amounts of one currency have the same number of decimals.
  const digits = total.amount.split('.')[1]?.length ?? 0;
  const left = minorOf(total) - minorOf(refunded);
  const text = (left < 0n ? 0n : left).toString().padStart(digits + 1, '0');
  const amount = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return { amount, currency: total.currency };
}

/** Whether there is any money. */
export function isSome(money: Money | null): boolean {
  return minorOf(money) > 0n;
}

function minorOf(money: Money | null): bigint {
  return BigInt(money?.amount.replace('.', '') ?? '0');
}
