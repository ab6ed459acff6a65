import type { Partner } from '../../../sdk/typescript/src/types.ts';
import { namesKeptMs, useCached } from '../../shared/cached.ts';
import type { Loaded } from '../../shared/data.ts';
import { api } from '../api.ts';

/** The partners of the workspace. */
export function usePartners(): Loaded<readonly Partner[]> {
  return useCached(
    ['partners', 'names'],
    (options) => api.partners.list({ limit: 100 }, options).toArray({ most: 500 }),
    { keptMs: namesKeptMs },
  );
}
