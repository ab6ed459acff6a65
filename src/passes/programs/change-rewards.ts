import type { Static } from 'typebox';
import { invalidField } from '../../kit/http/api-error.ts';
import { decodeId, newUuidV7 } from '../../kit/ids.ts';
import type { ProgramChanges } from './program.schema.ts';
import type { ProgramReward } from './program-row.ts';

type Changes = NonNullable<Static<typeof ProgramChanges>['rewards']>;

/**
 * The rewards that a program is to have: those with an id stay what they are, whatever becomes of title and cost. Raises
 * `invalid_request` that names the parameter.
 */
export function changeRewards(before: readonly ProgramReward[], changes: Changes): ProgramReward[] {
  const known = new Map(before.map((reward) => [reward.rewardId, reward]));
  return changes.map(({ rewardId: publicId, title, cost, status }, place) => {
    const rewardId = publicId === undefined ? newUuidV7() : decodeId('rew', publicId);
    const reward = known.get(rewardId ?? '');
    if (rewardId === null || (publicId !== undefined && reward === undefined)) {
      throw invalidField(
        `rewards[${place}].rewardId`,
        'reference',
        'is none of this program, or named twice. Leave it out for a new reward.',
      );
    }
    known.delete(rewardId);
    const after = { rewardId, title, cost, status: status ?? reward?.status ?? 'active' };
    if (place === 0 && after.status === 'hidden') {
      throw invalidField(
        'rewards[0].status',
        'fixed',
        'the first reward is shown on the cards and cannot be hidden. Put another one first.',
      );
    }
    return after;
  });
}
