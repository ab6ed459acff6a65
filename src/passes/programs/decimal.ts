/** A decimal number, exactly: `value` times 10 ^ -`decimals`. */
export interface Decimal {
  readonly value: bigint;
  readonly decimals: number;
}

/** Read off the digits: a product of floats would round. */
export function decimalOf(text: string): Decimal {
  const [whole = '', decimals = ''] = text.split('.');
  return { value: BigInt(whole + decimals), decimals: decimals.length };
}

/** Whether `decimalOf` reads the number off exactly, with at most three decimals. */
export function isExactRate(rate: number): boolean {
  return /^\d+(\.\d{1,3})?$/.test(String(rate));
}
