import { isJsonObject, type JsonObject } from './json-reader.ts';
import type { KeyTable, ValueKind } from './pass-keys.ts';
import type { Report } from './validate-rules.ts';

/** Checks the keys of an object against its table: unknown ones, and values of another type. */
export function validateKeys(value: JsonObject, table: KeyTable, path: string, report: Report): void {
  for (const [key, member] of Object.entries(value)) {
    const where = path.endsWith(': ') ? `${path}${key}` : `${path}.${key}`;
    const kind = Object.hasOwn(table, key) ? table[key] : undefined;
    if (!kind) report('unknown-key', `Wallet ignores the key "${key}"; is it misspelt?`, where);
    else validateKind(member, kind, where, report);
  }
}

/** The objects of a list, each with its path; reports members that are not objects. Not a list: none. */
export function objectsIn(list: unknown, path: string, report: Report): [JsonObject, string][] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((member: unknown, at): [JsonObject, string][] => {
    if (isJsonObject(member)) return [[member, `${path}[${at}]`]];
    report('key-type', 'The value must be an object.', `${path}[${at}]`);
    return [];
  });
}

/**
 * Milliseconds since 1970 of a W3C date-time (YYYY-MM-DDThh:mm, seconds optional) with time zone; null when the
 * text is something else or no such day exists.
 */
export function w3cDate(text: string): number | null {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:Z|[+-](\d\d):(\d\d))$/.exec(text);
  if (!match) return null;
  const [, day = '', hour, minute, second = '0', zoneHour = '0', zoneMinute = '0'] = match;
  const midnight = new Date(`${day}T00:00:00Z`);
  const exists = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  const inRange = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  if (!exists || !inRange || Number(zoneHour) > 14 || Number(zoneMinute) > 59) return null;
  return Date.parse(text);
}

const tests: Readonly<Record<ValueKind, readonly [test: (value: unknown) => boolean, wanted: string]>> = {
  text: [isText, 'a string'],
  texts: [(value) => Array.isArray(value) && value.every(isText), 'an array of strings'],
  number: [isNumber, 'a number'],
  numbers: [(value) => Array.isArray(value) && value.every(isNumber), 'an array of numbers'],
  scalar: [(value) => isText(value) || isNumber(value), 'a string or a number'],
  flag: [(value) => typeof value === 'boolean', 'true or false'],
  object: [isJsonObject, 'an object'],
  list: [Array.isArray, 'an array'],
  url: [(value) => isText(value) && URL.canParse(value), 'an absolute URL'],
  color: [isText, 'a string'],
  date: [isText, 'a string'],
};

function validateKind(value: unknown, kind: ValueKind, where: string, report: Report): void {
  const [test, wanted] = tests[kind];
  if (!test(value)) {
    report('key-type', `The value must be ${wanted}.`, where);
  } else if (kind === 'color' && !isColor(String(value))) {
    report('color', `"${value}" is no colour; write rgb(23, 187, 82) with numbers from 0 to 255.`, where);
  } else if (kind === 'date' && w3cDate(String(value)) === null) {
    report(
      'date-format',
      `"${value}" is no date with time and zone, such as 2030-12-31T23:59:00+01:00.`,
      where,
    );
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isColor(text: string): boolean {
  if (/^#[0-9a-fA-F]{6}$/.test(text)) return true;
  const parts = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(text);
  return parts?.slice(1).every((part) => Number(part) <= 255) === true;
}
