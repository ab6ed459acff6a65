import { isDeepStrictEqual } from 'node:util';

/** The properties of something that differ after a change: as they were before, and as they are. */
export function changedProperties<T extends object>(
  before: T,
  after: T,
): { readonly previous: Partial<T>; readonly current: Partial<T> } {
  const names = (Object.keys(after) as (keyof T)[]).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  const only = (from: T) => Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<T>;
  return { previous: only(before), current: only(after) };
}
