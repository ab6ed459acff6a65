import type { Partner } from '../../../sdk/typescript/src/types.ts';
import { type Loaded, useLoad } from '../../shared/data.ts';
import { api } from '../api.ts';

/** The partners of the workspace. */
export function usePartners(): Loaded<readonly Partner[]> {
  return useLoad((options) => api.partners.list({ limit: 100 }, options).toArray({ most: 500 }));
}
