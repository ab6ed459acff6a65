import { dateFormat, numberFormat } from '../kit/anywhere/formats.ts';
import { digitsOf } from '../kit/money/digits.ts';
import { shownAmount } from '../kit/money/shown-amount.ts';
import { languageTag } from '../kit/text/language.ts';
import { clockTime } from '../kit/time.ts';

/** What the value of a field is. Values are texts all the same: `12.50`, `2027-03-01`. */
export const fieldFormats = [
  'text',
  'number',
  'currency',
  'percent',
  'date',
  'time',
  'dateTime',
  'relative',
  'link',
  'phone',
  'email',
  'address',
] as const;
export type FieldFormat = (typeof fieldFormats)[number];

/** How the value of a field is written and aligned; absent: as text, where the wallet puts it. */
export interface FieldLook {
  readonly format?: FieldFormat;
  /** Of amounts: ISO 4217. */
  readonly currency?: string;
  readonly align?: 'left' | 'center' | 'right';
}

const decimal = /^-?\d{1,12}(?:\.\d{1,6})?$/;
const moment =
  /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** What a value of the format has to be, where this is none; null where it fits. A field without a value fits every format. */
export function misfitOf({ format = 'text', currency = '' }: FieldLook, value: string | null): string | null {
  if (value === null || value === '') return null;
  switch (format) {
    case 'text':
    case 'address':
      return null;
    case 'link':
      return isWebAddress(value) ? null : 'must be an address of the web such as https://example.com/menu.';
    case 'phone':
      return /^\+?\d[\d ()/.-]{2,30}$/.test(value)
        ? null
        : 'must be a telephone number such as +49 30 1234567.';
    case 'email':
      return /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(value)
        ? null
        : 'must be an e-mail address such as shop@example.com.';
    case 'number':
      return decimal.test(value) ? null : 'must be a number such as 1200 or 12.5.';
    case 'percent':
      return decimal.test(value) ? null : 'must be a number such as 12.5, which is 12.5 percent.';
    case 'currency': {
      const decimals = value.split('.')[1]?.length ?? 0;
      const most = digitsOf(currency);
      const example = (12).toFixed(most);
      return decimal.test(value) && decimals <= most
        ? null
        : `must be an amount of ${currency} such as ${example}.`;
    }
    case 'date':
      return isDay(value) ? null : 'must be a day such as 2027-03-01.';
    case 'time':
      return /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? null : 'must be a time such as 18:30.';
    case 'dateTime':
    case 'relative': {
      const isMoment = moment.test(value) && isDay(value.slice(0, 10));
      return isMoment ? null : 'must be a moment with a time zone such as 2027-03-01T18:30:00Z.';
    }
  }
}

function isWebAddress(text: string): boolean {
  const url = /^https?:\/\//i.test(text) && !/[\s<>"]/.test(text) ? URL.parse(text) : null;
  return url !== null && url.username === '' && url.password === '';
}

/** What opens where a value is touched: a page, a call, a mail, a map; null for what is only read. */
export function opens(field: FieldLook & { readonly value: string | null }): string | null {
  const { format = 'text', value } = field;
  if (value === null || value === '' || misfitOf(field, value) !== null) return null;
  switch (format) {
    case 'link':
      return new URL(value).href;
    case 'phone':
      return `tel:${value.replaceAll(/[^+\d]/g, '')}`;
    case 'email':
      return `mailto:${encodeURIComponent(value).replace('%40', '@')}`;
    case 'address':
      return `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(value)}`;
    default:
      return null;
  }
}

function isDay(text: string): boolean {
  if (!/^(19|2\d)\d\d-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Who reads a card, and in which time zone its shop is. */
interface Reader {
  readonly locale: string | null;
  readonly timezone: string;
}

/**
 * A value in the words of the reader's language, for wallets that format none themselves; as it is where it is text, or older
 * than the format of its field and does not fit.
 */
export function writtenValue(
  field: FieldLook & { readonly value: string | null },
  { locale, timezone }: Reader,
): string | null {
  const { format = 'text', currency = '', value } = field;
  if (value === null || value === '' || format === 'text' || misfitOf(field, value) !== null) return value;
  const tag = languageTag(locale) ?? 'en';
  const inWords = (at: string, style: Intl.DateTimeFormatOptions) =>
    dateFormat(tag, style).format(new Date(at));
  switch (format) {
    case 'link':
      return value.replace(/^https?:\/\//i, '').replace(/\/$/, '');
    case 'phone':
    case 'email':
    case 'address':
      return value;
    case 'number':
      return numberFormat(tag, { maximumFractionDigits: 6 }).format(value as `${number}`);
    case 'percent':
      return numberFormat(tag, { style: 'percent', maximumFractionDigits: 4 }).format(shareOf(value));
    case 'currency':
      return shownAmount({ amount: value, currency }, tag);
    case 'date':
      return inWords(`${value}T00:00:00Z`, { dateStyle: 'medium', timeZone: 'UTC' });
    case 'time':
      return inWords(`2000-01-01T${value}:00Z`, { timeStyle: 'short', timeZone: 'UTC' });
    case 'dateTime':
    case 'relative':
      return inWords(`${clockTime(timezone, new Date(value)).local}Z`, {
        dateStyle: 'medium',
        timeStyle: 'short',
        timeZone: 'UTC',
      });
  }
}

/** `12.5` percent as a share of one, without the noise of a division. */
export function shareOf(percent: string): number {
  return Number((Number(percent) / 100).toFixed(8));
}
