/**
 * A gate that lets at most `limit` pieces of asynchronous work run at a time; the others wait in the order they
 * came. Work that fails frees its place too.
 */
export function createGate(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < limit) running++;
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await work();
    } finally {
      // The place passes on without being freed, so that nobody who comes later slips in between.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
