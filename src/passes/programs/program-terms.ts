import type { Static } from 'typebox';
import { invalidField } from '../../kit/http/api-error.ts';
import { en } from '../../locales/en.ts';
import { changeRewards } from './change-rewards.ts';
import { changeRule } from './earn-rule.ts';
import type { ProgramChanges } from './program.schema.ts';
import type { ProgramMode, ProgramReward, ProgramRow } from './program-row.ts';
import { readTiers } from './tier.schema.ts';

/** The part of a program that its author decides. */
export type Terms = Pick<
  ProgramRow,
  | 'rewardTitle'
  | 'rewardCost'
  | 'threshold'
  | 'rewards'
  | 'tiers'
  | 'earn'
  | 'expiryMonths'
  | 'perDay'
  | 'minSecondsBetween'
  | 'perAward'
  | 'perAwardByRole'
  | 'refundPolicy'
  | 'pointName'
  | 'drawsStamps'
>;

type Changes = Omit<Static<typeof ProgramChanges>, 'status'>;

/** What a new program begins with, before its body is laid over it. */
export function blankTerms(mode: ProgramMode, currency: string): Terms {
  const stamps = mode === 'STAMPS';
  const { one, other } = en.program.nouns[mode];
  return {
    rewardTitle: '',
    rewardCost: null,
    threshold: null,
    rewards: [],
    tiers: [],
    earn: { perCurrencyUnit: stamps ? 0 : 1, currency, rates: {}, perOrder: stamps ? 1 : 0, minOrder: null },
    expiryMonths: null,
    perDay: null,
    minSecondsBetween: null,
    perAward: null,
    perAwardByRole: {},
    refundPolicy: 'debt',
    // Cards of other languages say it in theirs.
    pointName: { one, other },
    drawsStamps: true,
  };
}

/**
 * Lays changes over the terms: absent leaves alone. `known` are the rewards that there are. Raises `invalid_request` that
 * names the parameter.
 */
export function changeTerms(
  mode: ProgramMode,
  before: Terms,
  changes: Changes,
  known: readonly ProgramReward[],
): Terms {
  const rewards = changes.rewards === undefined ? before.rewards : changeRewards(known, changes.rewards);
  const {
    reward = changes.rewards?.[0],
    threshold,
    earn,
    expiry,
    limits,
    refundPolicy,
    pointName,
    drawsStamps,
  } = changes;
  const after: Terms = {
    rewardTitle: reward?.title ?? before.rewardTitle,
    rewardCost: reward?.cost === undefined ? before.rewardCost : reward.cost,
    rewards,
    tiers: changes.tiers === undefined ? before.tiers : readTiers(changes.tiers),
    threshold: threshold === undefined ? before.threshold : threshold,
    earn: earn === undefined ? before.earn : changeRule(before.earn, earn),
    expiryMonths: expiry?.months === undefined ? before.expiryMonths : expiry.months,
    perDay: limits?.perDay === undefined ? before.perDay : limits.perDay,
    minSecondsBetween:
      limits?.minSecondsBetween === undefined ? before.minSecondsBetween : limits.minSecondsBetween,
    perAward: limits?.perAward === undefined ? before.perAward : limits.perAward,
    perAwardByRole: changeByRole(before.perAwardByRole, limits?.perAwardByRole ?? {}),
    refundPolicy: refundPolicy ?? before.refundPolicy,
    pointName: {
      one: pointName?.one ?? before.pointName.one,
      other: pointName?.other ?? before.pointName.other,
    },
    drawsStamps: drawsStamps ?? before.drawsStamps,
  };
  if (changes.reward !== undefined && changes.rewards !== undefined)
    throw invalidField('reward', 'excluded', 'is the first of rewards. Send one of the two.');
  if (mode === 'POINTS' && changes.rewards?.length === 0)
    throw invalidField('rewards', 'required', 'a program in POINTS needs at least one.');
  refuseMisfit(mode, after);
  return after;
}

/** Absent leaves alone, null takes away. */
function changeByRole(
  before: Terms['perAwardByRole'],
  changes: NonNullable<NonNullable<Changes['limits']>['perAwardByRole']>,
): Terms['perAwardByRole'] {
  const after = Object.entries({ ...before, ...changes }).filter(([, most]) => most !== null);
  return Object.fromEntries(after);
}

/** POINTS has a cost and no threshold, STAMPS a threshold and no cost. */
function refuseMisfit(mode: ProgramMode, { rewardCost, threshold, rewards }: Terms): void {
  if (mode === 'POINTS') {
    if (rewardCost === null) throw invalidField('reward.cost', 'required', 'is required with mode "POINTS".');
    if (threshold !== null)
      throw invalidField(
        'threshold',
        'excluded',
        'only mode "STAMPS" has one; "POINTS" has reward.cost. Leave it out.',
      );
    return;
  }
  if (rewards.length > 0)
    throw invalidField(
      'rewards',
      'excluded',
      'only mode "POINTS" has several; "STAMPS" has reward. Leave it out.',
    );
  if (threshold === null) throw invalidField('threshold', 'required', 'is required with mode "STAMPS".');
  if (rewardCost !== null)
    throw invalidField(
      'reward.cost',
      'excluded',
      'only mode "POINTS" has one; "STAMPS" has threshold. Leave it out.',
    );
}
