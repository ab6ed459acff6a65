import { retryAfterMs } from '../../kit/http/endpoints/headers.ts';

/** Apple's push service, for the passes of one pass type. */
export interface Apns {
  /**
   * Sends one empty push to a device, which then asks which of its passes have changed. Never throws. Any number may
   * be asked for at once: they are sent in that order, and as many at a time as APNs allows.
   */
  push(pushToken: string): Promise<ApnsResult>;
  /**
   * Null while pushes are sent. Else no connection could be opened or kept, and until this moment, in milliseconds of
   * `performance.now()`, none is attempted: pushes are answered `later` at once.
   */
  readonly pausedUntil: number | null;
  /** Lets what is in flight come to its end, for a moment; everything else is answered `later`. */
  close(): Promise<void>;
}

/** A push that was asked for and has no result yet. */
export interface Push {
  readonly token: string;
  readonly settle: (result: ApnsResult) => void;
  /** APNs left it untouched before. */
  isRetried: boolean;
  /** The one behind it in the queue. */
  next: Push | null;
}

/** Pushes that wait for their turn, in the order in which they came. */
export class ApnsQueue {
  #first: Push | null = null;
  #last: Push | null = null;

  get isEmpty(): boolean {
    return this.#first === null;
  }

  add(push: Push): void {
    if (this.#last === null) this.#first = push;
    else this.#last.next = push;
    this.#last = push;
  }

  take(): Push | null {
    const push = this.#first;
    if (push === null) return null;
    this.#first = push.next;
    if (this.#first === null) this.#last = null;
    push.next = null;
    return push;
  }
}

/** The outcome of a push. */
export type ApnsResult =
  | { readonly kind: 'accepted' }
  /**
   * The token is no longer valid. With `at`, the device was gone at that time: a newer registration still counts.
   */
  | { readonly kind: 'gone'; readonly reason: string; readonly at: Date | null }
  /** Certificate and topic do not fit each other or APNs: says nothing about the token, and concerns every push. */
  | { readonly kind: 'misconfigured'; readonly reason: string }
  /** Nothing is known against the push: it is worth another try after so many milliseconds. */
  | { readonly kind: 'later'; readonly reason: string; readonly afterMs: number }
  /** APNs did not understand it, and would not the next time. */
  | { readonly kind: 'refused'; readonly reason: string };

/** An answer of APNs as it came. */
interface ApnsAnswer {
  readonly status: number;
  /** JSON: `{"reason": "…", "timestamp": milliseconds}`. Empty when it was accepted. */
  readonly body: string;
  /** The header of that name; null without one. */
  readonly retryAfter: string | null;
}

/** What an answer means. Source: Apple, "Handling notification responses from APNs". */
export function readApnsAnswer({ status, body, retryAfter }: ApnsAnswer): ApnsResult {
  if (status === 200) return accepted;
  const { reason, timestamp } = readBody(status, body);
  if (status === 410) return { kind: 'gone', reason, at: timestamp };
  if (reason === 'BadDeviceToken') return { kind: 'gone', reason, at: null };
  if (status === 403 || misconfigurations.has(reason)) return { kind: 'misconfigured', reason };
  if (status === 429) return later(reason, retryAfter, tooManyMs);
  if (status >= 500) return later(reason, retryAfter, reason === 'Shutdown' ? shutdownMs : troubleMs);
  // The connection was unused for too long; the push has no fault.
  if (reason === 'IdleTimeout') return later(reason, retryAfter, shutdownMs);
  return { kind: 'refused', reason };
}

/** The reason of a GOAWAY: Apple's word in the frame's data, else the error code of HTTP/2. */
export function readGoawayReason(data: Buffer | undefined, code: number): string {
  return wordOf(parse(data?.toString() ?? '').reason) ?? `Goaway${code}`;
}

/** One for all, since nearly every answer is this one. */
const accepted: ApnsResult = { kind: 'accepted' };

const misconfigurations: ReadonlySet<string> = new Set([
  'BadTopic',
  'DeviceTokenNotForTopic',
  'MissingTopic',
  'TopicDisallowed',
]);

/** After too many pushes to one device. */
const tooManyMs = 60_000;
/** Apple: try again after 15 minutes. */
const troubleMs = 15 * 60_000;
/** This server goes; another one takes over. */
const shutdownMs = 1_000;
const mostRetryAfterMs = 24 * 3_600_000;

function later(reason: string, retryAfter: string | null, usualMs: number): ApnsResult {
  const askedMs = retryAfterMs(retryAfter, new Date());
  return { kind: 'later', reason, afterMs: Math.min(askedMs ?? usualMs, mostRetryAfterMs) };
}

function readBody(status: number, body: string): { reason: string; timestamp: Date | null } {
  const { reason, timestamp } = parse(body);
  const isTime = typeof timestamp === 'number' && Math.abs(timestamp) <= 8.64e15;
  return { reason: wordOf(reason) ?? `Status${status}`, timestamp: isTime ? new Date(timestamp) : null };
}

/** Reasons are single words; whatever else comes from outside is not passed on into logs. */
function wordOf(reason: unknown): string | null {
  return typeof reason === 'string' && /^[A-Za-z]{1,60}$/.test(reason) ? reason : null;
}

function parse(body: string): { reason?: unknown; timestamp?: unknown } {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
