import { type Static, type TSchema, Type } from 'typebox';
import { presentPush, pushColumns } from '../cards/instance.schema.ts';
import { atMostOneOf, documentedWith, exactlyOneOf } from '../kit/http/schemas/documented.ts';
import { Money } from '../kit/http/schemas/money.ts';
import {
  closed,
  ExternalRef,
  Id,
  line,
  Moment,
  nullable,
  oneOf,
  Timestamp,
} from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import { presentMinor } from '../kit/money/minor.ts';
import type { Account } from '../ledger/account.ts';
import type { Holding } from '../ledger/entries.sql.ts';
import { limits } from '../ledger/entry.schema.ts';
import { ModeName } from '../passes/programs/program.schema.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';
import { AccountTier, presentTier } from '../passes/programs/tier.schema.ts';
import { tierOf } from '../passes/programs/tiers.ts';
import type { Settled } from './ledger-item.ts';
import { oneCard, passOrItsCard, targetColumns, targetNames } from './target.schema.ts';

const callColumns = {
  passId: Type.Optional(Id),
  ...targetColumns,
  externalRef: Type.Optional(ExternalRef),
  partnerId: Type.Optional(nullable(Id)),
};

const Points = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const Reason = line(500, 'why, for readers of the ledger');

export const Award = documentedWith(
  closed(
    {
      ...callColumns,
      points: Points,
      reason: Type.Optional(nullable(Reason)),
      occurredAt: Type.Optional(nullable(Moment)),
    },
    { $id: 'Award' },
  ),
  oneCard,
);

export const Redemption = documentedWith(
  // What names the card at least.
  {
    ...closed(
      {
        ...callColumns,
        rewardId: Type.Optional({
          ...Id,
          description: 'which reward; absent: the first of the program, or the one that was unlocked first',
        }),
        reason: Type.Optional(nullable(Reason)),
      },
      { $id: 'Redemption' },
    ),
    minProperties: 1,
  },
  oneCard,
);

const Change = Type.Integer({
  minimum: -Number.MAX_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'what is added to the balance; below zero: taken from it',
});
export const Adjustment = documentedWith(
  closed(
    {
      ...callColumns,
      points: documentedWith(Change, { not: { const: 0 } }),
      reason: Reason,
      countsAsEarned: Type.Optional(
        Type.Boolean({ description: 'whether lifetimePoints change with the balance; default false' }),
      ),
    },
    { $id: 'Adjustment' },
  ),
  oneCard,
);

export const Reversal = closed(
  { reason: Type.Optional(nullable(Reason)), externalRef: Type.Optional(ExternalRef) },
  { $id: 'Reversal' },
);

export const Preview = documentedWith(
  closed(
    {
      passId: Type.Optional(Id),
      ...targetColumns,
      points: Type.Optional(Points),
      total: Type.Optional(Money),
    },
    { $id: 'Preview' },
  ),
  { ...exactlyOneOf('points', 'total'), ...atMostOneOf(...targetNames), ...passOrItsCard },
);

const LimitedBy = oneOf(['min_seconds_between', 'per_day']);

const stateColumns = {
  entryId: Id,
  instanceId: Id,
  programId: Id,
  points: Type.Integer({ description: 'what was added to the balance; below zero: taken from it' }),
  balance: Type.Integer(),
  lifetimePoints: Type.Integer(),
  threshold: nullable(Type.Integer()),
  cost: nullable(Type.Integer()),
  pendingRewards: Type.Integer(),
};

export const Posting = closed(
  {
    ...stateColumns,
    limitedBy: Type.Optional(LimitedBy),
    ...pushColumns,
  },
  { $id: 'Posting', description: 'an entry, and the account after it' },
);

export const PreviewedPosting = closed(
  {
    points: Type.Integer({ description: 'what would be added' }),
    limitedBy: Type.Optional(oneOf(limits)),
    balance: nullable(Type.Integer()),
    pendingRewards: nullable(Type.Integer()),
    rewardsUnlocked: nullable(Type.Integer()),
  },
  { $id: 'PreviewedPosting', description: 'the account as it would be; nulls where no card was named' },
);

export const ReversalPosting = closed(
  { ...stateColumns, reversalOf: Id, ...pushColumns },
  { $id: 'ReversalPosting' },
);

export const RedemptionPosting = closed(
  {
    entryId: Id,
    instanceId: Id,
    programId: Id,
    rewardId: Id,
    rewardTitle: Type.String(),
    spent: Type.Integer({ description: 'points taken; 0 in STAMPS, which unlocking the reward has taken' }),
    balance: Type.Integer(),
    pendingRewards: Type.Integer(),
    ...pushColumns,
  },
  { $id: 'RedemptionPosting' },
);

/** Where an account stands after a call. */
export type AccountState = ReturnType<typeof presentState>;

export function presentState(account: Account, program: ProgramRow, points: number) {
  return {
    points: points === 0 ? 0 : points,
    balance: account.balance,
    lifetimePoints: account.lifetimePoints,
    threshold: program.threshold,
    cost: program.rewardCost,
    pendingRewards: account.pendingRewards,
  };
}

/** What a call is answered that has entered something. */
export function presentPosted<State>({ entry, instanceId, programId, state, push }: Settled<State>) {
  if (entry === null) throw new Error('a call of the ledger has entered nothing');
  return {
    entryId: encodeId('entry', entry.entryId),
    instanceId,
    programId,
    ...state,
    ...presentPush(push),
  };
}

export type AwardBody = InPass<typeof Award>;
export type AdjustmentBody = InPass<typeof Adjustment>;
export type RedemptionBody = InPass<typeof Redemption>;

/** A body whose pass is known. */
type InPass<S extends TSchema> = Static<S> & { readonly passId: string };

export const RedeemableReward = closed(
  {
    rewardId: Id,
    title: Type.String(),
    cost: nullable(Type.Integer({ description: 'points that it takes; null in STAMPS' })),
    unlockedAt: nullable({ ...Timestamp, description: 'in STAMPS; null in POINTS' }),
  },
  { $id: 'RedeemableReward' },
);

export const LoyaltyHolder = closed(
  {
    identifier: Type.String(),
    instanceId: Id,
    passId: Id,
    programId: Id,
    mode: ModeName,
    balance: Type.Integer({
      description:
        'below zero: points that were spent before their earn was undone; in MONEY in the smallest unit of the currency',
    }),
    amount: Type.Optional(Money),
    tier: nullable(AccountTier),
    lifetimePoints: Type.Integer({
      description: 'all that was ever earned, without what was undone; corrections leave it alone',
    }),
    pendingRewards: Type.Integer(),
    threshold: nullable(Type.Integer()),
    cost: nullable(Type.Integer()),
    nextExpiry: nullable(closed({ points: Type.Integer(), at: Timestamp })),
  },
  { $id: 'LoyaltyHolder' },
);

/** A holder's account as the API shows it: without points whose time is over, whether or not they were taken yet. */
export function presentHolder(
  card: { readonly identifier: string; readonly instanceId: string },
  program: ProgramRow,
  holding: Holding | undefined,
  now: Date,
) {
  const { lifetimePoints, pendingRewards, expiring } = holding ?? nothing;
  const balance = spendableNow(holding, now);
  const next = expiring.find(({ at }) => new Date(at) > now);
  return {
    identifier: card.identifier,
    instanceId: encodeId('inst', card.instanceId),
    passId: encodeId('pass', program.passId),
    programId: encodeId('prog', program.programId),
    mode: program.mode,
    balance,
    ...(program.currency !== null && { amount: presentMinor(balance, program.currency) }),
    tier: presentTier(tierOf({ tiers: program.tiers, lifetimePoints })),
    lifetimePoints,
    pendingRewards,
    threshold: program.threshold,
    cost: program.rewardCost,
    nextExpiry: next === undefined ? null : { points: next.points, at: new Date(next.at).toISOString() },
  };
}

/** The balance without points whose time is over, whether or not they were taken yet. */
export function spendableNow(holding: Holding | undefined, now: Date): number {
  const { balance, expiring } = holding ?? nothing;
  const over = expiring.filter(({ at }) => new Date(at) <= now);
  return balance - over.reduce((sum, { points }) => sum + points, 0);
}

const nothing: Holding = { balance: 0, lifetimePoints: 0, pendingRewards: 0, expiring: [] };
