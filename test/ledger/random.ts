/** Numbers from 0 up to 1, the same for the same seed. */
export type Random = () => number;

/** Mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of them, which must be some. */
export function pick<T>(random: Random, some: readonly T[]): T {
  const one = some[Math.floor(random() * some.length)];
  if (one === undefined) throw new Error('there is nothing to choose from');
  return one;
}
