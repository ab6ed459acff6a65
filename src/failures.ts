import { refusal } from './errors.ts';
import { CommitUnknown, isHeldUp, isTransient } from './kit/db/database.ts';
import { ApiError } from './kit/http/api-error.ts';

/**
 * What the client sees of a failure: a refusal as it is; what waited in vain as a 503; another cause that passes by
 * itself as a 500 that may be retried (after an unknown commit only where a key protects the retry); anything else
 * unchanged, for the server to report.
 */
export function asRefusal(error: unknown, safeToRepeat: boolean): unknown {
  if (error instanceof ApiError) return error;
  if (isHeldUp(error)) {
    return refusal('overloaded', 'The database is busy. Retry shortly.', {}, { 'retry-after': '1' });
  }
  const passing = isTransient(error) || (error instanceof CommitUnknown && safeToRepeat);
  if (!passing) return error;
  return Object.assign(
    refusal('internal_error', 'The database was not available. Retry the request.', { retryable: true }),
    {
      cause: error,
    },
  );
}
