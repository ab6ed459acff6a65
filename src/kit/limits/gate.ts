/**
 * A gate that lets asynchronous work of at most `limit` in all run at a time; the rest waits in the order it came. A
 * piece of work weighs 1 unless told otherwise; one that weighs more than the limit runs alone, so what is light never
 * overtakes what is heavy for good. Work that fails frees its place too.
 */
export function createGate(limit: number): <T>(work: () => Promise<T>, weight?: number) => Promise<T> {
  const waiting: { readonly share: number; readonly enter: () => void }[] = [];
  let free = limit;
  return async (work, weight = 1) => {
    const share = Math.min(weight, limit);
    if (waiting.length === 0 && share <= free) free -= share;
    else await new Promise<void>((enter) => waiting.push({ share, enter }));
    try {
      return await work();
    } finally {
      free += share;
      // Their places are taken before they run, so that nobody who comes later slips in between.
      for (let next = waiting[0]; next !== undefined && next.share <= free; next = waiting[0]) {
        waiting.shift();
        free -= next.share;
        next.enter();
      }
    }
  };
}
