interface Rest {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** How long to rest after something has failed so many times before: twice as long each time, up to the most. */
export function backOff(rest: Rest, times: number): number {
  return Math.min(rest.firstMs * 2 ** Math.min(times, 30), rest.mostMs);
}

/**
 * The same, spread so that what failed together does not come back together, and never shorter than the other side has
 * asked for.
 */
export function spreadBackOff(rest: Rest, times: number, leastMs = 0): number {
  const restMs = backOff(rest, times);
  return Math.max(restMs, leastMs) + (restMs * Math.random()) / 2;
}
