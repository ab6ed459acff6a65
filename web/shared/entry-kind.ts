import type { Entry } from '../../sdk/typescript/src/types.ts';

interface Words {
  readonly kinds: Readonly<Record<Entry['kind'], string>>;
  readonly money: { readonly kinds: Readonly<Record<'earn' | 'redeem', string>>; readonly givenBack: string };
}

/** What an entry is called; one of money by words of money. */
export function kindOf(
  { kind, points, amount }: Pick<Entry, 'kind' | 'points' | 'amount'>,
  t: Words,
): string {
  if (amount === undefined) return t.kinds[kind];
  return kind === 'reversal' && points > 0 ? t.money.givenBack : { ...t.kinds, ...t.money.kinds }[kind];
}
