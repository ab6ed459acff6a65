/** A list in parts of that length; the last may be shorter. */
export function batchesOf<T>(all: readonly T[], length: number): T[][] {
  const count = Math.ceil(all.length / length);
  return Array.from({ length: count }, (_, at) => all.slice(at * length, (at + 1) * length));
}
