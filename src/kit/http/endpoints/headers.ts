import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A name of 22 characters that only this content has, without the quotes of an entity tag. */
export function contentTag(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

/**
 * Whether a client that sends this If-None-Match has what the entity tag (in its quotes) names. RFC 9110 §13.1.2:
 * weak tags compare as strong ones, `*` matches whatever there is.
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return known.includes(etag) || known.includes('*');
}

/**
 * Whether a client that was last given the state of `If-Modified-Since` has the newest one, so that 304 is the answer.
 * What is no HTTP-date counts as none (RFC 9110 §13.1.3).
 */
export function isNotModified(lastModified: Date, ifModifiedSince: string | undefined): boolean {
  const since = ifModifiedSince === undefined ? null : readHttpDate(ifModifiedSince);
  return since !== null && since >= lastModified.getTime();
}

/**
 * The moment of an HTTP-date in any of its three forms (RFC 9110 §5.6.7), in milliseconds since 1970; null for
 * anything else, a number or an ISO 8601 date included.
 */
export function readHttpDate(text: string): number | null {
  for (const form of FORMS) {
    const { day = '', month = '', year = '', time = '' } = form.exec(text)?.groups ?? {};
    if (time !== '') return momentOf(Number(day), MONTHS.indexOf(month), fullYear(year), time);
  }
  return null;
}

/**
 * How long `Retry-After` asks to wait, in milliseconds: seconds, also in parts, or a moment by the clock that says
 * `now` (RFC 9110 §10.2.3). Null where it does not say.
 */
export function retryAfterMs(header: string | null | undefined, now: Date): number | null {
  const asked = header ?? '';
  if (/^\d{1,9}(?:\.\d+)?$/.test(asked)) return Math.ceil(Number(asked) * 1_000);
  const at = readHttpDate(asked);
  const ms = at === null ? Number.NaN : at - now.getTime();
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = '(?<time>\\d\\d:\\d\\d:\\d\\d)';
const SHORT_DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const LONG_DAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const MONTH = `(?<month>${MONTHS.join('|')})`;
const FORMS = [
  new RegExp(`^${SHORT_DAY}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^${LONG_DAY}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT$`),
  new RegExp(`^${SHORT_DAY} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

/** Two digits are of this century up to 69: nothing here is older than the Web. */
function fullYear(year: string): number {
  if (year.length === 4) return Number(year);
  return Number(year) < 70 ? 2_000 + Number(year) : 1_900 + Number(year);
}

function momentOf(day: number, month: number, year: number, time: string): number | null {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  const moment = Date.UTC(year, month, day, hours, minutes, seconds);
  const exists = new Date(moment).getUTCDate() === day && hours < 24 && minutes < 60 && seconds <= 60;
  return exists ? moment : null;
}

const LONGEST_TOKEN = 512;
/** `token68` of RFC 9110 §11.2, the only form that RFC 6750 allows for a Bearer token. */
const TOKEN = /^[0-9A-Za-z._~+/-]+=*$/;

export type Bearer =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'token'; readonly token: string };

/**
 * The Bearer token of a request (RFC 6750 §2.1), read from all its Authorization header values: hand over
 * every one that was sent, because Node's `headers` object silently keeps only the first of two.
 *
 * `none`: no header, an empty one, or another scheme. `malformed`: more than one header, a comma-joined one,
 * more than 512 characters, or anything but exactly one space before a token of the characters that RFC
 * allows.
 */
export function bearerToken(authorizations: readonly string[]): Bearer {
  if (authorizations.length > 1) return { kind: 'malformed' };
  const [value = ''] = authorizations;
  if (!/^bearer(?![^ \t])/i.test(value) || /^bearer[ \t]*$/i.test(value)) return { kind: 'none' };
  const token = value.slice('bearer '.length);
  const wellFormed = value[6] === ' ' && token.length <= LONGEST_TOKEN && TOKEN.test(token);
  return wellFormed ? { kind: 'token', token } : { kind: 'malformed' };
}

/** The Bearer token of a request as it was sent; whether it is one that lets in shows later. */
export function sentKey({ headers: { authorization } }: IncomingMessage): string | null {
  const isKey = authorization?.slice(0, 7).toLowerCase() === 'bearer ';
  return isKey ? authorization.slice(7).trim() : null;
}
