import type { en } from '../en/units.ts';

/** What points and stamps are called where a shop has no names of its own. */
export const de: typeof en = {
  STAMPS: { one: 'Stempel', other: 'Stempel' },
  POINTS: { one: 'Punkt', other: 'Punkte' },
  MONEY: { one: 'Guthaben', other: 'Guthaben' },
};
