/** No id is smaller, and none is greater. */
export const firstId = '00000000-0000-0000-0000-000000000000';
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The smallest id that something made at `moment` or later can have: ids begin with their milliseconds. */
export function firstIdSince(moment: Date): string {
  const time = Math.max(0, moment.getTime()).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** When an id was made. */
export function momentOfId(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}

/**
 * Bounds of the ids of rows that were made from `from` until before `to`. An id is made before its row gets its moment,
 * by another clock and perhaps ahead of it, so there is an hour to spare at both ends.
 */
export function idsBetween(from: Date, to: Date): { firstId: string; lastId: string } {
  return {
    firstId: firstIdSince(new Date(from.getTime() - spareMs)),
    lastId: firstIdSince(new Date(to.getTime() + spareMs)),
  };
}

const spareMs = 3_600_000;
