import { invalidAs, invalidRequest } from '../api-error.ts';
import { sentKey } from '../endpoints/headers.ts';
import { type ProblemRule, problemOf } from '../schemas/problems.ts';
import { clipped, propertyPath } from '../schemas/schema-words.ts';
import { type Core, type Exchange, rawHeaderValues } from './exchange.ts';
import { busy, MAX_URL_LENGTH, urlTooLong, WRONG_VERSION } from './refusals.ts';

/** Refuses a request for reasons that do not depend on the caller: overload, a missing or doubled Host header, a long URL. */
export function checkArrival(exchange: Exchange): void {
  const { core, incoming, plan } = exchange;
  if (plan?.isVital !== true && (isOverloaded(core) || core.concurrency.isFullFor(sentKey(incoming))))
    throw busy();
  if ((incoming.url ?? '').length > MAX_URL_LENGTH) throw urlTooLong();
  const { httpVersion } = incoming;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw invalidRequest(WRONG_VERSION);
  const hosts = rawHeaderValues(incoming.rawHeaders, 'host');
  // RFC 9112 §3.2: exactly one, except that HTTP/1.0 knows none.
  const isOne = hosts.length === 1 && HOST.test(hosts[0] ?? '');
  if (!isOne && !(hosts.length === 0 && httpVersion === '1.0')) {
    throw invalidAs(
      'format',
      'Send exactly one Host header, with a host name or address and an optional port.',
      { path: 'Host', part: 'header' },
    );
  }
}

/** Whether more requests are in flight than the server takes. */
export function isOverloaded({ inFlight, maxInFlight }: Core): boolean {
  return inFlight.load > maxInFlight;
}

/** The query parameters of a request. Throws `invalid_request` where they, or the path, cannot be read. */
export function readQuery(url: string, query: string): Readonly<Record<string, string>> {
  if (url.includes('%00') && !query.includes('%00')) {
    throw invalidAs('syntax', 'The path holds a NUL character (%00); remove it.', { part: 'path' });
  }
  return query === '' ? NO_PARAMETERS : parsePairs(query, 'query parameter');
}

const HOST = /^(?:[A-Za-z0-9._~%!$&'()*+,;=-]*|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/;
const NO_PARAMETERS: Readonly<Record<string, string>> = Object.freeze(Object.create(null));

/**
 * Reads `a=1&b=2`, percent-encoded UTF-8 with `+` for a space, as query strings and forms have it. Messages call one
 * pair a `noun`. Throws `invalid_request` for a name given twice, bad encoding and NUL.
 */
export function parsePairs(text: string, noun: 'query parameter' | 'form field'): Record<string, string> {
  const pairs: Record<string, string> = Object.create(null);
  const part = noun === 'query parameter' ? 'query' : undefined;
  const refuse = (name: string, rule: ProblemRule, predicate: string, the = 'The') =>
    invalidRequest(
      `${the} ${noun} ${shown(name)} ${predicate}`,
      problemOf(propertyPath([name]), rule, predicate, { part }),
    );
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const rawName = equals === -1 ? pair : pair.slice(0, equals);
    const name = decode(rawName);
    if (name === null) {
      throw refuse(rawName, 'syntax', 'is not valid percent-encoded UTF-8.', 'The name of the');
    }
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    if (value === null) throw refuse(name, 'syntax', 'is not valid percent-encoded UTF-8.');
    if (name.includes('\0') || value.includes('\0')) {
      throw refuse(name, 'syntax', 'holds a NUL character; remove it.');
    }
    if (name in pairs) throw refuse(name, 'unique', 'is given twice; send it once.');
    pairs[name] = value;
  }
  return pairs;
}

function decode(text: string): string | null {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return null;
  }
}

function shown(name: string): string {
  return /^[\w.[\]-]+$/.test(name) ? clipped(name) : JSON.stringify(clipped(name));
}
