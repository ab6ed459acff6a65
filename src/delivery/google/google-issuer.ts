import { type Config, ConfigError } from '../../config.ts';
import { refusal } from '../../errors.ts';
import type { ApiError } from '../../kit/http/api-error.ts';
import type { SharedWork } from '../../kit/promises.ts';
import type { GoogleWallet } from '../../wallet/google/google-wallet.ts';
import { loadServiceAccount, type ServiceAccount } from '../../wallet/google/service-account.ts';
import type { Asked } from './take-turn.ts';

/** The account that this installation has with Google Wallet. */
export interface GoogleIssuer extends GoogleAccount {
  readonly wallet: GoogleWallet;
  /** Classes that are being written: many holders may press the button of a new pass at once. */
  readonly classWork: SharedWork<Asked>;
  /** Cards that are being sent: a holder may press the button again and again. */
  readonly saveWork: SharedWork<void>;
}

interface GoogleAccount {
  readonly issuerId: string;
  readonly serviceAccount: ServiceAccount;
}

/**
 * The account of the configuration; null where it has none. Raises `ConfigError` or `ServiceAccountProblem`, whose
 * messages say what to do.
 */
export function loadGoogleAccount({ google: { serviceAccount, issuerId } }: Config): GoogleAccount | null {
  if (serviceAccount === null && issuerId === null) return null;
  if (serviceAccount === null || issuerId === null) {
    const missing = serviceAccount === null ? 'GOOGLE_SERVICE_ACCOUNT' : 'GOOGLE_ISSUER_ID';
    throw new ConfigError(`${missing} is missing: Google Wallet needs both settings. Set it, or neither.`);
  }
  return { issuerId, serviceAccount: loadServiceAccount(serviceAccount) };
}

/** `wallet_unavailable`, with the time after which to try again. */
export function walletUnavailable(message: string): ApiError {
  return refusal('wallet_unavailable', message, {}, { 'retry-after': '60' });
}
