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

/**
 * The first moment of a calendar day in an IANA time zone: its midnight, of two the first, or the moment at which the
 * clocks jump over it. `month` counts from 1; months and days beyond the calendar run over, as those of `Date.UTC` do.
 */
export function dayStart(timezone: string, year: number, month: number, day: number): Date {
  const midnight = Date.UTC(year, month - 1, day);
  const before = offsetAt(timezone, midnight - dayMs);
  const after = offsetAt(timezone, midnight + dayMs);
  const early = midnight - before;
  const late = midnight - after;
  // The clocks may change on that day: each offset counts where it is the one in force.
  const isLate = offsetAt(timezone, early) !== before && offsetAt(timezone, late) === after;
  return new Date(isLate ? late : early);
}

/** The day in the time zone at a moment: `2027-01-31`. */
export function dayOf(timezone: string, moment: Date): string {
  const local = moment.getTime() + offsetAt(timezone, moment.getTime());
  return new Date(local).toISOString().slice(0, 10);
}

const dayMs = 86_400_000;

/** What tells the time in a zone, made once: there are some hundred zones. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timezone: string): Intl.DateTimeFormat {
  const clock = clocks.get(timezone) ?? newClock(timezone);
  clocks.set(timezone, clock);
  return clock;
}

function newClock(timezone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}

/** How far the clocks of the zone are ahead of UTC at that moment, in ms. */
function offsetAt(timezone: string, moment: number): number {
  const parts = clockOf(timezone).formatToParts(moment);
  const number = (name: string) => Number(parts.find(({ type }) => type === name)?.value);
  const [year, month, day] = [number('year'), number('month'), number('day')];
  const local = Date.UTC(year, month - 1, day, number('hour'), number('minute'), number('second'));
  return local - Math.floor(moment / 1_000) * 1_000;
}

interface Rest {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** How long to rest after something has failed so many times before: twice as long each time, up to the most. */
export function backOff(rest: Rest, times: number): number {
  return Math.min(rest.firstMs * 2 ** Math.min(times, 30), rest.mostMs);
}

/**
 * The rest of `backOff`, spread so that what failed together is not tried again together, and never shorter than the other
 * side has asked for.
 */
export function spreadBackOff(rest: Rest, times: number, leastMs = 0): number {
  const restMs = backOff(rest, times);
  return Math.max(restMs, leastMs) + (restMs * Math.random()) / 2;
}
