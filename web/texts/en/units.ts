/** What points and stamps are called where a shop has no names of its own. */
export const en = {
  STAMPS: { one: 'stamp', other: 'stamps' },
  POINTS: { one: 'point', other: 'points' },
  MONEY: { one: 'Balance', other: 'Balance' },
};
