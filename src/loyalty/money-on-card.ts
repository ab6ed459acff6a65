import { refusal } from '../errors.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { presentMinor } from '../kit/money/minor.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';

/** The currency of a program that holds money. */
export function currencyOf({ currency }: ProgramRow): string {
  if (currency === null) throw new Error('a program of points has no currency');
  return currency;
}

/** Refuses to take more than is there: `insufficient_value`. In the smallest unit. */
export function requireValue(currency: string, balance: number, wanted: number): void {
  if (balance >= wanted) return;
  throw refusal(
    'insufficient_value',
    `The card holds ${textOf(balance, currency)}, less than ${textOf(wanted, currency)}. Nothing was taken.`,
    { balance, amount: presentMinor(balance, currency) },
  );
}

/** Refuses more money on a card than its program allows; `name` is what the caller calls the figure. */
export function refuseOverfull({ maxBalance, currency }: ProgramRow, balance: number, name: string): void {
  if (currency === null || maxBalance === null || balance <= maxBalance) return;
  const [would, most] = [textOf(balance, currency), textOf(maxBalance, currency)];
  throw invalidField(
    name,
    'max_value',
    `the card would hold ${would}. A card of this program holds ${most} at most: maxBalance of the program.`,
    { limit: maxBalance },
  );
}

/** So many of the smallest unit, for a message. */
export function textOf(minor: number, currency: string): string {
  return `${presentMinor(minor, currency).amount} ${currency}`;
}
