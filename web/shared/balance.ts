import type { Entry } from '../../sdk/typescript/src/types.ts';
import { presentMinor } from '../../src/kit/money/minor.ts';
import { formatChange, formatMoney, formatNumber } from './format.ts';

/** What a card has, or had after an entry: money, or else a number. */
export function shownBalance({ balance, amount }: Pick<Entry, 'balance' | 'amount'>): string {
  return amount === undefined ? formatNumber(balance) : formatMoney(presentMinor(balance, amount.currency));
}

/** What an entry has changed, with its sign: money, or else a number. */
export function shownChange({ points, amount }: Pick<Entry, 'points' | 'amount'>): string {
  return amount === undefined ? formatChange(points) : `${points > 0 ? '+' : ''}${formatMoney(amount)}`;
}
