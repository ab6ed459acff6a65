import { useCached } from '../../shared/cached.ts';
import type { Loaded } from '../../shared/data.ts';
import { api } from '../api.ts';

/** By what the wallets know the workspace. */
export type LoadedWallets = Loaded<Awaited<ReturnType<typeof api.wallets.get>>>;

export function useWallets(): LoadedWallets {
  return useCached(['wallets'], (options) => api.wallets.get(options));
}
