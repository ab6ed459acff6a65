import { html } from '../kit/html.ts';
import { clockTime } from '../kit/time.ts';
import { misfitOf, opens, shareOf, writtenValue } from '../passes/field-formats.ts';
import type { PassField } from '../passes/pass-row.ts';
import type { AppleValue } from '../wallet/apple/card.ts';

/** A value that Wallet writes in the language of the phone; null: it is a text, or older than the format of its field. */
export function appleValue(field: PassField, timezone: string): AppleValue | null {
  const { format = 'text', currency = '', value } = field;
  if (value === null || value === '' || misfitOf(field, value) !== null) return null;
  switch (format) {
    case 'text':
      return null;
    case 'link':
    case 'phone':
    case 'email':
    case 'address':
      return link(field);
    case 'number':
      return { value: Number(value), numberStyle: 'PKNumberStyleDecimal' };
    case 'percent':
      return { value: shareOf(value), numberStyle: 'PKNumberStylePercent' };
    case 'currency':
      return { value: Number(value), currencyCode: currency };
    case 'date':
      return shownAsWritten(`${value}T00:00:00Z`, 'PKDateStyleMedium', 'PKDateStyleNone');
    case 'time':
      return shownAsWritten(`2000-01-01T${value}:00Z`, 'PKDateStyleNone', 'PKDateStyleShort');
    case 'dateTime':
      return shownAsWritten(inZone(value, timezone), 'PKDateStyleMedium', 'PKDateStyleShort');
    case 'relative':
      return {
        value: withSeconds(value),
        dateStyle: 'PKDateStyleMedium',
        timeStyle: 'PKDateStyleShort',
        isRelative: true,
      };
  }
}

/** Wallet opens links on the back. An address it finds in the text itself, for the maps of the phone. */
function link(field: PassField): AppleValue | null {
  const uri = opens(field);
  const text = writtenValue(field, { locale: null, timezone: 'UTC' });
  if (field.section !== 'back' || field.format === 'address' || uri === null || text === null) return null;
  return linkedText(text, uri);
}

/** A text on the back that opens an address. */
export function linkedText(text: string, uri: string): AppleValue {
  return { value: text, attributedValue: html`<a href="${uri}">${text}</a>`.text };
}

type TimeStyle = Extract<AppleValue, { dateStyle: unknown }>['dateStyle'];

function shownAsWritten(value: string, dateStyle: TimeStyle, timeStyle: TimeStyle): AppleValue {
  return { value, dateStyle, timeStyle, ignoresTimeZone: true };
}

/** Apple's date form has seconds and no fraction of them. */
function withSeconds(moment: string): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

/** A moment as the clocks of a time zone show it. */
function inZone(moment: string, timezone: string): string {
  const { local, offset } = clockTime(timezone, new Date(moment));
  return `${local}${offset}`;
}
