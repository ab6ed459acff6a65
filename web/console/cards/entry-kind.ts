import type { Entry } from '../../../sdk/typescript/src/types.ts';
import type { en } from '../../texts/en/cards.ts';

/** What an entry is called; one of money by words of money. */
export function kindOf(
  { kind, points, amount }: Pick<Entry, 'kind' | 'points' | 'amount'>,
  t: typeof en,
): string {
  if (amount === undefined) return t.kinds[kind];
  return kind === 'reversal' && points > 0 ? t.money.givenBack : { ...t.kinds, ...t.money.kinds }[kind];
}
