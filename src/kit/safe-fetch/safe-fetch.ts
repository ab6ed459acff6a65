import type { IncomingMessage } from 'node:http';
import { FetchRefused } from './check-url.ts';
import { type Question, readBody } from './open-url.ts';
import { createVisits, type Visitor } from './visits.ts';

export { FetchRefused } from './check-url.ts';

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

const mostRedirects = 3;
const mostBytes = 20 * 1_048_576;
const get: Question = { method: 'GET', headers: {}, body: null };

/** Makes the way to fetch from strangers; all its fetches share their places. */
export function createSafeFetch(visitor: Visitor): SafeFetch {
  // A connection for each: nothing is known of the last one.
  const visits = createVisits({ ...visitor, noun: 'file', connections: { keepAlive: false } });

  async function follow(url: URL, signal: AbortSignal, redirectsLeft: number): Promise<Buffer> {
    const { answer, close } = await visits.open(url, get, signal);
    let next: URL;
    try {
      if (answer.statusCode === 200) return await readBody(answer, mostBytes, 'file');
      next = visits.check(redirectOf(answer, redirectsLeft), url);
    } finally {
      close();
    }
    return await follow(next, signal, redirectsLeft - 1);
  }

  return async (text, { key, use, signal }) => {
    const url = visits.check(text);
    const read = () => visits.inTime((within) => follow(url, within, mostRedirects), signal);
    return await visits.enter(key, async () => await use(await read()), signal);
  };
}

/** Where an answer that is not 200 sends us, as it says it. */
function redirectOf({ statusCode = 0, headers }: IncomingMessage, redirectsLeft: number): string {
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
  return Buffer.from(headers.location, 'latin1').toString();
}
