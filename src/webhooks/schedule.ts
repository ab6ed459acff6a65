const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** The pauses of the Standard Webhooks specification: before the first attempt, and after each that has failed. */
export const schedule = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Jitter: deliveries that failed together are not retried together. */
const spread = 0.2;
/** The shortest pause at a receiver that asks for less, or does not keep up. */
const reliefMs = minute;

/** How an attempt has failed. */
export interface Failure {
  /** Of the answer; null where there was none. */
  readonly status: number | null;
  readonly isTimeout: boolean;
  /** Its Retry-After, in milliseconds; null where it named none. */
  readonly retryAfterMs: number | null;
}

/**
 * How long to wait after so many failed attempts, the last of which failed like this; null when it was the last one. A
 * Retry-After counts up to twice the step.
 */
export function pauseAfter(
  tries: number,
  { status, isTimeout, retryAfterMs }: Failure,
  random = Math.random(),
): number | null {
  const step = schedule[tries];
  if (step === undefined) return null;
  const spreadMs = step * (1 - spread + 2 * spread * random);
  const askedMs = Math.min(Math.max(spreadMs, retryAfterMs ?? 0), Math.max(spreadMs, 2 * step));
  const isRelief = isTimeout || status === 429;
  return Math.round(isRelief ? Math.max(askedMs, reliefMs) : askedMs);
}

/** A Retry-After in milliseconds: whole seconds, or a date; null for anything else. */
export function readRetryAfter(text: string | undefined, now: Date): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * second;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : Math.max(0, moment - now.getTime());
}
