import { retryAfterMs } from '../../kit/http/endpoints/headers.ts';
import { fetchFailure } from '../../kit/safe-fetch/outgoing-calls.ts';
import type { GoogleResult } from './google-wallet.ts';

/** An answer of another service, or why there is none. */
export type Exchange =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** How long it asks to wait; null where it does not say. */
      readonly retryAfterMs: number | null;
      /** The JSON of the body; null when it has none, or more than 256 KiB of it. */
      readonly body: unknown;
    }
  | { readonly kind: 'unreachable'; readonly reason: string };

interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The limit of the whole exchange, the body of the answer included. */
  readonly timeoutMs: number;
  now(): Date;
}

const mostBytes = 256 * 1024;

/** One HTTP request and its answer. Redirects are answers: nothing secret travels on. It throws nothing. */
export async function exchange(url: string, request: ExchangeRequest): Promise<Exchange> {
  const { timeoutMs, now, ...init } = request;
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return {
      kind: 'answer',
      status: response.status,
      retryAfterMs: retryAfterMs(response.headers.get('retry-after'), now()),
      body: await readJson(response),
    };
  } catch (error) {
    return { kind: 'unreachable', reason: fetchFailure(error, timeoutMs) };
  }
}

async function readJson(response: Response): Promise<unknown> {
  if (response.body === null) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    // Leaving the loop closes the connection: the rest is never received.
    if (size > mostBytes) return null;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return null;
  }
}

type Answer = Extract<Exchange, { kind: 'answer' }>;

/** What an answer of the Wallet API means, before anything is tried again. */
export type Judgement =
  | GoogleResult
  /** The access token is not accepted. */
  | { readonly kind: 'unauthorized'; readonly reason: string }
  /** What was to be inserted exists, or another request is changing it. */
  | { readonly kind: 'taken'; readonly reason: string };

/** Where Google names no time: it counts requests by the second, and its faults are short. */
const usualWaitMs = 5_000;
const shortestWaitMs = 1_000;
const longestWaitMs = 3_600_000;

const longestReason = 300;

/** What an answer means to a request that did, or did not, ask phones to announce a change. */
export function judge(answer: Exchange, notify: boolean): Judgement {
  if (answer.kind === 'unreachable') return laterAfter(answer);
  const { status } = answer;
  if (status >= 200 && status < 300) return { kind: 'done' };
  if (notify && isNotificationQuota(answer)) return { kind: 'quota' };
  if (isTransient(answer)) return laterAfter(answer);
  const reason = reasonOf(answer);
  if (status === 401) return { kind: 'unauthorized', reason };
  if (status === 403 || status < 400) return { kind: 'misconfigured', reason };
  if (status === 404) return { kind: 'missing', reason };
  if (status === 409) return { kind: 'taken', reason };
  return { kind: 'refused', reason };
}

/** Whether the same request may succeed on another try. */
export function isTransient(answer: Answer): boolean {
  const { status } = answer;
  return status === 408 || status === 429 || status >= 500 || (status === 403 && isRateLimit(answer));
}

/** Try again, as soon as the answer allows: within an hour. */
export function laterAfter(answer: Exchange): Extract<GoogleResult, { kind: 'later' }> {
  if (answer.kind === 'unreachable') return { kind: 'later', reason: answer.reason, afterMs: usualWaitMs };
  const asked = answer.retryAfterMs ?? usualWaitMs;
  const afterMs = Math.min(Math.max(asked, shortestWaitMs), longestWaitMs);
  return { kind: 'later', reason: reasonOf(answer), afterMs };
}

/** The status and what the body says about it, in one line. */
export function reasonOf(answer: Answer): string {
  const { code, message } = errorOf(answer);
  const text = [answer.status, code, message].filter((part) => part !== '').join(' ');
  return text.replaceAll(/[\p{C}\s]+/gu, ' ').slice(0, longestReason);
}

/**
 * Seen in the wild: 403 with the reason `quotaExceeded` and "Quota exceeded for issuer … when adding TEXT_AND_NOTIFY
 * message …". Google's guide calls it QuotaExceededException.
 */
function isNotificationQuota(answer: Answer): boolean {
  const { code, message } = errorOf(answer);
  return (
    /QuotaExceededException|quota exceeded.*NOTIFY/is.test(`${code} ${message}`) ||
    (answer.status === 403 && code === 'quotaExceeded')
  );
}

/** Older Google APIs say with 403 what newer ones say with 429. */
function isRateLimit(answer: Answer): boolean {
  return /^(rateLimitExceeded|userRateLimitExceeded|quotaExceeded)$/.test(errorOf(answer).code);
}

/** Google's error body, and that of OAuth (RFC 6749 §5.2). */
function errorOf({ body }: Answer): { code: string; message: string } {
  const outer = membersOf(body);
  const error = membersOf(outer.error);
  const first = membersOf(Array.isArray(error.errors) ? error.errors[0] : null);
  return {
    code: firstText(outer.error, first.reason, error.status),
    message: firstText(outer.error_description, error.message),
  };
}

function firstText(...values: readonly unknown[]): string {
  return values.find((value) => typeof value === 'string') ?? '';
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
