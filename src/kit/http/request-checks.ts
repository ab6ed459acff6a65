import { ApiError, invalidRequest } from './api-error.ts';
import { type Core, type Exchange, rawHeaderValues } from './exchange.ts';
import { parsePairs } from './pair-list.ts';
import { busy } from './turn-away.ts';

/** The longest request target that is taken, in bytes. */
export const MAX_URL_LENGTH = 8_192;

/** Refuses what can be refused without knowing the caller: overload, a Host header missing or doubled, a long URL. */
export function checkArrival(exchange: Exchange): void {
  const { core, incoming, plan } = exchange;
  if (plan?.isVital !== true && (isOverloaded(core) || core.concurrency.isFull(exchange.caller)))
    throw busy();
  if ((incoming.url ?? '').length > MAX_URL_LENGTH) throw urlTooLong();
  const { httpVersion } = incoming;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw invalidRequest(WRONG_VERSION);
  const hosts = rawHeaderValues(incoming.rawHeaders, 'host');
  // RFC 9112 §3.2: exactly one, except that HTTP/1.0 knows none.
  const isOne = hosts.length === 1 && HOST.test(hosts[0] ?? '');
  if (!isOne && !(hosts.length === 0 && httpVersion === '1.0')) {
    throw invalidRequest('Send exactly one Host header, with a host name or address and an optional port.');
  }
}

/** Whether more is in flight than is served at a time. */
export function isOverloaded({ inFlight, maxInFlight }: Core): boolean {
  return inFlight.load > maxInFlight;
}

/** The query parameters of a request. Throws `invalid_request` where they, or the path, cannot be read. */
export function readQuery(url: string, query: string): Readonly<Record<string, string>> {
  if (url.includes('%00') && !query.includes('%00')) {
    throw invalidRequest('The path holds a NUL character (%00); remove it.');
  }
  return query === '' ? NO_PARAMETERS : parsePairs(query, 'query parameter');
}

export function urlTooLong(): ApiError {
  return new ApiError(
    414,
    'uri_too_long',
    `The URL is longer than ${MAX_URL_LENGTH} characters; shorten it.`,
  );
}

export const WRONG_VERSION = 'This HTTP version is not supported here; use HTTP/1.1.';

const HOST = /^(?:[A-Za-z0-9._~%!$&'()*+,;=-]*|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/;
const NO_PARAMETERS: Readonly<Record<string, string>> = Object.freeze(Object.create(null));
