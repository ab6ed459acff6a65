import { numberFormat } from '../anywhere/formats.ts';
import { digitsOf } from './digits.ts';

/** A decimal number and a code of ISO 4217. */
interface Money {
  readonly amount: string;
  readonly currency: string;
}

/**
 * An amount that the API sends as a text, with the decimals that ISO 4217 gives its currency: Intl has fewer for some.
 * Nothing is rounded, also where an amount that was sent along with an order has more.
 */
export function shownAmount({ amount, currency }: Money, locale: string): string {
  const digits = Math.max(digitsOf(currency), amount.split('.')[1]?.length ?? 0);
  const format = numberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(amount as `${number}`);
}
