/** Where work is kept: a map, or a cache that forgets. */
interface Shelf<K, T> {
  get(key: K): Promise<T> | undefined;
  set(key: K, work: Promise<T>): unknown;
  delete(key: K): unknown;
}

/** Does work, unless it lies on the shelf, and keeps it there: callers at the same time share it. What fails is not kept. */
export function keptWork<K, T>(shelf: Shelf<K, T>, key: K, work: () => Promise<T>): Promise<T> {
  const known = shelf.get(key);
  if (known !== undefined) return known;
  const begun = work();
  shelf.set(key, begun);
  begun.catch(() => shelf.delete(key));
  return begun;
}
