import { isPushService } from './push-services.ts';
import type { Vapid } from './vapid.ts';
import type { WebPush, WebPushResult } from './web-push.ts';

interface Options {
  readonly vapid: Vapid;
  /** Hosts beside those of the known browsers. */
  readonly hosts: readonly string[];
  /** Longest wait for an answer; 10 s unless told. */
  readonly timeoutMs?: number;
  now(): Date;
}

/** For a browser that is off. RFC 8030 §5.2, in seconds; push services keep four weeks at most. */
const keptForSeconds = 7 * 86_400;
/** A push service that asks for more is not believed. */
const mostAfterMs = 86_400_000;

/** Sends through the runtime's own connections, which are kept open for a few seconds. */
export function createWebPush({ vapid, hosts, timeoutMs = 10_000, now }: Options): WebPush {
  async function push(endpoint: string): Promise<WebPushResult> {
    // What was allowed when it was written down may not be any more.
    if (!isPushService(endpoint, hosts)) return { kind: 'refused', reason: 'not an allowed push service' };
    try {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: {
          authorization: await vapid.authorizationFor(endpoint),
          ttl: String(keptForSeconds),
          // A push that waits is replaced by the next: all say the same.
          topic: 'card',
          urgency: 'normal',
        },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      // Nothing in the body is needed, however long it is.
      await response.body?.cancel();
      return resultOf(response, now());
    } catch (error) {
      return { kind: 'later', reason: reasonOf(error), afterMs: null };
    }
  }

  return { publicKey: vapid.publicKey, allows: (endpoint) => isPushService(endpoint, hosts), push };
}

function resultOf({ status, headers }: Response, now: Date): WebPushResult {
  const reason = `status ${status}`;
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  // RFC 8030 §7.3 has 404 for a subscription that has expired; in practice it is 410.
  if (status === 404 || status === 410) return { kind: 'gone', reason };
  if (status === 408 || status === 429 || status >= 500)
    return { kind: 'later', reason, afterMs: pauseOf(headers.get('retry-after'), now) };
  return { kind: 'refused', reason };
}

/** Retry-After in milliseconds, whether it is a number of seconds or a date (RFC 9110 §10.2.3). */
function pauseOf(retryAfter: string | null, now: Date): number | null {
  if (retryAfter === null) return null;
  const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Number.NaN;
  const ms = Number.isNaN(seconds) ? Date.parse(retryAfter) - now.getTime() : seconds;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), mostAfterMs);
}

/** Without the address, which is a secret between the browser and us. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer';
  const cause = error instanceof Error ? error.cause : null;
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  return typeof code === 'string' ? code : 'unreachable';
}
