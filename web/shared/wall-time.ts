/** What clocks of a time zone show at a moment, as a field of type `datetime-local` has it: 2026-11-25T09:30. */
export function wallTimeOf(moment: string, timeZone: string): string {
  return shown(Date.parse(moment), timeZone).slice(0, 16);
}

/** The moment at which clocks of a time zone show this; where they are put forward over it, an hour later. */
export function momentOf(wallTime: string, timeZone: string): string {
  const asUtc = Date.parse(`${wallTime}Z`);
  const aheadAt = (moment: number) => Date.parse(`${shown(moment, timeZone)}Z`) - moment;
  return new Date(asUtc - aheadAt(asUtc - aheadAt(asUtc))).toISOString();
}

/** Swedish dates are those of ISO 8601. */
function shown(moment: number, timeZone: string): string {
  return new Date(moment).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T');
}
