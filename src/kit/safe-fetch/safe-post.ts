import { FetchRefused, refuseOtherPort } from './check-url.ts';
import { headersFor } from './open-url.ts';
import { createPostConnections, type PostedAnswer } from './post-connections.ts';
import { createVisits, type Visitor } from './visits.ts';

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
  /** Who has named the URL: connections are never shared with others. */
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Has it sent on a connection that carries nothing else. */
  readonly isAlone?: boolean;
}

export interface PosterOptions extends Visitor {
  readonly allowsHttp: boolean;
  /** How many bytes of an answer are shown. */
  readonly mostBytes: number;
  /** How long a message may take until its status has arrived; 15 s unless told. */
  readonly totalMs?: number;
}

const usualMs = 15_000;
const bodyMs = 1_000;
/** Name servers are not asked for each of many messages to one host. */
const rememberMs = 5_000;
/** Makes the way to post to strangers. */
export function createSafePost({ mostBytes, totalMs = usualMs, ...visitor }: PosterOptions): SafePost {
  const visits = createVisits({ ...visitor, noun: 'answer', totalMs, rememberMs });
  const beginning = { bytes: mostBytes, ms: bodyMs };
  const connections = createPostConnections({ visits, beginning });
  return {
    async check(text) {
      const url = visits.check(text);
      try {
        await visits.inTime((signal) => visits.resolve(url, signal));
      } catch (error) {
        if (!(error instanceof FetchRefused) || error.reason === 'blocked_host') throw error;
      }
      refuseOtherPort(url, { trustedHost: visitor.trustedHost ?? null });
    },
    async post(text, { key, headers, body, signal, isAlone = false }) {
      const url = visits.check(text);
      const message = {
        key,
        url,
        headers: headersFor(visitor.userAgent, { 'content-type': 'application/json', ...headers }),
        body,
        isAlone,
      };
      // Also where a connection is there: its host may lead elsewhere by now.
      if (visits.remembers(url)) return connections.post(message, signal);
      return visits.inTime(async (within) => {
        await visits.resolve(url, within);
        return connections.post(message, within);
      }, signal);
    },
  };
}
