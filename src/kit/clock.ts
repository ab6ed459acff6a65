/**
 * The whole second that a change of `previous` gets: the one that `now` is in, or the next after `previous` where that
 * is later, so that two changes within one second still differ in Last-Modified, which counts seconds.
 */
export function laterSecond(previous: Date, now: Date): Date {
  const seconds = Math.max(Math.floor(now.getTime() / 1_000), Math.floor(previous.getTime() / 1_000) + 1);
  return new Date(seconds * 1_000);
}

/** The moment cut to its whole second. */
export function wholeSecond(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / 1_000) * 1_000);
}

/** The moment as a person reads it: `2027-01-31 23:59:59 UTC`. */
export function readable(moment: Date): string {
  return `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
