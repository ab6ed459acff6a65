import type { App } from '../context.ts';
import { refusal } from '../errors.ts';
import type { ApiError } from '../kit/http/api-error.ts';
import type { RateVerdict } from '../kit/limits/rate-bucket.ts';

/** A number of calls at once, and then one in a number of seconds. */
export interface Limit {
  readonly atOnce: number;
  readonly everyS: number;
}

/** Counts one under the name of a bucket; a cost of -1 gives it back. */
export async function countIn(
  { limiter }: Pick<App, 'limiter'>,
  bucket: string,
  { atOnce, everyS }: Limit,
  cost: 1 | -1 = 1,
): Promise<RateVerdict> {
  return limiter.take(bucket, 1 / everyS, atOnce, cost);
}

/** `rate_limited`, with `Retry-After`. */
export function tooManyRequests({ retryAfterSeconds }: RateVerdict): ApiError {
  const seconds = String(retryAfterSeconds);
  return refusal('rate_limited', `Too many requests. Retry in ${seconds} s.`, {}, { 'retry-after': seconds });
}
