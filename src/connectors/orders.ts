import { type OrderCustomer, StoreTrouble } from './connector.ts';
import type { Fields } from './read-json.ts';

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

/** Null where nobody is named: a name alone names nobody. */
export function somebody(customer: OrderCustomer): OrderCustomer | null {
  const { customerId, email, phone } = customer;
  return customerId === null && email === null && phone === null ? null : customer;
}
