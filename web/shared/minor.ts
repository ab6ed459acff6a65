import type { Money } from '../../sdk/typescript/src/types.ts';

/** An amount of the API in the smallest unit of its currency. */
export function minorOf({ amount }: Money): number {
  return Number(amount.replace('.', ''));
}
