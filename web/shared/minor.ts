import type { Money } from '../../sdk/typescript/src/types.ts';
import { digitsOf } from '../../src/kit/money/digits.ts';

/** So many of the smallest unit of a currency, as the API writes an amount. */
export function moneyOf(minor: number, currency: string): Money {
  const digits = digitsOf(currency);
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  const point = text.length - digits;
  const amount = digits === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`;
  return { amount: minor < 0 ? `-${amount}` : amount, currency };
}

/** An amount of the API in the smallest unit of its currency. */
export function minorOf({ amount }: Money): number {
  return Number(amount.replace('.', ''));
}
