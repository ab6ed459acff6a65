import type { GoogleResult } from '../../wallet/google/google-wallet.ts';
import { GoogleBusy } from './take-turn.ts';

/** What Google answered; `busy` when it could not be asked soon enough, which is nobody's fault. */
export type Asked = GoogleResult | { readonly kind: 'busy' };

/** Sends a request to Google, or several, each in its turn. */
export async function askGoogle(requests: () => Promise<GoogleResult>): Promise<Asked> {
  try {
    return await requests();
  } catch (error) {
    if (error instanceof GoogleBusy) return { kind: 'busy' };
    throw error;
  }
}
