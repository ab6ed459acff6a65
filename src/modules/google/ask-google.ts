import type { GoogleResult } from '../../wallet/google/google-wallet.ts';
import { GoogleBusy } from './take-turn.ts';

/** A request to Google, or several; those that do not get their turn soon enough are left for later. */
export async function askGoogle(requests: () => Promise<GoogleResult>): Promise<GoogleResult> {
  try {
    return await requests();
  } catch (error) {
    if (!(error instanceof GoogleBusy)) throw error;
    return { kind: 'later', reason: error.message, afterMs: 1_000 };
  }
}
