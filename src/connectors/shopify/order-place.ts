import { readEach } from '../orders.ts';
import { type Fields, fieldsOf, numberOf } from '../read-json.ts';

/** A place in the orders that were changed since a moment: behind a cursor, which has led past so many of them. */
interface Place {
  readonly since: string;
  readonly seen: number;
  readonly cursor: string | null;
  /** Orders of the page before that did not come whole: each is asked for by itself, before the list goes on. */
  readonly long: readonly string[];
  /** There is no list to go on with. */
  readonly isLast: boolean;
}

/** A cursor leads no further than 25,000 objects. */
const cursorLeads = 20_000;

/** The place that a page gave as its next; the beginning without one. */
export function placeOf(since: Date, after: string | null): Place {
  if (after !== null) return JSON.parse(after) as Place;
  return { since: timestamp(since), seen: 0, cursor: null, long: [], isLast: false };
}

export function behindPage(place: Place, nodes: readonly Fields[], endCursor: string | null): string | null {
  const long = readEach(nodes, longOrderOf);
  if (endCursor === null) return long.length === 0 ? null : textOf({ ...place, long, isLast: true });
  const seen = place.seen + nodes.length;
  const last = nodes.at(-1)?.updatedAt;
  const isFar = seen >= cursorLeads && typeof last === 'string' && Date.parse(last) > Date.parse(place.since);
  // The list begins anew at the last order's change; some are told twice then.
  if (isFar) return textOf({ since: timestamp(new Date(last)), seen: 0, cursor: null, long, isLast: false });
  return textOf({ ...place, seen, cursor: endCursor, long });
}

export function behindLong(place: Place): string | null {
  const long = place.long.slice(1);
  return long.length === 0 && place.isLast ? null : textOf({ ...place, long });
}

/** The number of an order that has more lines than the page holds. */
function longOrderOf({ legacyResourceId, lineItems }: Fields): string | null {
  const { pageInfo } = fieldsOf(lineItems, 'an order');
  const { hasNextPage } = fieldsOf(pageInfo, 'an order');
  return hasNextPage === true ? numberOf(legacyResourceId, 'an order') : null;
}

function textOf(place: Place): string {
  return JSON.stringify(place);
}

function timestamp(moment: Date): string {
  return moment.toISOString().replace(/\.\d+/, '');
}
