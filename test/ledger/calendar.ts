const hour = 3_600_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day of a moment in a time zone: `2030-01-31`. */
export function dayOf(moment: number, zone: string): string {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone });
  formats.set(zone, format);
  return format.format(moment);
}

/** The first moment after a calendar day, found by looking: days have 23, 24 or 25 hours. */
export function endOfDay(day: string, zone: string): number {
  let before = Date.parse(day) - 16 * hour;
  let after = Date.parse(day) + 48 * hour;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayOf(middle, zone) > day) after = middle;
    else before = middle;
  }
  return after;
}

/** The same day of a later month, or the last of that month where it is shorter. */
export function monthsLater(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastDate))).toISOString().slice(0, 10);
}
