import { Type } from 'typebox';
import { closed } from '../kit/http/schemas/shapes.ts';
import { Instance, PhoneGiven, presentInstance, shownHolderColumns } from './instance.schema.ts';
import { type InstanceRow, presentPerson } from './instance-row.ts';

export const Holder = closed(
  {
    ...shownHolderColumns,
    phoneGiven: PhoneGiven,
    cards: Type.Array(Instance, { description: 'the active ones first, then the newest; at most 100' }),
  },
  { $id: 'Holder' },
);

/** A person as their first card has them, with all their cards. */
export function presentHolder(publicUrl: string, cards: readonly InstanceRow[]) {
  const { holder, ...given } = presentPerson(cards[0]?.holder ?? noPerson);
  return {
    ...holder,
    ...given,
    cards: cards.map((row) => presentInstance(publicUrl, row)),
  };
}

const noPerson = { identifier: null, name: null, email: null, phone: null, locale: null };
