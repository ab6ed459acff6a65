import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import { FetchRefused } from './check-url.ts';
import { createGuardedRequests, type EgressPolicy } from './guarded-requests.ts';
import { type RequestSpec, readBody } from './open-url.ts';

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
/** The largest file that is fetched. */
export const mostFileBytes = 20 * 1_048_576;
const get: RequestSpec = { method: 'GET', headers: {}, body: null };

/** Makes the way to fetch from strangers; all its fetches share their places. */
export function createSafeFetch(policy: EgressPolicy): SafeFetch {
  // A connection for each: nothing is known of the last one.
  const requests = createGuardedRequests({ ...policy, noun: 'file', connections: { keepAlive: false } });

  async function follow(url: URL, signal: AbortSignal, redirectsLeft: number): Promise<Buffer> {
    const { answer, close } = await requests.open(url, get, signal);
    let next: URL;
    try {
      if (answer.statusCode === 200) return await readBody(answer, mostFileBytes, 'file');
      next = requests.check(redirectOf(answer, redirectsLeft), url);
    } finally {
      close();
    }
    return await follow(next, signal, redirectsLeft - 1);
  }

  return async (text, { key, use, signal }) => {
    const url = requests.check(text);
    const read = () => requests.inTime((within) => follow(url, within, mostRedirects), signal);
    return await requests.enter(key, async () => await use(await read()), signal);
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

/**
 * Asks a question of an https API that a stranger has named, with the headers and the body that it wants, credentials
 * among them. Any status is an answer. A redirect is one too and is not followed, since the credentials would travel
 * along. Only hosts with public addresses, 10 seconds, 16 MiB; nothing is decompressed. Raises FetchRefused when the URL
 * cannot or may not be called.
 */
export type SafeCall = (url: string, options: CallOptions) => Promise<CallAnswer>;

export interface CallOptions extends RequestSpec {
  /** Who is asked: few calls of one key are under way at a time. */
  readonly key: string;
  /** Ends the call, and raises the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface CallAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const mostAnswerBytes = 16 * 1_048_576;
/**
 * Calls of one host follow each other, and a handshake each would be most of their time. A connection is kept for less
 * time than servers keep it, so that none is used that is being closed.
 */
const connections = { keepAlive: true, maxFreeSockets: 4, timeout: 2_000 };

/** Makes the way to call strangers; all its calls share their places. */
export function createSafeCall(policy: EgressPolicy): SafeCall {
  const requests = createGuardedRequests({ ...policy, noun: 'answer', connections });

  async function ask(url: URL, spec: RequestSpec, signal: AbortSignal): Promise<CallAnswer> {
    const { answer, close } = await requests.open(url, spec, signal);
    try {
      const body = await readBody(answer, mostAnswerBytes, 'answer');
      return { status: answer.statusCode ?? 0, headers: flat(answer.headers), body };
    } catch (error) {
      close();
      throw error;
    }
  }

  return async (text, { key, signal, ...spec }) => {
    const url = requests.check(text);
    checkHeaders(spec.headers);
    return await requests.enter(
      key,
      () => requests.inTime((within) => ask(url, spec, within), signal),
      signal,
    );
  };
}

/** What says whom the question is for and where it ends is not the caller's. */
const ours =
  /^(?:host|connection|keep-alive|proxy-.*|content-length|transfer-encoding|te|trailer|upgrade|expect|accept-encoding)$/i;

function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (ours.test(name)) throw new FetchRefused('invalid_header', `The header ${name} cannot be chosen.`);
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      // Without the value, which may be a secret.
      throw new FetchRefused('invalid_header', 'A header holds characters that no header may hold.');
    }
  }
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]);
  return Object.fromEntries(entries);
}
