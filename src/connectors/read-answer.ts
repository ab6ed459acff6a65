import { retryAfterMs } from '../kit/http/endpoints/headers.ts';
import { type StoreAnswer, StoreTrouble } from './connector.ts';

/** An object of an answer: nothing is known of what is in it. */
export type Fields = Readonly<Record<string, unknown>>;

/** Raised if a store's message cannot be read. `what` names the expected value, `why` describes the actual one. */
export function unreadable(what: string, why?: string): StoreTrouble {
  const message = `What the store says of ${what} cannot be read${why === undefined ? '' : `: ${why}`}.`;
  return new StoreTrouble('store_answer_unreadable', message, null);
}

/** The same for a value that is no `expected`, such as an amount; people are never among what is quoted. */
export function unlike(value: unknown, expected: string, what: string): StoreTrouble {
  if (value === undefined) return unreadable(what, `${expected} is missing`);
  const text = textOf(typeof value === 'object' ? JSON.stringify(value) : String(value), 30);
  return unreadable(what, `"${text ?? ''}" is no ${expected}`);
}

/**
 * The JSON that a store has sent. Numbers that JavaScript would round come as their digits: ids are of 64 bits. Unknown
 * and doubled names are the store's business; only what would cost many times its length in memory is refused.
 */
export function readJson(body: Buffer, what: string): unknown {
  if (body.length > safeLength && countContainers(body) > mostContainers) throw unreadable(what);
  const text = body.toString('utf8');
  try {
    return longNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch {
    throw unreadable(what);
  }
}

/** Asking for each source takes several times as long: rare is a text that needs it. */
const longNumber = /\d{16}/;

function keepDigits(_name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  const isRounded =
    typeof value === 'number' && source !== undefined && longNumber.test(source.replace('.', ''));
  return isRounded ? source : value;
}

/** So much text is never too much memory. */
const safeLength = 1_048_576;
/** A hundred long orders have some ten thousand. */
const mostContainers = 250_000;

function countContainers(body: Buffer): number {
  let count = 0;
  for (let at = 0; at < body.length; at++) if (body[at] === 0x5b || body[at] === 0x7b) count++;
  return count;
}

/** Whether it is an object with members by their names. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of an object. Raises StoreTrouble where it is none; `what` is what it says cannot be read. */
export function fieldsOf(value: unknown, what: string): Fields {
  if (!isFields(value)) throw unreadable(what);
  return value;
}

/** Null for what is absent, and for an empty list, which PHP writes of an object without members. */
export function fieldsOrNull(value: unknown, what: string): Fields | null {
  const isEmpty = Array.isArray(value) && value.length === 0;
  return isEmpty || isBlank(value) ? null : fieldsOf(value, what);
}

/** Whether a store says nothing by it: null, absent, an empty text, or PHP's false. */
export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || value === '' || value === false;
}

/** Refuses a body that holds more: it is one of another kind. */
export function holdsOnly(body: Fields, names: readonly string[]): void {
  if (Object.keys(body).some((name) => !names.includes(name))) throw unreadable('something of another kind');
}

/** Objects in a list; none where there is no list. PHP writes a list with gaps as an object whose names are numbers. */
export function listOf(value: unknown, what: string): Fields[] {
  if (isBlank(value)) return [];
  const list = Array.isArray(value) ? value : Object.values(fieldsOf(value, what));
  return list.map((item) => fieldsOf(item, what));
}

/** The number by which a store names something, as digits. */
export function numberOf(value: unknown, what: string): string {
  if (typeof value === 'string' && /^[1-9]\d{0,18}$/.test(value)) return value;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return String(value);
  throw unlike(value, 'id', what);
}

/** How many there are of something. */
export function countOf(value: unknown, what: string): bigint {
  const count = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > 1e9)
    throw unlike(value, 'quantity', what);
  return BigInt(count);
}

/** A moment in ISO 8601 with its zone; `zone` is added where the platform leaves it out. */
export function momentOf(value: unknown, what: string, zone = ''): Date {
  const moment = momentOrNull(value, zone);
  if (moment === null) throw unlike(value, 'date', what);
  return moment;
}

/** Null for what is none, such as "" or the year 0 of MySQL. */
export function momentOrNull(value: unknown, zone = ''): Date | null {
  const [, day, time, own] = (typeof value === 'string' && isoMoment.exec(value.trim())) || [];
  if (day === undefined) return null;
  const moment = new Date(`${day}T${time}${own ?? zone}`);
  return Number.isNaN(moment.getTime()) || (own ?? zone) === '' ? null : moment;
}

const isoMoment = /^((?:19|2\d)\d\d-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-]\d\d:?\d\d)?$/;

/** Text in one line, as a column takes it; null for none, and for what is neither a text nor a number. */
export function textOf(value: unknown, most: number): string | null {
  if (typeof value === 'number') return textOf(String(value), most);
  if (typeof value !== 'string' || value === '') return null;
  if (value.length <= most && !untidy.test(value)) return value;
  // A column holds neither NUL nor half a character.
  const line = value
    .slice(0, 4 * most)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const text = Array.from(line).slice(0, most).join('').trim();
  return text === '' ? null : text;
}

const untidy = /^\s|\s$|\s\s|[^\S ]|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** A word of the platform's own, in lower case. */
export function wordOf(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : '';
}

/** Reads at most a little more than the longest address, so that a too long one is still refused. */
export function emailOf(value: unknown): string | null {
  return textOf(value, 320);
}

/** First and last name; null for neither. */
export function nameOf(first: unknown, last: unknown): string | null {
  return textOf([textOf(first, 100), textOf(last, 100)].filter((part) => part !== null).join(' '), 200);
}

/** As the store has it; null for none. */
export function phoneOf(value: unknown): string | null {
  return textOf(value, 32);
}

/** Reads a language tag of BCP 47, also with underscores; null for other texts. */
export function localeOf(value: unknown): string | null {
  const text = textOf(value, 35);
  return text !== null && /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}$/.test(text) ? text : null;
}

/** How soon a store that is out of order, or has had enough, is asked again unless it says when. */
const usualWaitMs = 5_000;
const shortestWaitMs = 1_000;
const longestWaitMs = 3_600_000;

/** Raises StoreTrouble for an answer that is none to our question; `reason` is what its body says of it. */
export function checkStatus({ status, headers }: StoreAnswer, reason: () => string | null): void {
  if (status >= 200 && status < 300) return;
  const said = reason();
  const trouble = (kind: StoreTrouble['reason'], what: string, retryMs: number | null = null) =>
    new StoreTrouble(kind, said === null ? `${what} (${status}).` : `${what} (${status}): ${said}`, retryMs);
  if (status === 401 || status === 403)
    throw trouble('store_unauthorized', 'The store refuses the credentials, or they lack a permission');
  if (status === 429)
    throw trouble('store_throttled', 'The store wants to be asked less often', waitOf(headers));
  if (status === 408 || status === 425 || status >= 500)
    throw trouble('store_unavailable', 'The store is out of order', waitOf(headers));
  if (status >= 300 && status < 400)
    throw trouble(
      'store_not_connected',
      'The store sends us elsewhere: connect it by the host that it names',
    );
  if ([402, 404, 410, 423].includes(status))
    throw trouble('store_not_connected', 'There is no open store of this platform at the domain');
  throw trouble('store_answer_unreadable', 'The store does not understand the question');
}

/** What `Retry-After` asks for: seconds, or a date by the store's own clock. */
function waitOf({ 'retry-after': asked, date = '' }: StoreAnswer['headers']): number {
  const ms = retryAfterMs(asked, new Date(date)) ?? usualWaitMs;
  return Math.min(Math.max(ms, shortestWaitMs), longestWaitMs);
}
