import type { Money } from '../../sdk/typescript/src/types.ts';
import { digitsOf } from '../../src/kit/money/currencies.ts';
import { locale } from './language.ts';

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(locale()).format(value);
}

/**
 * An amount that the API tells as a text, with the decimals that ISO 4217 gives its currency: Intl has fewer for some.
 * Nothing is rounded, also where an amount that was sent along with an order has more.
 */
export function formatMoney({ amount, currency }: Money): string {
  const digits = Math.max(digitsOf(currency), amount.split('.')[1]?.length ?? 0);
  const format = new Intl.NumberFormat(locale(), {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(amount as `${number}`);
}

/** A moment of the API, in the time zone of the browser. */
export function formatMoment(at: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));
}

export function formatDate(at: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(new Date(at));
}

/** A day such as 2026-11-03, which is the same everywhere. */
export function formatDay(day: string, style: 'short' | 'long' = 'long'): string {
  const options: Intl.DateTimeFormatOptions =
    style === 'long'
      ? { weekday: 'short', day: 'numeric', month: 'long' }
      : { day: 'numeric', month: 'short' };
  return new Intl.DateTimeFormat(locale(), { ...options, timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}
