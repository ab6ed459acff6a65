import type { PublicCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { addressBucket } from '../kit/http/client-address.ts';
import { tooManyRequests } from '../workspaces/admit.ts';

/** So many at once, and then one in so many seconds. */
interface Limit {
  readonly atOnce: number;
  readonly everyS: number;
}

/**
 * Counts a try against the client's address and against whom it is about, whether or not there is anybody of that name.
 * Raises `rate_limited`.
 */
export async function limitTries(
  { app, ip }: PublicCtx,
  what: string,
  whom: string,
  limits: { readonly to: Limit; readonly from: Limit },
): Promise<void> {
  const buckets = [
    [`${what}-from:${addressBucket(ip ?? '')}`, limits.from],
    [`${what}-to:${app.addressHash(whom).toString('base64url')}`, limits.to],
  ] as const;
  for (const [bucket, { atOnce, everyS }] of buckets) {
    const verdict = await app.limiter.take(bucket, 1 / everyS, atOnce);
    if (verdict.allowed) continue;
    const wait = { 'retry-after': String(verdict.retryAfterSeconds) };
    throw refusal('rate_limited', tooManyRequests(verdict), {}, wait);
  }
}
