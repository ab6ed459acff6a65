/** A reward that a card can redeem, as the API lists it. */
interface Listed {
  readonly rewardId: string;
  readonly title: string;
  /** Null: it was unlocked. */
  readonly cost: number | null;
}

/**
 * Unlocked rewards of one title as one, which is the oldest of them, with how many there are. `waiting` are all that wait: where they
 * have one title, also those behind the page that was listed.
 */
export function groupedRewards<R extends Listed>(
  listed: readonly R[],
  waiting: number,
): (R & { readonly count: number })[] {
  const groups = new Map<string, R & { readonly count: number }>();
  for (const reward of listed) {
    const group = reward.cost === null ? reward.title : reward.rewardId;
    const first = groups.get(group);
    groups.set(group, { ...(first ?? reward), count: (first?.count ?? 0) + 1 });
  }
  const all = [...groups.values()];
  return all.length > 1
    ? all
    : all.map((one) => ({ ...one, count: one.cost === null ? Math.max(one.count, waiting) : 1 }));
}
