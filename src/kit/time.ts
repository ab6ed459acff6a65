import { LRUCache } from 'lru-cache';

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
  return new Date(zoneOf(timezone).startOf(Date.UTC(year, month - 1, day) / dayMs));
}

/** The day in the time zone at a moment: `2027-01-31`. A day lasts from its first moment to that of the next. */
export function dayOf(timezone: string, moment: Date): string {
  return new Date(zoneOf(timezone).dayAt(moment.getTime()) * dayMs).toISOString().slice(0, 10);
}

/** The end of the day that lies so many months after that of a moment; of a shorter month's last day. */
export function dayEnd(timezone: string, moment: Date, months = 0): Date {
  const zone = zoneOf(timezone);
  const date = new Date(zone.dayAt(moment.getTime()) * dayMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(zone.startOf(Date.UTC(year, month, Math.min(date.getUTCDate(), last)) / dayMs + 1));
}

/** What the clocks of the time zone show at a moment, as `2027-01-31T23:59:59`, and their offset from UTC, as `+01:00`. */
export function clockTime(
  timezone: string,
  moment: Date,
): { readonly local: string; readonly offset: string } {
  const ahead = zoneOf(timezone).offsetAt(moment.getTime());
  const local = new Date(moment.getTime() + ahead).toISOString().slice(0, 19);
  const minutes = Math.round(Math.abs(ahead) / 60_000);
  const two = (number: number) => String(number).padStart(2, '0');
  return { local, offset: `${ahead < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}` };
}

/** The name of a time zone in its usual letters; null where this Node knows none of that name, and counts days in UTC. */
export function zoneName(timezone: string): string | null {
  return zoneOf(timezone).name;
}

const dayMs = 86_400_000;
const mostDays = 500;

/** Finds the beginnings of the days of a time zone in the tables of this Node. Days are numbered from the first of 1970. */
class Zone {
  readonly name: string | null;
  readonly #clock: Intl.DateTimeFormat;
  readonly #starts = new Map<number, number>();

  constructor(timezone: string) {
    const clock = clockOf(timezone);
    // What Node resolves a second name of a zone to is often an outdated one: only the letters are taken from there.
    const { timeZone } = clock?.resolvedOptions() ?? { timeZone: null };
    this.name = timeZone?.toLowerCase() === timezone.toLowerCase() ? timeZone : clock && timezone;
    this.#clock = clock ?? zoneOf('UTC').#clock;
  }

  dayAt(moment: number): number {
    let day = Math.floor(moment / dayMs);
    while (moment < this.startOf(day)) day -= 1;
    while (moment >= this.startOf(day + 1)) day += 1;
    return day;
  }

  startOf(day: number): number {
    const known = this.#starts.get(day);
    if (known !== undefined) return known;
    if (this.#starts.size === mostDays) this.#starts.clear();
    const start = this.#findStart(day * dayMs);
    this.#starts.set(day, start);
    return start;
  }

  #findStart(midnight: number): number {
    const before = this.offsetAt(midnight - dayMs);
    const after = this.offsetAt(midnight + dayMs);
    // The clocks may change on that day: each offset counts where it is the one in force.
    if (this.offsetAt(midnight - before) === before) return midnight - before;
    if (this.offsetAt(midnight - after) === after) return midnight - after;
    let [jumpsAfter, jumpsUntil] = [midnight - after, midnight - before];
    while (jumpsUntil - jumpsAfter > 1) {
      const middle = Math.floor((jumpsAfter + jumpsUntil) / 2);
      if (this.offsetAt(middle) === before) jumpsAfter = middle;
      else jumpsUntil = middle;
    }
    return jumpsUntil;
  }

  /** How far the clocks of the zone are ahead of UTC at that moment, in ms. */
  offsetAt(moment: number): number {
    const parts = this.#clock.formatToParts(moment);
    const number = (name: string) => Number(parts.find(({ type }) => type === name)?.value);
    const [year, month, day] = [number('year'), number('month'), number('day')];
    const local = Date.UTC(year, month - 1, day, number('hour'), number('minute'), number('second'));
    return local - Math.floor(moment / 1_000) * 1_000;
  }
}

/** They are dear to make. There are some hundred names, but each can be written in many ways. */
const zones = new LRUCache<string, Zone>({ max: 500 });

function zoneOf(timezone: string): Zone {
  const known = zones.get(timezone);
  if (known !== undefined) return known;
  const zone = new Zone(timezone);
  zones.set(timezone, zone);
  return zone;
}

/** Returns a formatter of the time in a zone; null where the name is not known. */
function clockOf(timezone: string): Intl.DateTimeFormat | null {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const times = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      calendar: 'gregory',
      ...fields,
      ...times,
    });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
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
