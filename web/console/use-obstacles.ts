import type { Obstacles } from '../../sdk/typescript/src/types.ts';
import { useCached } from '../shared/cached.ts';
import type { Loaded } from '../shared/data.ts';
import { api } from './api.ts';

/** What is missing before customers can have cards. */
export function useObstacles(): Loaded<Obstacles> {
  return useCached(['wallets', 'obstacles'], (options) => api.wallets.obstacles(options));
}
