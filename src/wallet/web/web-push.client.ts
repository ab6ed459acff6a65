import { fetchFailure } from '../../kit/http/fetch-failure.ts';
import { retryAfterMs } from '../../kit/http/http-date.ts';
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
      // The address is a secret between the browser and us.
      return { kind: 'later', reason: fetchFailure(error, timeoutMs), afterMs: null };
    }
  }

  return { publicKey: vapid.publicKey, allows: (endpoint) => isPushService(endpoint, hosts), push };
}

function resultOf({ status, headers }: Response, now: Date): WebPushResult {
  const reason = `status ${status}`;
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  // RFC 8030 §7.3 has 404 for a subscription that has expired; in practice it is 410.
  if (status === 404 || status === 410) return { kind: 'gone', reason };
  // RFC 8292 §4.2: it is the token that is refused.
  if (status === 401 || status === 403) return { kind: 'unauthorized', reason };
  if (status === 408 || status === 429 || status >= 500)
    return { kind: 'later', reason, afterMs: pauseOf(headers.get('retry-after'), now) };
  return { kind: 'refused', reason };
}

/** As much of what it asks for as is believed. */
function pauseOf(retryAfter: string | null, now: Date): number | null {
  const asked = retryAfterMs(retryAfter, now);
  return asked === null ? null : Math.min(asked, mostAfterMs);
}
