import { PunchcardError } from '../../../sdk/typescript/src/core/punchcard-error.ts';
import type { Refusal } from './entry.ts';

/** The outcome of a call that has failed. */
export type Verdict =
  /** The service cannot be reached, or asks for rest: everything waits. */
  | { readonly kind: 'rest'; readonly afterMs: number | null }
  /** The same call may succeed later; others need not wait for it. */
  | { readonly kind: 'later' }
  /** No person is signed in: everything waits until one is. */
  | { readonly kind: 'sign_in' }
  /** A person has to decide. */
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * By the retry rules of the API: no 4xx is sent again unchanged but 429, a lack of credits and a request that came too slowly;
 * a 500 only where it says that this is safe.
 */
export function verdictOf(error: unknown): Verdict {
  if (!(error instanceof PunchcardError)) throw error;
  const { code, status, message, requestId, retryable } = error;
  if (status === 401) return { kind: 'sign_in' };
  if (status === 402) return { kind: 'later' };
  if (status === 500 && retryable) return { kind: 'later' };
  if (retryable || status === 408) return { kind: 'rest', afterMs: retryAfterMs(error.headers) };
  // Such as the page on which a guest network wants a signature.
  if (code === 'unexpected_answer') return { kind: 'rest', afterMs: null };
  return { kind: 'refused', refusal: { code, status, message, requestId } };
}

function retryAfterMs(headers: Headers): number | null {
  const asked = headers.get('retry-after');
  if (asked === null) return null;
  if (/^\d+$/.test(asked)) return Number(asked) * 1_000;
  const at = Date.parse(asked);
  const sentAt = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(at - sentAt) ? null : Math.max(0, at - sentAt);
}

const firstMs = 2_000;
const mostMs = 300_000;

/**
 * How long to wait after so many failures in a row: twice as long each time, between half of it and all of it, so that tills
 * that lost the network together do not come back together; never shorter than the service has asked for.
 */
export function waitMs(failures: number, afterMs: number | null, random = Math.random): number {
  const step = Math.min(firstMs * 2 ** Math.max(0, failures - 1), mostMs);
  const spread = step * (0.5 + random() / 2);
  return afterMs === null ? spread : afterMs + spread / 4;
}
