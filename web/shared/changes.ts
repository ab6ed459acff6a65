/** What is to be changed: the properties that are not as they were, so that the page does not overwrite what others have changed since it was opened. */
export function changesOf<T extends object>(
  before: Readonly<Record<keyof T, unknown>>,
  wanted: T,
): Partial<T> {
  const changed = Object.entries(wanted).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof T]),
  );
  return Object.fromEntries(changed) as Partial<T>;
}
