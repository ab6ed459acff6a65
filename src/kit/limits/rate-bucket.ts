/**
 * The arithmetic of GCRA in its "continuous-state leaky bucket" form (ITU-T I.371, annex A): a bucket of
 * `burst` requests drains at `rate`, each request adds one, and a request that would overflow it is refused.
 * Levels are whole numbers of billionths of a request, so that nothing is rounded in the client's favour.
 */
export const UNIT = 1e9;
const LARGEST = 1_000_000;

/** What the limiter decided about one request. */
export interface RateVerdict {
  readonly allowed: boolean;
  /** The burst: how many requests are possible at once after a pause. */
  readonly limit: number;
  /** How many more are possible now. */
  readonly remaining: number;
  /** The seconds, without a request in between, after which at least one more than `remaining` is possible. */
  readonly resetSeconds: number;
  /**
   * Whole seconds after which the same request succeeds if no other comes before it; 0 when it was allowed.
   */
  readonly retryAfterSeconds: number;
}

/** A limit in the units of the bucket. */
export interface BucketShape {
  /** The level that is never exceeded. */
  readonly capacity: number;
  /** How much drains in one ms. */
  readonly drainPerMs: number;
}

/** A RangeError unless 0.000001 ≤ rate ≤ 1,000,000 and the burst is a whole number from 1 to 1,000,000. */
export function bucketShape(ratePerSecond: number, burst: number): BucketShape {
  const drainPerMs = Math.floor((ratePerSecond * UNIT) / 1000);
  if (!(drainPerMs >= 1 && ratePerSecond <= LARGEST)) {
    throw new RangeError(`the rate must be between 0.000001 and ${LARGEST} a second, not ${ratePerSecond}`);
  }
  if (!(Number.isInteger(burst) && burst >= 1 && burst <= LARGEST)) {
    throw new RangeError(`the burst must be a whole number between 1 and ${LARGEST}, not ${burst}`);
  }
  return { capacity: burst * UNIT, drainPerMs };
}

/** The level after the time from `since` to `now` (ms); a clock that stepped back drains nothing. */
export function drained(level: number, since: number, now: number, drainPerMs: number): number {
  if (now <= since) return level;
  return Math.max(0, level - Math.floor((now - since) * drainPerMs));
}

/** Returns the verdict on a request that leaves the bucket at `level`. */
export function verdictAt(
  level: number,
  allowed: boolean,
  { capacity, drainPerMs }: BucketShape,
): RateVerdict {
  const remaining = Math.max(0, Math.floor((capacity - level) / UNIT));
  const missing = (remaining + 1) * UNIT - (capacity - level);
  const seconds = Math.max(1, Math.ceil(missing / (drainPerMs * 1000)));
  return {
    allowed,
    limit: capacity / UNIT,
    remaining,
    resetSeconds: seconds,
    retryAfterSeconds: allowed ? 0 : seconds,
  };
}
