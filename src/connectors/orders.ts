import { ApiError } from '../kit/http/api-error.ts';
import { digitsOf, type Money, parseMoney, presentMoney } from '../kit/http/money.ts';
import { type OrderCustomer, StoreTrouble } from './connector.ts';
import { type Fields, unreadable } from './read-answer.ts';

/** An amount in ten-billionths, so that more decimals than a currency has add up exactly too. */
export type Exact = bigint;

const decimals = 10;

/** What a decimal number says, which stores write as text, and some as a JSON number. Nothing is rounded. */
export function exactOf(value: unknown, what: string): Exact {
  const text = typeof value === 'number' ? String(value) : value;
  const parts = typeof text === 'string' ? /^(-?)(\d{1,15})(?:\.(\d{1,10}))?$/.exec(text) : null;
  if (parts === null) throw unreadable(what);
  const [, sign, whole = '', fraction = ''] = parts;
  const amount = BigInt(whole + fraction.padEnd(decimals, '0'));
  return sign === '-' ? -amount : amount;
}

export function sumOf(amounts: Iterable<Exact>): Exact {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum;
}

/** The amount in a currency, 0 instead of less; what is finer than the currency is cut off, or rounded up. */
export function moneyOf(
  amount: Exact,
  currency: unknown,
  what: string,
  rounding: 'down' | 'up' = 'down',
): Money {
  if (typeof currency !== 'string') throw unreadable(what);
  const digits = digitsOf(currency);
  const unit = 10n ** BigInt(decimals - digits);
  const positive = amount < 0n ? 0n : amount;
  const minor = (positive + (rounding === 'up' ? unit - 1n : 0n)) / unit;
  const money = presentMoney({ minor: Number(minor), currency, digits });
  try {
    parseMoney(what, money);
  } catch (error) {
    throw error instanceof ApiError ? unreadable(what) : error;
  }
  return money;
}

/**
 * What is read of the orders of a page, each by itself. What cannot be read is left out, or one order would keep all that
 * come behind it from ever being read; null is left out too.
 */
export function readEach<T>(rows: readonly Fields[], read: (row: Fields) => T | null): T[] {
  return rows.flatMap((row) => {
    try {
      return read(row) ?? [];
    } catch (error) {
      if (error instanceof StoreTrouble) return [];
      throw error;
    }
  });
}

/** Null where nothing tells who it is: a name alone does not. */
export function namedCustomer(customer: OrderCustomer): OrderCustomer | null {
  const { customerId, email, phone } = customer;
  return customerId === null && email === null && phone === null ? null : customer;
}
