import { within } from '../within.ts';
import type { RateVerdict } from './rate-bucket.ts';

const PROBE_EVERY_MS = 1000;

/** The part of a logger that the limiter writes to. */
export interface RateLimitLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Counts in memory. */
export type Take = (key: string, ratePerSecond: number, burst: number) => RateVerdict;

interface InsuredOptions {
  /** Who keeps the counts of all processes, as the log names it. */
  readonly keeper: string;
  /** Counts there. */
  readonly take: (key: string, ratePerSecond: number, burst: number) => Promise<RateVerdict>;
  /** The longest that a request may be held up by it. */
  readonly patienceMs: number;
  /** Counts here. */
  readonly insurance: Take;
  readonly log: RateLimitLog;
}

/**
 * Buckets that somebody else keeps for all processes. When the keeper cannot be reached, fails or takes longer than
 * `patienceMs`, `insurance` decides, from then on without waiting; one warning says so. A probe each second finds out when
 * the keeper is well again. Until the first `probe` the insurance decides.
 */
export function createInsuredBuckets({ keeper, take, patienceMs, insurance, log }: InsuredOptions) {
  let shared = false;
  let warned = false;
  let closed = false;
  let nextProbe: NodeJS.Timeout | undefined;

  return {
    take(key: string, ratePerSecond: number, burst: number): RateVerdict | Promise<RateVerdict> {
      return shared ? takeShared(key, ratePerSecond, burst) : insurance(key, ratePerSecond, burst);
    },
    degraded: () => !shared,
    probe,
    degrade,
    close,
  };

  async function takeShared(key: string, ratePerSecond: number, burst: number): Promise<RateVerdict> {
    try {
      return await within(patienceMs, take(key, ratePerSecond, burst));
    } catch (error) {
      degrade(messageOf(error));
      return insurance(key, ratePerSecond, burst);
    }
  }

  /** The count itself is the probe: a keeper that answers but cannot count is no help. */
  async function probe(): Promise<void> {
    clearTimeout(nextProbe);
    nextProbe = undefined;
    try {
      await within(patienceMs, take('probe', 1_000, 1_000_000));
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
