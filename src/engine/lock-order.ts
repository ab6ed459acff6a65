/**
 * The order in which a unit of work locks rows, so that no two block each other. First come the rows that it decides on:
 * orders, the names of new customers, cards with their accounts in the order of their ids. The rest is deferred to the
 * end of the unit, in this order. The rows that most transactions want come last: the counters of events leave with COMMIT.
 * The pool looks at the counts.
 */
const deferredWrites = [
  'entries',
  'pushes',
  'counts',
  'pool',
  'claims',
  'audit',
  'credits',
  'events',
] as const;

/** Returns the position of a deferred write in the order of locks. */
export function lockRankOf(name: (typeof deferredWrites)[number]): number {
  return deferredWrites.indexOf(name);
}
