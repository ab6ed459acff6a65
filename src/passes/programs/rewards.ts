import type { ProgramReward, ProgramRow } from './program-row.ts';

type Rewarded = Pick<ProgramRow, 'programId' | 'rewardTitle' | 'rewardCost' | 'rewards'>;

/**
 * The rewards of a program in POINTS; none in STAMPS. The first one's title and cost are the program's own, and a program
 * that has stored none has one, with its own id.
 */
export function rewardsOf({ programId, rewardTitle, rewardCost, rewards }: Rewarded): ProgramReward[] {
  if (rewardCost === null) return [];
  const [first, ...others] = rewards;
  const rewardId = first?.rewardId ?? programId;
  return [{ rewardId, title: rewardTitle, cost: rewardCost, status: 'active' }, ...others];
}
