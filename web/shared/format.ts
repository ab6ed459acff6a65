import type { Money } from '../../sdk/typescript/src/types.ts';
import { dateFormat, numberFormat } from '../../src/kit/anywhere/formats.ts';
import { shownAmount } from '../../src/kit/money/shown-amount.ts';
import { locale } from './language.ts';

export function formatNumber(value: number): string {
  return withMinus(numberFormat(locale()).format(value));
}

/** With the sign that is as wide as a plus: Intl writes the hyphen that programs read. */
function withMinus(written: string): string {
  return written.replace('-', '\u2212');
}

/** What separates the cells of a table for spreadsheets of the language: where the comma is that of decimals, they want another. */
export function listSeparator(): ',' | ';' {
  return numberFormat(locale()).format(1.5).includes(',') ? ';' : ',';
}

/** An amount of the API, with all its decimals. */
export function formatMoney(money: Money): string {
  return withMinus(shownAmount(money, locale()));
}

/** A moment of the API, in the time zone of the browser. */
export function formatMoment(at: string): string {
  return dateFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));
}

/** The time of day of a moment. */
export function formatTime(at: string): string {
  return dateFormat(locale(), { timeStyle: 'short' }).format(new Date(at));
}

/** A change of a number, with its sign. */
export function formatChange(value: number): string {
  return `${value > 0 ? '+' : ''}${formatNumber(value)}`;
}

export function formatDate(at: string): string {
  return dateFormat(locale(), { dateStyle: 'medium' }).format(new Date(at));
}

/** A day such as 2026-11-03, which is the same everywhere; in full with its year, unless that is this one. */
export function formatDay(day: string, style: 'short' | 'long' = 'long'): string {
  const options: Intl.DateTimeFormatOptions =
    style === 'long'
      ? { weekday: 'short', day: 'numeric', month: 'long', ...(isOfThisYear(day) ? {} : { year: 'numeric' }) }
      : { day: 'numeric', month: 'short' };
  return dateFormat(locale(), { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
}

function isOfThisYear(day: string): boolean {
  return day.startsWith(`${new Date().getFullYear()}-`);
}
