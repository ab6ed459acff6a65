import { hash } from 'node:crypto';
import type { Link } from '../processes/process-link.ts';
import type { NamedGauge } from '../telemetry/metrics.ts';
import { bucketShape, drained, type RateVerdict, UNIT, verdictAt } from './rate-bucket.ts';
import { type RateLimitLog, shareWithParent } from './rate-limit-shared.ts';

const MOST_KEYS = 200_000;

/** Decides request by request; exact in the sense of GCRA: see `take`. */
export interface RateLimiter {
  /**
   * Counts one request under the key. In every span of T seconds of the limiter's clock at most
   * `burst + ratePerSecond × T` are allowed, and nothing is refused that this bound allows. A refused request
   * costs nothing. Answers at once when the counts are in memory, else with a promise that never rejects. A cost of -1
   * gives a request back that should not have been counted.
   */
  take(key: string, ratePerSecond: number, burst: number, cost?: 1 | -1): RateVerdict | Promise<RateVerdict>;
  /** Where the counts are. */
  readonly store: string;
  /** True while a limiter that should share its counts decides by this process's own. */
  degraded(): boolean;
  close(): void;
}

export interface RateLimiterOptions {
  /** `redis://…`, shared by all processes; null: counts in memory. */
  readonly redisUrl: string | null;
  /** The process that started this one and its like, whose memory they share where there is no Redis. */
  readonly parent?: Link | undefined;
  /** Milliseconds, for the counts in memory; Redis uses its own clock. */
  readonly clock: () => number;
  readonly log: RateLimitLog;
  /** Stands before every key in Redis, for example `app:rate:`. */
  readonly prefix: string;
  /** The longest that Redis may hold up a request before memory decides; 50 ms by default. */
  readonly timeoutMs?: number;
}

/**
 * A limiter over memory; or over Redis, else over the parent's memory, with this process's own as the insurance for when
 * these are down or slow.
 */
export async function createRateLimiter(options: RateLimiterOptions): Promise<RateLimiter> {
  const { redisUrl, clock, parent, log } = options;
  const take = createMemoryBuckets(clock);
  if (redisUrl === null && parent !== undefined) return shareWithParent(parent, { insurance: take, log });
  if (redisUrl === null) return { take, store: 'memory', degraded: () => false, close() {} };
  // An installation without Redis does not load its client.
  const { createSharedBuckets } = await import('./rate-limit-redis.ts');
  return createSharedBuckets({ ...options, redisUrl }, take);
}

/** What /metrics says of it. */
export function limiterGauges(limiter: RateLimiter): NamedGauge[] {
  return [
    {
      name: 'rate_limits_degraded',
      help: '1 while the store does not answer, and a process counts for itself; absent otherwise',
      label: 'store',
      together: 'max',
      read: async (): Promise<Record<string, number>> => (limiter.degraded() ? { [limiter.store]: 1 } : {}),
    },
  ];
}

/**
 * `RateLimit-Policy` and `RateLimit` in the structured-field form of draft-ietf-httpapi-ratelimit-headers
 * (text of September 2025), and `Retry-After` on a refusal. A bucket has no window; the fields say what is
 * true of it: a caller who sends at most `q` (the burst) in any `w` seconds (the time a full bucket takes to
 * drain) is never refused, `r` more are possible now, and after `t` seconds more than `r`. On a refusal `t`
 * is `Retry-After`, as the draft asks.
 */
export function rateHeaders(verdict: RateVerdict, ratePerSecond: number): Record<string, string> {
  const window = Math.max(1, Math.ceil(verdict.limit / ratePerSecond));
  const headers: Record<string, string> = {
    'RateLimit-Policy': `"default";q=${verdict.limit};w=${window}`,
    RateLimit: `"default";r=${verdict.remaining};t=${verdict.resetSeconds}`,
  };
  if (!verdict.allowed) headers['Retry-After'] = String(verdict.retryAfterSeconds);
  return headers;
}

interface Bucket {
  level: number;
  /** The moment of that level, in ms. */
  at: number;
  /** The moment at which the bucket is empty, so that forgetting it changes nothing. */
  emptyAt: number;
}

/**
 * Buckets of this process. At most `mostKeys` are kept, and no bucket is forgotten before it is empty, so that no caller wipes
 * out a count with made-up keys: beyond that new keys of a kind, which is what stands before their colon, share a few.
 */
export function createMemoryBuckets(clock: () => number, mostKeys = MOST_KEYS) {
  const buckets = new Map<string, Bucket>();
  let hand = buckets.entries();

  return function take(own: string, ratePerSecond: number, burst: number, cost = 1): RateVerdict {
    const shape = bucketShape(ratePerSecond, burst);
    const now = clock();
    const key = buckets.has(own) || hasRoom(now) ? own : sharedBy(own);
    const bucket = buckets.get(key);
    const level = bucket === undefined ? 0 : drained(bucket.level, bucket.at, now, shape.drainPerMs);
    if (level + cost * UNIT > shape.capacity) return verdictAt(level, false, shape);

    const after = Math.max(0, level + cost * UNIT);
    const emptyAt = now + after / shape.drainPerMs;
    if (bucket === undefined) {
      buckets.set(key, { level: after, at: now, emptyAt });
    } else {
      bucket.level = after;
      bucket.at = now;
      bucket.emptyAt = emptyAt;
    }
    return verdictAt(after, true, shape);
  };

  /**
   * A clock hand moves over the map, a few buckets for each new one, and drops the empty ones. So the map
   * holds little more than the busy keys, without a timer and without ever walking through all of it.
   */
  function hasRoom(now: number): boolean {
    const steps = buckets.size >= mostKeys ? 8 : 2;
    for (let step = 0; step < steps; step++) {
      const entry = nextEntry();
      if (entry !== undefined && entry[1].emptyAt <= now) buckets.delete(entry[0]);
    }
    return buckets.size < mostKeys;
  }

  function nextEntry(): [string, Bucket] | undefined {
    const next = hand.next();
    if (!next.done) return next.value;
    hand = buckets.entries();
    return hand.next().value;
  }
}

/** How many buckets the keys of a kind share when there is no room for more. */
const mostShared = 1_024;

function sharedBy(key: string): string {
  const kind = key.slice(0, key.indexOf(':') + 1);
  return `${kind}shared:${hash('sha256', key, 'buffer').readUInt32BE() % mostShared}`;
}
