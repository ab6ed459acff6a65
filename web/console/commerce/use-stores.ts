import type { Store } from '../../../sdk/typescript/src/types.ts';
import { namesKeptMs, useCached } from '../../shared/cached.ts';
import { orders } from '../../texts/orders.ts';
import { api } from '../api.ts';

/** The stores of the workspace, as far as one page shows them; empty until they are there. */
export function useStores(): readonly Store[] {
  const stores = useCached(
    ['stores', 'names'],
    async (options) => (await api.stores.list({ limit: 100 }, options).page()).data,
    { keptMs: namesKeptMs },
  );
  return stores.value ?? [];
}

/** Where an order came from. */
export function sourceOf(stores: readonly Store[], storeId: string | null): string {
  if (storeId === null) return orders().byApi;
  return stores.find((store) => store.storeId === storeId)?.domain ?? storeId;
}
