import { type Money, presentMoney } from '../kit/http/schemas/money.ts';
import { isCurrency } from '../kit/money/currencies.ts';
import { digitsOf } from '../kit/money/digits.ts';
import {
  type OrderCustomer,
  type OrderPage,
  type StoreOrder,
  StoreTrouble,
  type UnreadOrder,
} from './connector.ts';
import { type Fields, textOf, unlike, unreadable } from './read-answer.ts';

/** An amount in ten-billionths, so that more decimals than a currency has add up exactly too. */
export type Exact = bigint;

const decimals = 10;

/**
 * What a decimal number says, which stores write as text, and some as a JSON number. Nothing is rounded but what is finer
 * than a ten-billionth: PHP writes 27.990000000000002 of a float.
 */
export function exactOf(value: unknown, what: string): Exact {
  const isTiny = typeof value === 'number' && Math.abs(value) < 1e-6;
  const text = isTiny ? value.toFixed(decimals) : typeof value === 'number' ? String(value) : value;
  const parts = typeof text === 'string' ? /^(-?)(\d{1,16})(?:\.(\d{0,40}))?$/.exec(text.trim()) : null;
  if (parts === null) throw unlike(value, 'amount', what);
  const [, sign, whole = '', fraction = ''] = parts;
  const rest = (fraction[decimals] ?? '0') >= '5' ? 1n : 0n;
  const amount = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0')) + rest;
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
  const code = typeof currency === 'string' ? currency.trim().toUpperCase() : '';
  if (!isCurrency(code)) throw unlike(currency, 'currency of ISO 4217', what);
  const digits = digitsOf(code);
  const unit = 10n ** BigInt(decimals - digits);
  const positive = amount < 0n ? 0n : amount;
  const minor = (positive + (rounding === 'up' ? unit - 1n : 0n)) / unit;
  if (minor > BigInt(Number.MAX_SAFE_INTEGER)) throw unreadable(what, `an amount of ${code} is too large`);
  return presentMoney({ minor: Number(minor), currency: code, digits });
}

/**
 * Reads the orders of a page, each by itself. It puts an unreadable one aside, or one order would keep all that
 * come behind it from ever being read; null is left out.
 */
export function readEach(
  rows: readonly Fields[],
  read: (row: Fields) => StoreOrder | null,
): Pick<OrderPage, 'items' | 'unread'> {
  const items: StoreOrder[] = [];
  const unread: UnreadOrder[] = [];
  for (const row of rows) {
    try {
      const order = read(row);
      if (order !== null) items.push(order);
    } catch (error) {
      if (!(error instanceof StoreTrouble)) throw error;
      unread.push({ row, trouble: error });
    }
  }
  return { items, unread };
}

/** Reads a message about an order. If it cannot be read, the StoreTrouble names the order. */
export function readAbout<T>(orderId: unknown, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const isKnown = typeof orderId === 'number' || typeof orderId === 'string';
    if (error instanceof StoreTrouble && isKnown) error.orderId ??= textOf(orderId, 40);
    throw error;
  }
}

/** Null if nothing identifies the customer; a name alone does not. */
export function namedCustomer(customer: OrderCustomer): OrderCustomer | null {
  const { customerId, email, phone } = customer;
  return customerId === null && email === null && phone === null ? null : customer;
}
