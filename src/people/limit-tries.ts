import { tooManyRequests } from '../access/admit.ts';
import type { PublicCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { addressBucket } from '../kit/http/client-address.ts';

/** So many at once, and then one in so many seconds. */
interface Limit {
  readonly atOnce: number;
  readonly everyS: number;
}

/** Of whom it is about, and from a client's address. */
export interface Limits {
  readonly to: Limit;
  readonly from: Limit;
}

/**
 * Counts a try against the client's address and against whom it is about, whether or not there is anybody of that name.
 * Raises `rate_limited`; where it is for whom it is about, `over` is told what stands for their name.
 */
export async function limitTries(
  { app, ip }: PublicCtx,
  what: string,
  whom: string,
  limits: Limits,
  over: (hash: string) => void = () => undefined,
): Promise<void> {
  const hash = app.addressHash(whom).toString('base64url');
  const buckets = [
    [`${what}-from:${addressBucket(ip ?? '')}`, limits.from, () => undefined],
    [`${what}-to:${hash}`, limits.to, over],
  ] as const;
  for (const [bucket, { atOnce, everyS }, refused] of buckets) {
    const verdict = await app.limiter.take(bucket, 1 / everyS, atOnce);
    if (verdict.allowed) continue;
    refused(hash);
    const wait = { 'retry-after': String(verdict.retryAfterSeconds) };
    throw refusal('rate_limited', tooManyRequests(verdict), {}, wait);
  }
}
