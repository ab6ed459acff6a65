import { refusal } from '../../errors.ts';
import type { BulkheadOptions } from '../../kit/limits/bulkhead.ts';

/** Bodies of up to 5 MiB from whoever claims to be a store: so many of them lie in memory at a time. */
export const largeBodies: BulkheadOptions = {
  places: { perKey: 4, total: 12 },
  waiting: { perKey: 40, total: 400 },
  patienceMs: 2_000,
  refusal: () =>
    refusal('overloaded', 'Too many large bodies arrive at once. Retry shortly.', {}, { 'retry-after': '5' }),
};
