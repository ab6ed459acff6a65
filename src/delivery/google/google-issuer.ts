import { type Config, ConfigError } from '../../config.ts';
import { refusal } from '../../errors.ts';
import type { ApiError } from '../../kit/http/api-error.ts';
import type { SharedWork } from '../../kit/promises.ts';
import type { GoogleWallet } from '../../wallet/google/google-wallet.ts';
import { loadServiceAccount, type ServiceAccount } from '../../wallet/google/service-account.ts';
import type { Asked } from './acquire-pace.ts';

/** The owner of an account with Google Wallet: the installation, or a workspace. */
export interface GoogleIssuer extends GoogleAccount {
  readonly wallet: GoogleWallet;
  /** Classes that are being written: many holders may press the button of a new pass at once. */
  readonly classWork: SharedWork<Asked>;
  /** Cards that are being sent: a holder may press the button again and again. */
  readonly saveWork: SharedWork<void>;
}

/** An account, and what it is known by. */
export interface GoogleAccount {
  readonly issuerId: string;
  /** The issuer id where it is a workspace's own; null: that of the installation. */
  readonly ownIssuerId: string | null;
  /** What a stop of it, and its pace, are known by. */
  readonly scope: string;
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
  return { issuerId, ownIssuerId: null, scope: issuerId, serviceAccount: loadServiceAccount(serviceAccount) };
}

/** `wallet_unavailable`, with the time after which to try again. */
export function walletUnavailable(message: string): ApiError {
  return refusal('wallet_unavailable', message, {}, { 'retry-after': '60' });
}
