import { type TOptional, type TSchema, Type } from 'typebox';
import { atMostOneOf, documentedWith, named } from '../../kit/http/schemas/documented.ts';
import { byCurrency, Currency, Money } from '../../kit/http/schemas/money.ts';
import { closed, Id, nullable, oneOf, partial, Timestamp } from '../../kit/http/schemas/shapes.ts';
import { encodeId } from '../../kit/ids.ts';
import { presentMinor } from '../../kit/money/minor.ts';
import { type Role, roles } from '../../people/roles.ts';
import { Warnings } from '../pass.schema.ts';
import { cardText } from '../text.schema.ts';
import type { EarnRule, ProgramReward, ProgramRow } from './program-row.ts';
import type { ProgramStateRow } from './programs.sql.ts';
import { rewardsOf } from './rewards.ts';
import { NewTiers, Tiers } from './tier.schema.ts';

export const ModeName = oneOf(['POINTS', 'STAMPS', 'MONEY']);
export const ProgramStatusName = oneOf(['not_launched', 'active', 'paused']);
const Count = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const Cost = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'points that a reward costs, in POINTS',
});
export const Threshold = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'stamps that unlock a reward, in STAMPS',
});

export const reward = {
  title: documentedWith(cardText.rewardTitle, { description: 'what the reward is, e.g. Free coffee' }),
  cost: nullable(Cost),
};

const Rate = Type.String({
  pattern: '^(0|[1-9][0-9]{0,9})(\\.[0-9]{1,12})?$',
  maxLength: 23,
  description: 'a decimal number above 0, such as 0.0061',
});

const earn = {
  perCurrencyUnit: Type.Number({
    minimum: 0,
    maximum: 1_000_000,
    description: 'points for each unit of the currency, with at most 3 decimals; 1 in POINTS by default',
  }),
  currency: Currency,
  rates: byCurrency(
    nullable(Rate),
    'what one unit of another currency is worth in this one; a rate that is not named stays, null takes it away',
  ),
  perOrder: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: 'points for each order; 1 in STAMPS by default',
  }),
  minOrder: nullable(Money),
};

/** An earn rule as the API shows it. */
export const EarnRuleShown = closed(
  {
    ...earn,
    currency: nullable(Currency),
    rates: Type.Record(Type.String(), Type.String()),
  },
  {
    description:
      'what an order earns. One in another currency than `currency` is counted by its rate. `currency` is null in what a former version has written: any counts, one for one',
  },
);

const rewardStatus = oneOf(['active', 'hidden']);
export const NewRewards = Type.Array(
  closed({
    rewardId: Type.Optional({ ...Id, description: 'which of the rewards it is; absent: a new one' }),
    title: reward.title,
    cost: Cost,
    status: Type.Optional(rewardStatus),
  }),
  {
    maxItems: 50,
    description:
      'all rewards of a program in POINTS, at least one, in the place of those before; the first is `reward`',
  },
);
const Rewards = Type.Array(
  closed({ rewardId: Id, title: Type.String(), cost: Type.Integer(), status: rewardStatus }),
  { description: 'in POINTS; the first is `reward`, which the cards show' },
);

const expiry = {
  months: nullable(
    Type.Integer({ minimum: 1, maximum: 1_200, description: 'how long points last; null for ever' }),
  ),
};

const limits = {
  perDay: nullable(Count),
  minSecondsBetween: nullable(Type.Integer({ minimum: 1, maximum: 31_536_000 })),
  perAward: nullable({
    ...Count,
    description: 'the most that one award may give, before what a tier makes of it; more is refused',
  }),
};
const perAwardOf = <Most extends TSchema>(most: Most) =>
  Object.fromEntries(roles.map((role) => [role, Type.Optional(most)])) as Record<Role, TOptional<Most>>;
const byRole = 'the same for people of a role, in the place of `perAward`';
const NewLimits = some({
  ...limits,
  perAwardByRole: closed(perAwardOf(nullable(Count)), {
    description: `${byRole}; a role that is not named stays, null takes it away`,
  }),
});

const { pointName } = cardText;
export const PointNameShown = closed(pointName, { description: 'what one point is called, and several' });

const MaxBalance = {
  ...nullable(Money),
  description: 'what a card may hold in MONEY, in the currency of the program; null: any amount',
};

const program = {
  currency: { ...nullable(Currency), description: 'of the money of the cards, in MONEY; else null' },
  maxBalance: MaxBalance,
  reward: closed({
    title: Type.String({ description: 'what the reward is, e.g. Free coffee; empty in MONEY' }),
    cost: reward.cost,
  }),
  rewards: Rewards,
  threshold: nullable(Threshold),
  tiers: Tiers,
  earn: EarnRuleShown,
  expiry: closed(expiry),
  limits: closed(
    { ...limits, perAwardByRole: closed(perAwardOf(Type.Integer()), { description: byRole }) },
    { description: 'what a card may earn in a day, how often, and what an award may give' },
  ),
  refundPolicy: oneOf(['debt', 'within_balance']),
  pointName: PointNameShown,
  drawsStamps: Type.Boolean({
    description:
      'whether cards in STAMPS draw their stamps as a picture, in the place of the strip and hero images of the pass',
  }),
};

/** Some of the properties: absent leaves alone. */
function some<P extends Record<string, TSchema>>(properties: P) {
  return Type.Partial(closed(properties), { additionalProperties: false });
}

/** What a program is made and changed with. */
export const settings = {
  maxBalance: MaxBalance,
  rewards: NewRewards,
  tiers: NewTiers,
  threshold: program.threshold,
  earn: some(earn),
  expiry: some(expiry),
  limits: NewLimits,
  refundPolicy: program.refundPolicy,
  drawsStamps: program.drawsStamps,
};

/** What cards show of a program. */
export const ShownProgram = closed({
  mode: ModeName,
  currency: Type.Optional(Currency),
  reward: Type.Optional(closed({ title: reward.title, cost: Type.Optional(reward.cost) })),
  threshold: Type.Optional(nullable(Threshold)),
  pointName: Type.Optional(program.pointName),
  drawsStamps: Type.Optional(program.drawsStamps),
});

export const ProgramChanges = named(
  'ProgramChanges',
  documentedWith(
    partial({
      ...settings,
      reward: some(reward),
      pointName: some(pointName),
      status: oneOf(['active', 'paused']),
    }),
    atMostOneOf('reward', 'rewards'),
  ),
);

const columns = {
  programId: Id,
  passId: Id,
  mode: ModeName,
  status: ProgramStatusName,
  ...program,
  launchedAt: nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const Program = closed(columns, { $id: 'Program' });
export const ProgramWithHistory = closed(
  {
    ...columns,
    history: Type.Array(closed({ status: ProgramStatusName, at: Timestamp, actor: Type.String() }), {
      maxItems: 20,
      description: 'the newest states, newest first, and which key brought it there',
    }),
    warnings: Type.Optional(Warnings),
  },
  { $id: 'ProgramWithHistory' },
);

/** A program as the API shows it. */
export function presentProgram(row: ProgramRow) {
  return {
    programId: encodeId('prog', row.programId),
    passId: encodeId('pass', row.passId),
    mode: row.mode,
    status: row.status,
    currency: row.currency,
    maxBalance:
      row.maxBalance === null || row.currency === null ? null : presentMinor(row.maxBalance, row.currency),
    reward: { title: row.rewardTitle, cost: row.rewardCost },
    rewards: rewardsOf(row).map(presentReward),
    threshold: row.threshold,
    tiers: row.tiers.map((tier) => ({ ...tier })),
    earn: presentRule(row.earn),
    expiry: { months: row.expiryMonths },
    limits: {
      perDay: row.perDay,
      minSecondsBetween: row.minSecondsBetween,
      perAward: row.perAward,
      perAwardByRole: row.perAwardByRole,
    },
    refundPolicy: row.refundPolicy,
    pointName: row.pointName,
    drawsStamps: row.drawsStamps,
    launchedAt: row.launchedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function presentReward({ rewardId, title, cost, status }: ProgramReward) {
  return { rewardId: encodeId('rew', rewardId), title, cost, status };
}

/** An earn rule as the API shows it. */
export function presentRule({ perCurrencyUnit, currency, rates, perOrder, minOrder }: EarnRule) {
  return { perCurrencyUnit, currency: currency ?? null, rates: { ...rates }, perOrder, minOrder };
}

/** The same with the states that it came into, newest first. */
export function presentWithHistory(row: ProgramRow, states: readonly ProgramStateRow[]) {
  const history = states.map(({ status, actor, changedAt }) => ({
    status,
    at: changedAt.toISOString(),
    actor,
  }));
  return { ...presentProgram(row), history };
}
