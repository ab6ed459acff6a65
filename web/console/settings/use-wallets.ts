import { type Loaded, useLoad } from '../../shared/data.ts';
import { api } from '../api.ts';

/** By what the wallets know the workspace. */
export type LoadedWallets = Loaded<Awaited<ReturnType<typeof api.wallets.get>>>;

export function useWallets(): LoadedWallets {
  return useLoad((options) => api.wallets.get(options));
}
