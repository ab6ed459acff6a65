import { refusal } from '../../errors.ts';
import type { ApiError } from '../../kit/http/api-error.ts';

/** `wallet_unavailable`, with the time after which to try again. */
export function walletUnavailable(message: string): ApiError {
  return refusal('wallet_unavailable', message, {}, { 'retry-after': '60' });
}
