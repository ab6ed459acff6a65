import { type Static, Type } from 'typebox';
import { invalidField } from '../../kit/http/api-error.ts';
import { documentedWith } from '../../kit/http/schemas/documented.ts';
import { closed } from '../../kit/http/schemas/shapes.ts';
import { cardText } from '../text.schema.ts';
import { isExactRate } from './decimal.ts';
import type { Tier } from './program-row.ts';

const columns = {
  key: Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$', maxLength: 40, description: 'a name such as gold' }),
  title: documentedWith(cardText.tierTitle, {
    description: 'what the card shows in the field `tier`, where its pass has one',
  }),
  from: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'the lifetime points that it begins at',
  }),
};
const Multiplier = Type.Number({
  minimum: 1,
  maximum: 100,
  description: 'what its holders earn counts so many times, rounded down; at most 3 decimals, 1 by default',
});

export const NewTiers = Type.Array(closed({ ...columns, multiplier: Type.Optional(Multiplier) }), {
  maxItems: 20,
  description: 'all tiers, in the place of those before; an empty list takes them away',
});
export const Tiers = Type.Array(closed({ ...columns, multiplier: Multiplier }), {
  description: 'the lowest first',
});

/** The tier of an account. */
export const AccountTier = closed({ key: Type.String(), title: Type.String() });

/** The tiers that a program is to have, the lowest first. Raises `invalid_request` that names the parameter. */
export function readTiers(tiers: Static<typeof NewTiers>): Tier[] {
  const keys = new Set<string>();
  const froms = new Set<number>();
  const read = tiers.map(({ multiplier = 1, ...tier }, place) => {
    const at = `tiers[${place}]`;
    if (keys.has(tier.key)) throw invalidField(`${at}.key`, 'unique', 'belongs to another tier.');
    if (froms.has(tier.from)) throw invalidField(`${at}.from`, 'unique', 'is where another tier begins.');
    if (!isExactRate(multiplier))
      throw invalidField(`${at}.multiplier`, 'max_decimals', 'must have at most 3 decimals.', { limit: 3 });
    keys.add(tier.key);
    froms.add(tier.from);
    return { ...tier, multiplier };
  });
  return read.sort((a, b) => a.from - b.from);
}

/** The tier of an account as the API shows it. */
export function presentTier(tier: Tier | null) {
  return tier === null ? null : { key: tier.key, title: tier.title };
}
