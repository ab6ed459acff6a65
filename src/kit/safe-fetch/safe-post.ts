import { FetchRefused } from './check-url.ts';
import { readBeginning } from './open-url.ts';
import { createVisits, type Visitor } from './visits.ts';

/**
 * Sends messages to URLs that strangers have named. How many are under way at a time, but for those of
 * one host, is the caller's business.
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
  post(url: string, message: PostMessage): Promise<PostAnswer>;
}

export interface PostMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

export interface PostAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The first bytes of its body, and what has come of these within a second. */
  readonly beginning: Buffer;
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
/**
 * A host has so many connections; further messages wait for one of these, in their time. One is kept for less time than
 * servers keep it, so that none is used that is being closed.
 */
const connections = { keepAlive: true, maxSockets: 32, maxFreeSockets: 32, timeout: 1_000 };

/** Makes the way to post to strangers. */
export function createSafePost({ mostBytes, totalMs = usualMs, ...visitor }: PosterOptions): SafePost {
  const visits = createVisits({ ...visitor, noun: 'answer', connections, totalMs, rememberMs });
  return {
    async check(text) {
      const url = visits.check(text);
      try {
        await visits.inTime((signal) => visits.resolve(url, signal));
      } catch (error) {
        if (!(error instanceof FetchRefused) || error.reason === 'blocked_host') throw error;
      }
    },
    async post(text, { headers, body, signal }) {
      const url = visits.check(text);
      const question = {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      } as const;
      const { answer } = await visits.inTime(async (within) => {
        const opened = await visits.open(url, question, within);
        // What comes after the status is not worth a failure.
        opened.answer.on('error', () => undefined);
        return opened;
      }, signal);
      return {
        status: answer.statusCode ?? 0,
        retryAfter: answer.headers['retry-after'],
        beginning: await readBeginning(answer, mostBytes, bodyMs),
      };
    },
  };
}
