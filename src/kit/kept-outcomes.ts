import { LRUCache } from 'lru-cache';

/**
 * Keeps the outcomes of work by name, the recent ones, up to so many bytes together. Callers at the same time share the work. What
 * fails is not kept, and what others push out while it is being made is answered all the same.
 */
export function keptOutcomes<T extends object>(
  mostBytes: number,
  bytesOf: (outcome: T) => number,
): (name: string, work: () => Promise<T>) => Promise<T> {
  const kept = new LRUCache<string, T>({
    maxSize: mostBytes,
    sizeCalculation: bytesOf,
    ignoreFetchAbort: true,
    fetchMethod: (_name, _stale, { context }) => (context as () => Promise<T>)(),
  });
  return async (name, work) => (await kept.fetch(name, { context: work })) ?? work();
}
