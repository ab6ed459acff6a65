import type { Static } from 'typebox';
import { invalidField } from '../../kit/http/api-error.ts';
import { type MinorUnits, type Money, parsePositive } from '../../kit/http/schemas/money.ts';
import { en } from '../../locales/en.ts';
import { changeRewards } from './change-rewards.ts';
import { changeRule } from './earn-rule.ts';
import type { ProgramChanges } from './program.schema.ts';
import type { ProgramMode, ProgramReward, ProgramRow } from './program-row.ts';
import { readTiers } from './tier.schema.ts';

/** The part of a program that its author decides. */
export type Terms = Pick<
  ProgramRow,
  | 'currency'
  | 'maxBalance'
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

/** What a new program begins with, before its body is laid over it; `currency` is what it counts in. */
export function blankTerms(mode: ProgramMode, currency: string): Terms {
  const { one, other } = en.program.nouns[mode];
  return {
    currency: mode === 'MONEY' ? currency : null,
    maxBalance: null,
    rewardTitle: '',
    rewardCost: null,
    threshold: null,
    rewards: [],
    tiers: [],
    earn: {
      perCurrencyUnit: mode === 'POINTS' ? 1 : 0,
      currency,
      rates: {},
      perOrder: mode === 'STAMPS' ? 1 : 0,
      minOrder: null,
    },
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
  if (mode === 'MONEY') refuseUnknownOfMoney(changes);
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
    currency: before.currency,
    maxBalance: changes.maxBalance === undefined ? before.maxBalance : mostOf(before, changes.maxBalance),
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

/** What a card may hold, in the smallest unit. Raises `invalid_request` for another currency than that of the program. */
function mostOf({ currency }: Terms, asked: Money | null): number | null {
  if (asked === null) return null;
  if (currency === null)
    throw invalidField('maxBalance', 'excluded', 'only mode "MONEY" has one. Leave it out.');
  return minorOf(currency, 'maxBalance', parsePositive('maxBalance', asked));
}

/** An amount in the smallest unit of the currency of a program. Raises `invalid_request` for one in another currency. */
export function minorOf(currency: string, parameter: string, asked: Omit<MinorUnits, 'digits'>): number {
  if (asked.currency !== currency)
    throw invalidField(`${parameter}.currency`, 'other', `must be ${currency}, the currency of the program.`);
  return asked.minor;
}

const unknownOfMoney = [
  'reward',
  'rewards',
  'threshold',
  'tiers',
  'earn',
  'refundPolicy',
  'drawsStamps',
] as const;
const unknownLimits = ['perDay', 'minSecondsBetween'] as const;

/** Money is loaded and charged; nothing is earned with it, and a balance is never below zero. */
function refuseUnknownOfMoney(changes: Changes): void {
  const limits = unknownLimits.filter((name) => changes.limits?.[name] != null);
  const unknown = [
    ...unknownOfMoney.filter((name) => changes[name] != null),
    ...limits.map((name) => `limits.${name}`),
  ];
  const [first] = unknown;
  if (first !== undefined)
    throw invalidField(first, 'excluded', 'a program with mode "MONEY" has none. Leave it out.');
}

/** POINTS has a cost and no threshold, STAMPS a threshold and no cost. */
function refuseMisfit(mode: ProgramMode, { rewardCost, threshold, rewards }: Terms): void {
  if (mode === 'MONEY') return;
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
