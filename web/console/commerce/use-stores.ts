import type { Store } from '../../../sdk/typescript/src/types.ts';
import { useLoad } from '../../shared/data.ts';
import { orders } from '../../texts/orders.ts';
import { api } from '../api.ts';

/** The stores of the workspace, as far as one page shows them; empty until they are there. */
export function useStores(): readonly Store[] {
  const stores = useLoad(async (options) => (await api.stores.list({ limit: 100 }, options).page()).data);
  return stores.value ?? [];
}

/** Where an order came from. */
export function sourceOf(stores: readonly Store[], storeId: string | null): string {
  if (storeId === null) return orders().byApi;
  return stores.find((store) => store.storeId === storeId)?.domain ?? storeId;
}
