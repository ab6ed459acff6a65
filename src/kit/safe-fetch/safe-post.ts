import { FetchRefused, refuseOtherPort } from './check-url.ts';
import { createGuardedRequests, type EgressPolicy } from './guarded-requests.ts';
import { headersFor } from './open-url.ts';
import { createPostConnections, type PostedAnswer } from './post-connections.ts';

/**
 * Sends messages to URLs that strangers have named. How many are under way at a time, but for those of one key to one
 * origin, is the caller's business.
 */
export interface SafePost {
  /**
   * Reads a URL and looks up its host. Raises FetchRefused for one that may not be visited; one that cannot be found at the
   * moment may be.
   */
  check(url: string): Promise<void>;
  /**
   * Posts a JSON text. Any status is an answer, and a redirect is one too and is not followed. Only to hosts with public
   * addresses, 15 seconds until the status has arrived; nothing is decompressed. Raises FetchRefused when there is no answer,
   * or the signal's reason.
   */
  post(url: string, message: PostMessage): Promise<PostedAnswer>;
}

export interface PostMessage {
  /** The caller that has named the URL: callers never share connections. */
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Has it sent on a connection that carries nothing else. */
  readonly isAlone?: boolean;
}

export interface PosterOptions extends EgressPolicy {
  readonly allowsHttp: boolean;
  /** How many bytes of an answer are shown. */
  readonly mostBytes: number;
  /** How long a message may take until its status has arrived; 15 s by default. */
  readonly totalMs?: number;
}

const usualMs = 15_000;
const bodyMs = 1_000;
/** Name servers are not asked for each of many messages to one host. */
const rememberMs = 5_000;
/** Makes the way to post to strangers. */
export function createSafePost({ mostBytes, totalMs = usualMs, ...policy }: PosterOptions): SafePost {
  const requests = createGuardedRequests({ ...policy, noun: 'answer', totalMs, rememberMs });
  const beginning = { bytes: mostBytes, ms: bodyMs };
  const connections = createPostConnections({ requests, beginning });
  return {
    async check(text) {
      const url = requests.check(text);
      try {
        await requests.inTime((signal) => requests.resolve(url, signal));
      } catch (error) {
        if (!(error instanceof FetchRefused) || error.reason === 'blocked_host') throw error;
      }
      refuseOtherPort(url, { trustedHost: policy.trustedHost ?? null });
    },
    async post(text, { key, headers, body, signal, isAlone = false }) {
      const url = requests.check(text);
      const message = {
        key,
        url,
        headers: headersFor(policy.userAgent, { 'content-type': 'application/json', ...headers }),
        body,
        isAlone,
      };
      // Also on an open connection: its host may lead elsewhere now.
      if (requests.remembers(url)) return connections.post(message, signal);
      return requests.inTime(async (within) => {
        await requests.resolve(url, within);
        return connections.post(message, within);
      }, signal);
    },
  };
}
