import type { Link } from '../processes/process-link.ts';
import { within } from '../promises.ts';
import type { RateVerdict } from './rate-bucket.ts';

const PROBE_EVERY_MS = 1000;

/** The part of a logger that the limiter writes to. */
export interface RateLimitLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Counts in memory. */
export type Take = (key: string, ratePerSecond: number, burst: number, cost?: 1 | -1) => RateVerdict;

interface InsuredOptions {
  /** Who keeps the counts of all processes, as the log names it. */
  readonly keeper: string;
  /** Counts there. */
  readonly take: (...request: Parameters<Take>) => Promise<RateVerdict>;
  /** The longest that a request may be held up by it. */
  readonly timeoutMs: number;
  /** Counts here. */
  readonly insurance: Take;
  readonly log: RateLimitLog;
}

/**
 * Buckets that another process keeps for all of them. When the keeper cannot be reached, fails or takes longer than
 * `timeoutMs`, `insurance` decides, from then on without waiting; one warning says so. A probe each second finds out when
 * the keeper is well again. Until the first `probe` the insurance decides.
 */
export function createInsuredBuckets({ keeper, take, timeoutMs, insurance, log }: InsuredOptions) {
  let shared = false;
  let warned = false;
  let closed = false;
  let nextProbe: NodeJS.Timeout | undefined;

  return {
    take(...request: Parameters<Take>): RateVerdict | Promise<RateVerdict> {
      return shared ? takeShared(...request) : insurance(...request);
    },
    degraded: () => !shared,
    probe,
    degrade,
    close,
  };

  async function takeShared(...request: Parameters<Take>): Promise<RateVerdict> {
    try {
      return await within(timeoutMs, take(...request));
    } catch (error) {
      degrade(messageOf(error));
      return insurance(...request);
    }
  }

  /** The count itself is the probe: a keeper that answers but cannot count is no help. */
  async function probe(): Promise<void> {
    clearTimeout(nextProbe);
    nextProbe = undefined;
    try {
      await within(timeoutMs, take('probe', 1_000, 1_000_000));
    } catch (error) {
      return degrade(messageOf(error));
    }
    shared = !closed;
    if (warned && !closed) log.info({}, `rate limits are shared through ${keeper} again`);
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
      `${keeper} does not answer: rate limits are kept by each process for itself until it does`,
    );
  }

  function close(): void {
    closed = true;
    shared = false;
    clearTimeout(nextProbe);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What `take` is asked with. */
type Request = Parameters<Take>;

interface Open {
  readonly request: Request;
  resolve(verdict: RateVerdict): void;
  reject(error: Error): void;
}

/** It does nothing else, so that only a machine that stands still keeps it for so long. */
const usualTimeoutMs = 250;

interface Options {
  readonly insurance: Take;
  readonly log: RateLimitLog;
  readonly timeoutMs?: number;
}

/**
 * Buckets in the memory of the process that started this one and its like: exact over all of them. What is asked in one
 * turn of the loop is one message. While the parent does not answer, `insurance` decides.
 */
export async function shareWithParent(parent: Link, { insurance, log, timeoutMs = usualTimeoutMs }: Options) {
  let open: Open[] = [];
  const take = (...request: Request) =>
    new Promise<RateVerdict>((resolve, reject) => {
      if (open.length === 0) setImmediate(askAll);
      open.push({ request, resolve, reject });
    });
  const buckets = createInsuredBuckets({ keeper: 'the parent', take, timeoutMs, insurance, log });
  await buckets.probe();
  return { take: buckets.take, store: 'parent', degraded: buckets.degraded, close: buckets.close };

  async function askAll(): Promise<void> {
    const asked = open;
    open = [];
    try {
      const verdicts = await parent.ask<RateVerdict[]>(
        'take',
        asked.map(({ request }) => request),
        timeoutMs,
      );
      for (const [at, verdict] of verdicts.entries()) asked[at]?.resolve(verdict);
    } catch (error) {
      for (const { reject } of asked) reject(error as Error);
    }
  }
}

/** The parent's side: counts what the child asks by this link. */
export function countFor(
  child: Link,
  limiter: { take(...request: Request): RateVerdict | Promise<RateVerdict> },
) {
  child.answer('take', (requests: readonly Request[]) =>
    Promise.all(requests.map((request) => limiter.take(...request))),
  );
}
