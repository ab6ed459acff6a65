import { digitsOf } from '../../src/kit/money/digits.ts';

/** `12.5` of EUR is 1250. Raises RangeError for what is no amount of the currency. */
export function toMinor(amount: string, currency: string): number {
  const digits = digitsOf(currency);
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === undefined || decimals.length > digits)
    throw new RangeError(`"${amount}" is no amount of ${currency}, such as ${fromMinor(1250, currency)}`);
  return Number(whole + decimals.padEnd(digits, '0'));
}

/** 1250 of EUR is `12.50`, of JPY `1250`. */
export function fromMinor(minor: number, currency: string): string {
  const digits = digitsOf(currency);
  return (minor / 10 ** digits).toFixed(digits);
}

/** The part of an amount that falls to `count` of `all` pieces after the first `before`: the parts add up to the whole. */
export function share(amount: number, before: number, count: number, all: number): number {
  if (all === 0) return 0;
  return Math.floor((amount * (before + count)) / all) - Math.floor((amount * before) / all);
}
