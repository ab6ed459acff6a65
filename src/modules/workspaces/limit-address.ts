import type { App } from '../../context.ts';
import { addressBucket } from '../../kit/address.ts';
import type { RateVerdict } from '../../kit/rate-limit.ts';

/** Counts a call of nobody in particular against its address. */
export async function limitAddress(
  { limiter, config }: Pick<App, 'limiter' | 'config'>,
  ip: string,
): Promise<RateVerdict> {
  const rate = config.rateLimitPerSecond;
  return limiter.take(`address:${addressBucket(ip)}`, rate, rate * 2);
}

/** What `rate_limited` says. */
export function tooManyRequests({ retryAfterSeconds }: RateVerdict): string {
  return `Too many requests. Retry in ${retryAfterSeconds} s.`;
}
