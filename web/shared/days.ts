/** The day of a moment in the time zone of the browser, as fields of days have it: 2026-11-25. Empty without a moment. */
export function dayOf(moment: string | null): string {
  if (moment === null) return '';
  const at = new Date(moment);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Where a day begins for who looks at it; undefined where there is none. */
export function beginOf(day: string): string | undefined {
  return momentOf(`${day}T00:00:00`);
}

/** Where it ends. */
export function endOf(day: string): string | undefined {
  return momentOf(`${day}T23:59:59`);
}

function momentOf(local: string): string | undefined {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
