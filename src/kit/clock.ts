/** `now`, or a millisecond after `previous` where that is later: changes differ, also when the clock steps back. */
export function laterMoment(previous: Date, now: Date): Date {
  return new Date(Math.max(now.getTime(), previous.getTime() + 1));
}

/** The moment cut to its whole second. */
export function wholeSecond(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / 1_000) * 1_000);
}

/** The moment as a person reads it: `2027-01-31 23:59:59 UTC`. */
export function readable(moment: Date): string {
  return `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
