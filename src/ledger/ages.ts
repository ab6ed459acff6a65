/** Upper bounds, in days, of the age groups of points; the last group is older than all of them. */
export const ageBounds = [30, 90, 180, 365] as const;

/** Points of programs by their ages, youngest first; as text, since sums may be beyond what a number can say exactly. */
export type Ages = Readonly<Record<string, readonly string[]>>;

/** The sums of both. */
export function addAges(some: Ages, others: Ages): Ages {
  const sums = { ...some };
  for (const [programId, ages] of Object.entries(others))
    sums[programId] = ages.map((points, age) => String(BigInt(points) + BigInt(some[programId]?.[age] ?? 0)));
  return sums;
}
