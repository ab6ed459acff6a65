import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { type BucketShape, bucketShape, type RateVerdict, UNIT, verdictAt } from './rate-bucket.ts';
import { createInsuredBuckets, type RateLimitLog, type Take } from './rate-limit-shared.ts';

const MOST_RETRY_MS = 1000;

/**
 * `take` of the buckets in memory, run inside Redis: atomic, and by the one clock that all processes share.
 * Kept as "level µs"; gone as soon as it would be empty. Returns whether the request is allowed and the
 * level.
 */
const TAKE = `
local capacity, drain_per_ms, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local level = 0
local kept = redis.call('GET', KEYS[1])
if kept then
  local kept_level, since = string.match(kept, '^(%d+) (%d+)$')
  local passed = math.max(0, now - tonumber(since))
  level = math.max(0, tonumber(kept_level) - math.floor(passed * drain_per_ms / 1000))
end
if level + cost > capacity then return {0, level} end
level = math.max(0, level + cost)
local lives = string.format('%.0f', math.ceil(level / drain_per_ms) + 1)
redis.call('SET', KEYS[1], string.format('%.0f %.0f', level, now), 'PX', lives)
return {1, level}
`;

const TAKE_SHA1 = createHash('sha1').update(TAKE).digest('hex');

export interface SharedBucketsOptions {
  readonly redisUrl: string;
  /** Stands before every key. */
  readonly prefix: string;
  readonly log: RateLimitLog;
  /** The longest that Redis may hold up a request; 50 ms by default. */
  readonly timeoutMs?: number | undefined;
}

/** Buckets in Redis, exact over any number of processes; while Redis is away, `insurance` decides. */
export function createSharedBuckets(options: SharedBucketsOptions, insurance: Take) {
  const { redisUrl, prefix, log, timeoutMs = 50 } = options;
  const redis = new Redis(redisUrl, {
    connectTimeout: 500,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    // A request that was decided in memory must not be counted in Redis as well, after a reconnect.
    autoResendUnfulfilledCommands: false,
    // A peer that vanished without closing the connection would else be waited for until TCP gives up.
    socketTimeout: 1000,
    // For so long `close` keeps the process alive while Redis is away: ioredis waits for a socket that is gone.
    disconnectTimeout: 100,
    retryStrategy: (attempt) => Math.min(attempt * 100, MOST_RETRY_MS),
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  const buckets = createInsuredBuckets({ keeper: 'Redis', take: takeInRedis, timeoutMs, insurance, log });
  redis.on('ready', () => void buckets.probe());
  redis.on('error', (error: Error) => buckets.degrade(error.message));
  redis.on('close', () => buckets.degrade('the connection was closed'));

  return {
    take: buckets.take,
    store: 'redis',
    degraded: buckets.degraded,
    close() {
      buckets.close();
      redis.disconnect();
    },
  };

  async function takeInRedis(
    ...[key, ratePerSecond, burst, cost = 1]: Parameters<Take>
  ): Promise<RateVerdict> {
    const shape = bucketShape(ratePerSecond, burst);
    const [allowed, level] = await runScript(prefix + key, shape, cost * UNIT);
    return verdictAt(level, allowed === 1, shape);
  }

  async function runScript(
    key: string,
    { capacity, drainPerMs }: BucketShape,
    cost: number,
  ): Promise<[number, number]> {
    const answer = await redis
      .evalsha(TAKE_SHA1, 1, key, capacity, drainPerMs, cost)
      .catch((error: Error) => {
        if (!error.message.startsWith('NOSCRIPT')) throw error;
        return redis.eval(TAKE, 1, key, capacity, drainPerMs, cost);
      });
    return answer as [number, number];
  }
}
