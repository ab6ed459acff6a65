/** How long to rest after something has failed so many times before: twice as long each time, up to the most. */
export function backOff(rest: { readonly firstMs: number; readonly mostMs: number }, times: number): number {
  return Math.min(rest.firstMs * 2 ** Math.min(times, 30), rest.mostMs);
}
