import { digitsOf } from './digits.ts';

/** So many of the smallest unit of a currency as JSON has an amount: with all decimals, below zero with a minus. */
export function presentMinor(minor: number, currency: string): { amount: string; currency: string } {
  return { amount: decimalText(minor, digitsOf(currency)), currency };
}

/** A number of units of which 10 ^ `digits` make one, as a decimal. */
export function decimalText(minor: number, digits: number): string {
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  const point = text.length - digits;
  const amount = digits === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`;
  return minor < 0 ? `-${amount}` : amount;
}
