/** Where work is kept: a map, or a cache that drops what is old. */
interface Shelf<K, T> {
  get(key: K): Promise<T> | undefined;
  set(key: K, work: Promise<T>): unknown;
  delete(key: K): unknown;
}

/** Does work unless it is kept already, and keeps it: callers at the same time share it. What fails is not kept. */
export function keptWork<K, T>(shelf: Shelf<K, T>, key: K, work: () => Promise<T>): Promise<T> {
  const known = shelf.get(key);
  if (known !== undefined) return known;
  const begun = work();
  shelf.set(key, begun);
  begun.catch(() => shelf.delete(key));
  return begun;
}

/** Work that several callers may ask for at the same time, and that is then done once. */
export interface SharedWork<T> {
  /** Does the work, or waits for the work of this name that is under way. All callers get what it raises. */
  share(name: string, work: () => Promise<T>): Promise<T>;
}

/** Shares work within this process, as long as it is under way: nothing is kept. */
export function createSharedWork<T>(): SharedWork<T> {
  const underWay = new Map<string, Promise<T>>();
  return {
    share(name, work) {
      const known = underWay.get(name);
      if (known !== undefined) return known;
      const begun = work().finally(() => underWay.delete(name));
      underWay.set(name, begun);
      return begun;
    },
  };
}

/**
 * The promise's outcome, or an Error when it takes too long. When the time is up, what has already arrived is still read
 * first: a pause of this process itself must not look like a slow answer.
 */
export function within<T>(timeoutMs: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLate = () => reject(new Error(`no answer within ${timeoutMs} ms`));
    const timer = setTimeout(() => setImmediate(tooLate), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** `Promise.all` that raises the first failure only when all have ended: nothing goes on behind its caller's back. */
export async function allEnded<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/** Does the work for each item, in their order, so many at a time. Raises the first failure when all that have begun are over. */
export async function withConcurrency<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  };
  await allEnded(Array.from({ length: concurrency }, worker));
}
