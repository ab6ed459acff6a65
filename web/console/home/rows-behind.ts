import { query } from '../../shared/router.ts';
import type { Surroundings } from './look-around.ts';

/** The pass that the figures are of; null where they are of several, whose rows are in several lists. */
function passOf({ passes }: Surroundings): string | null {
  const [first, second] = passes;
  return query.value.get('passId') ?? (second === undefined ? (first?.passId ?? null) : null);
}

/** Where the rows are that a figure of a time counts; null where it is of several passes. */
export function rowsOf(
  of: Surroundings,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
) {
  const passId = passOf(of);
  if (passId === null || from === undefined || to === undefined) return null;
  const rows = (path: string, more: Readonly<Record<string, string>> = {}) =>
    `/console/${path}?${new URLSearchParams({ passId, from, to, ...more })}`;
  return {
    issued: rows('cards'),
    installed: rows('developers/events', { type: 'instance.installed' }),
    entries: rows('cards/entries'),
    activeHolders: rows('cards/entries', { kind: 'earn' }),
    rewardsRedeemed: rows('cards/entries', { kind: 'redeem' }),
    cards: `/console/cards?${new URLSearchParams({ passId })}`,
  };
}

/** Whether there is anything to collect, so that visits are counted: paying with a gift card is none. */
export function isOfVisits({ programs }: Surroundings): boolean {
  return programs.some(({ mode }) => mode !== 'MONEY');
}
