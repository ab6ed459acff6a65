/**
 * The order in which a unit of work takes what others may wait for, so that no two block each other. First come the rows
 * that it decides on: orders, the names of new customers, cards with their accounts in the order of their ids. What follows
 * is left to the end of the unit, in this order; the row that most transactions want comes last, but for the events, which lock
 * nothing and are in the order in which what they tell of was locked. The pool looks at the counts.
 */
const endings = ['entries', 'pushes', 'counts', 'pool', 'claims', 'audit', 'credits', 'events'] as const;

/** The place of an ending in the order of locks. */
export function placeOf(ending: (typeof endings)[number]): number {
  return endings.indexOf(ending);
}
