import { dateFormat } from '../../src/kit/anywhere/formats.ts';
/** The day of a moment in the time zone of the browser, as fields of days have it: 2026-11-25. Empty without a moment. */
export function dayOf(moment: string | null): string {
  if (moment === null) return '';
  const at = new Date(moment);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/**
 * When a day begins in the time zone of the browser, or one so many days later; undefined where there is no such day. A moment
 * is itself: links that mean days of another time zone have these.
 */
export function startOf(day: string | undefined, later = 0): string | undefined {
  if (day !== undefined && /T.*Z$/.test(day)) return Number.isNaN(Date.parse(day)) ? undefined : day;
  if (day === undefined || !/^[12]\d{3}-\d\d-\d\d$/.test(day)) return undefined;
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + later);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** Its last second. */
export function endOf(day: string | undefined): string | undefined {
  const next = startOf(day, 1);
  return next === undefined ? undefined : new Date(Date.parse(next) - 1_000).toISOString();
}

/** A day of an address as its field shows it; of a moment that a period ends before, the day before. */
export function dayIn(text: string | null, name: string): string {
  if (text === null || !text.includes('T')) return text ?? '';
  const moment = Date.parse(text) - (name === 'to' ? 1 : 0);
  return Number.isNaN(moment) ? '' : dayOf(new Date(moment).toISOString());
}

/** A moment of the API in a time zone, as spreadsheets read it in every language: 2026-11-03 18:05:00. */
export function localTime(at: string, timeZone: string): string {
  const options = { dateStyle: 'short', timeStyle: 'medium' } as const;
  try {
    return dateFormat('sv', { ...options, timeZone }).format(new Date(at));
  } catch {
    // A zone that this browser does not know.
    return at;
  }
}
