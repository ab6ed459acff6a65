/** The smallest id that an instance made at `moment` or later can have: ids begin with their milliseconds. */
export function firstIdSince(moment: Date): string {
  const time = Math.max(0, moment.getTime()).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}
