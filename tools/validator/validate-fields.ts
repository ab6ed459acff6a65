import { isCurrencyCode } from '../../src/kit/money/currencies.ts';
import type { JsonObject } from './json-reader.ts';
import { fieldKeys, type PassStyle, styleKeys } from './pass-keys.ts';
import { objectsIn, validateKeys, w3cDate } from './validate-keys.ts';
import type { Report } from './validate-rules.ts';

/**
 * One style dictionary: its groups and their fields. Keys are unique within it. A pass with two dictionaries shows only
 * one of them, so a field may be in both.
 */
export function validateStyle(style: PassStyle, dictionary: JsonObject, report: Report): void {
  const path = `pass.json: ${style}`;
  const { transitType, ...groups } = dictionary;
  validateKeys(style === 'boardingPass' ? dictionary : groups, styleKeys[style], path, report);
  validateTransit(style, transitType, report);
  const keys = new Set<string>();
  const counts: Record<string, number> = {};
  for (const [group, kind] of Object.entries(styleKeys[style])) {
    if (kind !== 'list') continue;
    const fields = objectsIn(dictionary[group], `${path}.${group}`, report);
    for (const [field, where] of fields) validateField(field, { style, group, where, keys, report });
    counts[group] = fields.length;
    if (group === 'auxiliaryFields' && style === 'eventTicket') {
      counts[group] = longestRow(fields.map(([field]) => field));
    }
  }
  validateCounts(style, counts, path, report);
}

interface FieldPlace {
  readonly style: PassStyle;
  readonly group: string;
  readonly where: string;
  readonly keys: Set<string>;
  readonly report: Report;
}

const transitTypes = ['Air', 'Boat', 'Bus', 'Generic', 'Train'].map((kind) => `PKTransitType${kind}`);
const dateStyles = ['None', 'Short', 'Medium', 'Long', 'Full'].map((kind) => `PKDateStyle${kind}`);

const options: Readonly<Record<string, readonly string[]>> = {
  textAlignment: ['Left', 'Center', 'Right', 'Natural'].map((kind) => `PKTextAlignment${kind}`),
  numberStyle: ['Decimal', 'Percent', 'Scientific', 'SpellOut'].map((kind) => `PKNumberStyle${kind}`),
  dateStyle: dateStyles,
  timeStyle: dateStyles,
};

const detectors = ['PhoneNumber', 'Link', 'Address', 'CalendarEvent'].map(
  (kind) => `PKDataDetectorType${kind}`,
);

/** How many fields a group shows; more are dropped without a word. */
const visible: Readonly<Record<PassStyle, Readonly<Record<string, number>>>> = {
  boardingPass: { headerFields: 3, primaryFields: 2, secondaryFields: 4, auxiliaryFields: 5 },
  coupon: { headerFields: 3, primaryFields: 1 },
  eventTicket: { headerFields: 3, primaryFields: 1, secondaryFields: 4, auxiliaryFields: 4 },
  generic: { headerFields: 3, primaryFields: 1, secondaryFields: 4, auxiliaryFields: 4 },
  storeCard: { headerFields: 3, primaryFields: 1 },
  posterGeneric: { headerFields: 1, primaryFields: 4, footerFields: 1 },
};

function validateTransit(style: PassStyle, transitType: unknown, report: Report): void {
  const where = `pass.json: ${style}.transitType`;
  if (style !== 'boardingPass') {
    if (transitType !== undefined) {
      report('transit-type', 'transitType is for boarding passes only.', where);
    }
  } else if (typeof transitType !== 'string' || !transitTypes.includes(transitType)) {
    report('transit-type', `transitType must be one of ${transitTypes.join(', ')}.`, where);
  }
}

function validateField(field: JsonObject, place: FieldPlace): void {
  const { where, keys, report } = place;
  validateKeys(field, fieldKeys, where, report);
  const { key, value } = field;
  if (key === undefined || key === '' || value === undefined) {
    report('field-incomplete', 'A field needs a key and a value.', where);
  }
  if (typeof key === 'string' && key !== '') {
    if (keys.has(key)) report('field-key-duplicate', `The key "${key}" is used by an earlier field.`, where);
    keys.add(key);
  }
  validateOptions(field, place);
  validateFormatting(field, place);
  validateTexts(field, place);
}

function validateOptions(field: JsonObject, { style, group, where, report }: FieldPlace): void {
  for (const [key, allowed] of Object.entries(options)) {
    const value = field[key];
    if (typeof value === 'string' && !allowed.includes(value)) {
      report('field-option', `"${value}" is not one of ${allowed.join(', ')}.`, `${where}.${key}`);
    }
  }
  const { currencyCode, dataDetectorTypes, row, textAlignment } = field;
  if (typeof currencyCode === 'string' && !isCurrencyCode(currencyCode)) {
    report('field-option', `"${currencyCode}" is no currency of ISO 4217.`, `${where}.currencyCode`);
  }
  if (Array.isArray(dataDetectorTypes) && !dataDetectorTypes.every((type) => detectors.includes(type))) {
    const message = `A type is not one of ${detectors.join(', ')}.`;
    report('field-option', message, `${where}.dataDetectorTypes`);
  }
  if (dataDetectorTypes !== undefined && group !== 'backFields') {
    const message = 'Data is detected in back fields only.';
    report('field-detectors', message, `${where}.dataDetectorTypes`);
  }
  if (textAlignment !== undefined && (group === 'primaryFields' || group === 'backFields')) {
    const message = 'Primary and back fields cannot be aligned.';
    report('field-alignment', message, `${where}.textAlignment`);
  }
  const hasRows = style === 'eventTicket' && group === 'auxiliaryFields';
  if (row !== undefined && !(hasRows && (row === 0 || row === 1))) {
    const message = 'row is 0 or 1, in auxiliary fields of an event ticket.';
    report('field-row', message, `${where}.row`);
  }
}

function validateFormatting(field: JsonObject, { where, report }: FieldPlace): void {
  const { value, dateStyle, timeStyle, numberStyle, currencyCode } = field;
  if (value === undefined) return;
  const asDate = [dateStyle, timeStyle].some((style) => style !== undefined && style !== 'PKDateStyleNone');
  if (asDate && (typeof value !== 'string' || w3cDate(value) === null)) {
    const message = `${JSON.stringify(value)} is no date with time and zone, as dateStyle and timeStyle need.`;
    report('field-date', message, `${where}.value`);
  }
  if ((numberStyle !== undefined || currencyCode !== undefined) && typeof value !== 'number') {
    const message = `${JSON.stringify(value)} is no number, as numberStyle and currencyCode need.`;
    report('field-number', message, `${where}.value`);
  }
}

function validateTexts(field: JsonObject, { where, report }: FieldPlace): void {
  const { changeMessage, attributedValue } = field;
  if (typeof changeMessage === 'string' && !changeMessage.includes('%@')) {
    const message = 'Without %@ the notification says only that the pass changed.';
    report('field-change-message', message, `${where}.changeMessage`);
  }
  if (typeof attributedValue !== 'string') return;
  const tags = attributedValue.match(/<[^>]*>?/g) ?? [];
  const opened = tags.filter((tag) => /^<a\s+href=("[^"<]*"|'[^'<]*')\s*>$/i.test(tag)).length;
  const closed = tags.filter((tag) => /^<\/a\s*>$/i.test(tag)).length;
  if (opened !== closed || opened + closed !== tags.length) {
    const message = 'Only <a href="…">…</a> is understood.';
    report('field-markup', message, `${where}.attributedValue`);
  }
}

/** The auxiliary fields of an event ticket are in two rows, each with its own room. */
function longestRow(fields: readonly JsonObject[]): number {
  const second = fields.filter((field) => field.row === 1).length;
  return Math.max(second, fields.length - second);
}

function validateCounts(
  style: PassStyle,
  counts: Readonly<Record<string, number>>,
  path: string,
  report: Report,
): void {
  for (const [group, limit] of Object.entries(visible[style])) {
    const count = counts[group] ?? 0;
    if (count > limit) {
      report('field-count', `${count} fields, and ${limit} are shown.`, `${path}.${group}`);
    }
  }
  const together = (counts.secondaryFields ?? 0) + (counts.auxiliaryFields ?? 0);
  if ((style === 'coupon' || style === 'storeCard') && together > 4) {
    const message = `${together} secondary and auxiliary fields, and 4 are shown, on one row.`;
    report('field-count', message, `${path}.secondaryFields`);
  }
}
