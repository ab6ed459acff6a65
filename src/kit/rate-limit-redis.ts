import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { bucketShape, type RateVerdict, UNIT, verdictAt } from './rate-bucket.ts';

const PROBE_EVERY_MS = 1000;

/**
 * `take` of the buckets in memory, run inside Redis: atomic, and by the one clock that all processes share.
 * Kept as "level µs"; gone as soon as it would be empty. Returns whether the request is allowed and the
 * level.
 */
const TAKE = `
local capacity, drain_per_ms, unit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local level = 0
local kept = redis.call('GET', KEYS[1])
if kept then
  local kept_level, since = string.match(kept, '^(%d+) (%d+)$')
  local passed = math.max(0, now - tonumber(since))
  level = math.max(0, tonumber(kept_level) - math.floor(passed * drain_per_ms / 1000))
end
if level + unit > capacity then return {0, level} end
level = level + unit
local lives = string.format('%.0f', math.ceil(level / drain_per_ms) + 1)
redis.call('SET', KEYS[1], string.format('%.0f %.0f', level, now), 'PX', lives)
return {1, level}
`;

const TAKE_SHA1 = createHash('sha1').update(TAKE).digest('hex');

/** The part of a logger that the limiter writes to. */
export interface RateLimitLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface SharedBucketsOptions {
  readonly redisUrl: string;
  /** Stands before every key. */
  readonly prefix: string;
  readonly log: RateLimitLog;
  /** The longest that a request may be held up by Redis; 50 ms unless told. */
  readonly patienceMs?: number | undefined;
}

type Take = (key: string, ratePerSecond: number, burst: number) => RateVerdict;

/**
 * Buckets in Redis, exact over any number of processes. When Redis is unreachable, refuses the script or
 * takes longer than `patienceMs`, `insurance` decides, from then on without waiting; one warning says so. A
 * probe each second finds out when Redis is well again.
 */
export function createSharedBuckets(options: SharedBucketsOptions, insurance: Take) {
  const { redisUrl, prefix, log, patienceMs = 50 } = options;
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
    retryStrategy: (attempt) => Math.min(attempt * 100, PROBE_EVERY_MS),
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  let shared = false;
  let warned = false;
  let closed = false;
  let nextProbe: NodeJS.Timeout | undefined;

  redis.on('ready', () => void probe());
  redis.on('error', (error: Error) => degrade(error.message));
  redis.on('close', () => degrade('the connection was closed'));

  return { take, degraded: () => !shared, close };

  function take(key: string, ratePerSecond: number, burst: number): RateVerdict | Promise<RateVerdict> {
    return shared ? takeShared(key, ratePerSecond, burst) : insurance(key, ratePerSecond, burst);
  }

  async function takeShared(key: string, ratePerSecond: number, burst: number): Promise<RateVerdict> {
    const shape = bucketShape(ratePerSecond, burst);
    try {
      const [allowed, level] = await within(
        patienceMs,
        runScript(prefix + key, shape.capacity, shape.drainPerMs),
      );
      return verdictAt(level, allowed === 1, shape);
    } catch (error) {
      degrade(messageOf(error));
      return insurance(key, ratePerSecond, burst);
    }
  }

  async function runScript(key: string, capacity: number, drainPerMs: number): Promise<[number, number]> {
    const answer = await redis
      .evalsha(TAKE_SHA1, 1, key, capacity, drainPerMs, UNIT)
      .catch((error: Error) => {
        if (!error.message.startsWith('NOSCRIPT')) throw error;
        return redis.eval(TAKE, 1, key, capacity, drainPerMs, UNIT);
      });
    return answer as [number, number];
  }

  /** The script itself is the probe: a server that answers but cannot write is no help. */
  async function probe(): Promise<void> {
    clearTimeout(nextProbe);
    nextProbe = undefined;
    try {
      await within(patienceMs, runScript(`${prefix}probe`, 1e6 * UNIT, UNIT));
    } catch (error) {
      return degrade(messageOf(error));
    }
    shared = !closed;
    if (warned && !closed) log.info({}, 'rate limits are shared through Redis again');
    warned = false;
  }

  function degrade(reason: string): void {
    if (closed) return;
    shared = false;
    nextProbe ??= setTimeout(probe, PROBE_EVERY_MS).unref();
    if (warned) return;
    warned = true;
    log.warn(
      { reason },
      'Redis does not answer: rate limits are kept by each process for itself until it does',
    );
  }

  function close(): void {
    closed = true;
    shared = false;
    clearTimeout(nextProbe);
    redis.disconnect();
  }
}

/**
 * The promise's outcome, or an Error when it takes too long. When the time is up, what has already arrived on
 * the socket is still read first: a pause of this process itself must not look like a slow Redis.
 */
function within<T>(patienceMs: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLate = () => reject(new Error(`no answer within ${patienceMs} ms`));
    const timer = setTimeout(() => setImmediate(tooLate), patienceMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
