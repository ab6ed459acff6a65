/** A source of chance that gives the same again from the same seed (mulberry32). */
export interface Random {
  /** 0 to `below`, which it never is. */
  below(below: number): number;
  pick<T>(values: readonly [T, ...T[]]): T;
  bytes(length: number): Buffer;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick: ([first, ...others]) =>
      others.length === 0 ? first : ([first, ...others][below(others.length + 1)] ?? first),
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
