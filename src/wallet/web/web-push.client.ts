import { retryAfterMs } from '../../kit/http/endpoints/headers.ts';
import { fetchFailure } from '../../kit/safe-fetch/outgoing-calls.ts';
import { encryptPush, type PushSubscription } from './push-encryption.ts';
import type { Vapid } from './vapid.ts';

/** Web Push (RFC 8030) to browsers that hold an installed web card. */
export interface WebPush {
  /** What a browser subscribes with: the application server key of RFC 8292, an uncompressed point as base64url. */
  readonly publicKey: string;
  /** Whether endpoints of this address may be kept and pushed to. */
  allows(endpoint: string): boolean;
  /**
   * Sends one push: the browser wakes the card's service worker, which asks for the newest state, or shows what the message
   * says where it has no worker. Empty without a message or keys. Never throws.
   */
  push(to: PushSubscription, message: string | null): Promise<WebPushResult>;
}

/** The outcome of a push. */
export type WebPushResult =
  | { readonly kind: 'accepted' }
  /** The subscription has ended. */
  | { readonly kind: 'gone'; readonly reason: string }
  /** The push service will never take pushes to this subscription from us. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The push service does not accept who we say we are: our clock or our contact may be wrong, or the subscription. */
  | { readonly kind: 'unauthorized'; readonly reason: string }
  /** Not now; `afterMs` is how long the push service asks to wait, null where it does not say. */
  | { readonly kind: 'later'; readonly reason: string; readonly afterMs: number | null };

interface Options {
  readonly vapid: Vapid;
  /** Hosts besides those of the known browsers. */
  readonly hosts: readonly string[];
  /** Longest wait for an answer; 10 s by default. */
  readonly timeoutMs?: number;
  now(): Date;
}

/** For a browser that is off. RFC 8030 §5.2, in seconds; push services keep four weeks at most. */
const keptForSeconds = 7 * 86_400;
/** A push service that asks for more is not believed. */
const mostAfterMs = 86_400_000;

/**
 * The Push API knows a declarative message by what is in it. The type is what it was first proposed to be known by.
 */
const bodyHeaders = { 'content-encoding': 'aes128gcm', 'content-type': 'application/notification+json' };

/** Sends through the runtime's own connections, which are kept open for a few seconds. */
export function createWebPush({ vapid, hosts, timeoutMs = 10_000, now }: Options): WebPush {
  async function push(to: PushSubscription, message: string | null): Promise<WebPushResult> {
    const { pushEndpoint: endpoint, pushKeys } = to;
    // An endpoint that was allowed when it was stored may be forbidden now.
    if (!isPushService(endpoint, hosts)) return { kind: 'refused', reason: 'not an allowed push service' };
    try {
      const body = message === null || pushKeys === null ? null : encryptPush(message, pushKeys);
      const response = await fetch(endpoint, {
        method: 'POST',
        body,
        headers: {
          ...(body !== null && bodyHeaders),
          authorization: await vapid.authorizationFor(endpoint),
          ttl: String(keptForSeconds),
          // A push that waits is replaced by the next, which is about the newest state.
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

/** The push services of the browsers. Each of these companies decides alone who answers below its name. */
const known: readonly (string | { readonly below: string })[] = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  { below: '.push.apple.com' },
  { below: '.notify.windows.com' },
];

/**
 * Whether an endpoint belongs to a push service that this installation sends to: over https, without credentials, on a
 * known host and its usual port, or on one of `more` (`host`, or `host:port`).
 *
 * An endpoint comes from a stranger's browser, and the service posts to it from inside its own network. Without this
 * list any client with a link could have it knock at any address there (server-side request forgery); a check of the
 * address that a name resolves to could be undone by an answer that changes, a list of names cannot.
 */
function isPushService(endpoint: string, more: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, host, username, password } = new URL(endpoint);
  if (protocol !== 'https:' || username !== '' || password !== '') return false;
  // `host` has the port where it is not the usual one.
  return (
    more.includes(host) ||
    known.some((one) => (typeof one === 'string' ? host === one : isBelow(host, one.below)))
  );
}

function isBelow(host: string, domain: string): boolean {
  return host.endsWith(domain) && /^[a-z0-9.-]+$/.test(host);
}
