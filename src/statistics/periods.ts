import { invalidField } from '../kit/http/api-error.ts';
import { dayOf, dayStart } from '../kit/time.ts';
import type { Unit } from './figures.sql.ts';
import type { By } from './statistics.schema.ts';

/** So many days may be asked for. */
const mostDays: Readonly<Record<By, number>> = { day: 400, week: 1_900, month: 1_900, partner: 400 };
const daysShown = 30;
const dayMs = 86_400_000;

/** Days of a calendar, whole periods of it; both ends belong to them. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

/** The days that are asked for, by default the last thirty. Raises `invalid_request` where they are no days or too many. */
export function rangeOf(
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  by: By,
  timezone: string,
  now: Date,
): Range {
  const to = asked.to === undefined ? numberOf(dayOf(timezone, now)) : checked('to', asked.to);
  const from = asked.from === undefined ? to - daysShown + 1 : checked('from', asked.from);
  if (from > to) throw invalidField('from', 'other', 'it is after to.', { part: 'query' });
  if (to - from >= mostDays[by])
    throw invalidField('from', 'other', `by ${by} at most ${mostDays[by]} days can be asked for.`, {
      part: 'query',
    });
  const unit = unitOf(by);
  return { from: textOf(beginOf(unit, from)), to: textOf(nextOf(unit, beginOf(unit, to)) - 1) };
}

/** Today in a time zone, and the days that lie so many before it. */
export function daysBefore(timezone: string, now: Date, days: readonly number[]): string[] {
  const today = numberOf(dayOf(timezone, now));
  return days.map((before) => textOf(today - before));
}

/** The first days of the periods of a range, each with its moments: it ends before `to`. */
export function periodsOf({ from, to }: Range, unit: Unit, timezone: string) {
  const periods: { readonly day: string; readonly from: Date; readonly to: Date }[] = [];
  const last = numberOf(to);
  for (let day = numberOf(from); day <= last; day = nextOf(unit, day))
    periods.push({
      day: textOf(day),
      from: startOf(timezone, day),
      to: startOf(timezone, nextOf(unit, day)),
    });
  return periods;
}

/** The beginning of a range, and its end, which is not part of it. */
export function momentsOf({ from, to }: Range, timezone: string): { from: Date; to: Date } {
  return { from: startOf(timezone, numberOf(from)), to: startOf(timezone, numberOf(to) + 1) };
}

/** Partners are asked for by days. */
export function unitOf(by: By): Unit {
  return by === 'partner' ? 'day' : by;
}

function checked(name: string, text: string): number {
  const day = numberOf(text);
  if (textOf(day) !== text)
    throw invalidField(name, 'format', `the calendar has no ${text}.`, { limit: 'date', part: 'query' });
  return day;
}

// A day is the number of days since 1970.
function numberOf(text: string): number {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return Date.UTC(year, month - 1, day) / dayMs;
}

function textOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

function startOf(timezone: string, day: number): Date {
  const date = new Date(day * dayMs);
  return dayStart(timezone, date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

/** Weeks begin on Mondays: the first day of 1970 was a Thursday. */
function beginOf(unit: Unit, day: number): number {
  if (unit === 'week') return day - ((day + 3) % 7);
  return unit === 'day' ? day : day - new Date(day * dayMs).getUTCDate() + 1;
}

function nextOf(unit: Unit, day: number): number {
  return unit === 'month' ? beginOf('month', day + 31) : day + (unit === 'week' ? 7 : 1);
}
