/** Work that several may ask for at the same time, and that need be done only once. */
export interface SharedWork<T> {
  /** Does the work, or waits for whoever is doing the work of this name. What it raises, all of them get. */
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
