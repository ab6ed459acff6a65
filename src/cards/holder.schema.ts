import { Type } from 'typebox';
import { closed, nullable } from '../kit/http/shapes.ts';
import { e164 } from '../kit/text/phone.ts';
import { holderColumns, Instance, presentInstance } from './instance.schema.ts';
import type { InstanceRow } from './instance-row.ts';

export const Holder = closed(
  {
    ...holderColumns,
    phone: nullable(
      Type.String({ description: 'in E.164 form, or as it was given where it does not name its country' }),
    ),
    cards: Type.Array(Instance, { description: 'the active ones first, then the newest; at most 100' }),
  },
  { $id: 'Holder' },
);

/** A person as their first card has them, with all their cards. */
export function presentHolder(publicUrl: string, cards: readonly InstanceRow[]) {
  const {
    identifier = null,
    name = null,
    email = null,
    phone = null,
    locale = null,
  } = cards[0]?.holder ?? {};
  return {
    identifier,
    name,
    email,
    phone: phone === null ? null : (e164(phone) ?? phone),
    locale,
    cards: cards.map((row) => presentInstance(publicUrl, row)),
  };
}
