import type { IncomingMessage } from 'node:http';
import { createBulkhead } from '../bulkhead.ts';
import { checkUrl } from './check-url.ts';
import { startDeadline } from './deadline.ts';
import { FetchRefused } from './fetch-refused.ts';
import { openUrl } from './open-url.ts';
import { addressCheck } from './public-address.ts';
import { readBody } from './read-body.ts';
import { resolveHost } from './resolve-host.ts';

export { FetchRefused } from './fetch-refused.ts';

/**
 * Fetches a URL that a stranger has chosen and hands the bytes to `use`; the result is what `use` makes of them. Only
 * https, only hosts with public addresses, up to 3 redirects, 10 seconds and 20 MiB. Nothing is decompressed. Raises
 * FetchRefused when the URL cannot or may not be fetched, and what `use` raises.
 */
export type SafeFetch = <T>(url: string, options: FetchOptions<T>) => Promise<T>;

export interface FetchOptions<T> {
  /** Who asks: few fetches of one key are under way at a time. Their places are kept until `use` has ended. */
  readonly key: string;
  use(bytes: Buffer): Promise<T>;
  /** Ends the fetch, and raises the signal's reason; `use` is let end. */
  readonly signal?: AbortSignal;
}

export interface SafeFetchOptions {
  /** Networks (`127.0.0.1/32`) that may be fetched from although they are not public. */
  readonly allow: readonly string[];
  readonly userAgent: string;
}

const totalMs = 10_000;
const mostRedirects = 3;
const mostBytes = 20 * 1_048_576;
/** The waits are bounded, so that the requests which wait for them never are all that the process serves. */
const crowd = {
  places: { perKey: 4, total: 32 },
  waiting: { perKey: 250, total: 1_000 },
  patienceMs: 30_000,
};

/** Makes the way to fetch from strangers; all its fetches share their places. */
export function createSafeFetch({ allow, userAgent }: SafeFetchOptions): SafeFetch {
  const isAllowed = addressCheck(allow);
  const bulkhead = createBulkhead({ ...crowd, refusal: busy });

  async function read(url: URL, caller: AbortSignal | undefined): Promise<Buffer> {
    const deadline = startDeadline(totalMs, tooSlow, caller);
    try {
      return await follow(url, deadline.signal, mostRedirects);
    } catch (error) {
      deadline.signal.throwIfAborted();
      throw error instanceof FetchRefused ? error : unreachable(error);
    } finally {
      deadline.clear();
    }
  }

  async function follow(url: URL, signal: AbortSignal, redirectsLeft: number): Promise<Buffer> {
    const addresses = await resolveHost(url, isAllowed, signal);
    const { answer, close } = await openUrl(url, { addresses, isAllowed, userAgent, signal });
    let next: URL;
    try {
      if (answer.statusCode === 200) return await readBody(answer, mostBytes);
      next = redirectOf(answer, url, redirectsLeft);
    } finally {
      close();
    }
    return await follow(next, signal, redirectsLeft - 1);
  }

  return async (text, { key, use, signal }) => {
    const url = checkUrl(text);
    return await bulkhead.enter(key, async () => await use(await read(url, signal)), signal);
  };
}

/** Where an answer that is not 200 sends us. */
function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL, redirectsLeft: number): URL {
  if (![301, 302, 303, 307, 308].includes(statusCode))
    throw new FetchRefused('unreachable', `The host answered ${statusCode} instead of 200.`);
  if (redirectsLeft === 0)
    throw new FetchRefused(
      'too_many_redirects',
      `The URL redirects more than ${mostRedirects} times. Use the one where it ends up.`,
    );
  if (headers.location === undefined)
    throw new FetchRefused('unreachable', `The host answered ${statusCode} without a Location.`);
  // Headers are read as Latin-1, but what is not ASCII was meant as UTF-8.
  return checkUrl(Buffer.from(headers.location, 'latin1').toString(), from);
}

function tooSlow(): FetchRefused {
  return new FetchRefused('timeout', `The file did not arrive within ${totalMs / 1_000} seconds.`);
}

function busy(): FetchRefused {
  return new FetchRefused(
    'busy',
    'Too many files are being fetched at the moment. Try again a little later.',
  );
}

/** The code only: the text of such errors may hold what the other side has sent. */
function unreachable(error: unknown): FetchRefused {
  const { code } = error as { code?: unknown };
  const detail = typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? ` (${code})` : '';
  const what = /CERT|ISSUER|SIGNATURE/.test(detail)
    ? 'The certificate of the host is not valid'
    : 'The host cannot be reached, or its answer is broken';
  return new FetchRefused('unreachable', `${what}${detail}.`);
}
