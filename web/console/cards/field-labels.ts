import { useCached } from '../../shared/cached.ts';
import { api } from '../api.ts';

/** What the design of a card calls its fields. */
export function useFieldLabels(passId: string): (key: string) => string {
  const pass = useCached(['passes', passId], (options) => api.passes.get(passId, options));
  return (key) => pass.value?.fields.find((field) => field.key === key)?.label || key;
}
