/** Where an account stands after an award, as the API answers. */
interface AfterAward {
  readonly points: number;
  readonly balance: number;
}

/**
 * Whether an award has brought a reward: stamps become one, so that fewer are left than were added; points are enough for one that
 * costs so much, and were not before.
 */
export function hasEarned(
  { points, balance }: AfterAward,
  { threshold, cost }: { readonly threshold: number | null; readonly cost: number | null },
): boolean {
  if (points < 1) return false;
  if (threshold !== null) return balance < points;
  return cost !== null && balance >= cost && balance - points < cost;
}
