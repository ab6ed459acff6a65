import { Type } from 'typebox';
import {
  documentedAs,
  documentedWith,
  exactlyOneOf,
  named,
  variants,
} from '../../kit/http/schemas/documented.ts';
import { Currency } from '../../kit/http/schemas/money.ts';
import { closed, Id } from '../../kit/http/schemas/shapes.ts';
import { Cost, ModeName, NewRewards, PointNameShown, reward, settings, Threshold } from './program.schema.ts';

const newColumns = {
  passId: Id,
  mode: ModeName,
  currency: Type.Optional(Currency),
  reward: Type.Optional(closed({ title: reward.title, cost: Type.Optional(reward.cost) })),
  ...Type.Partial(closed({ ...settings, pointName: PointNameShown })).properties,
};
const countsPoints = { currency: Type.Optional(Type.Null()), maxBalance: Type.Optional(Type.Null()) };
const NewPointsProgram = documentedWith(
  closed(
    {
      ...newColumns,
      ...countsPoints,
      mode: Type.Literal('POINTS'),
      reward: Type.Optional(closed({ title: reward.title, cost: Cost })),
      rewards: Type.Optional({ ...NewRewards, minItems: 1 }),
      threshold: Type.Optional(Type.Null()),
    },
    { $id: 'NewPointsProgram' },
  ),
  exactlyOneOf('reward', 'rewards'),
);
const NewStampsProgram = closed(
  {
    ...newColumns,
    ...countsPoints,
    mode: Type.Literal('STAMPS'),
    rewards: Type.Optional({ ...NewRewards, maxItems: 0 }),
    reward: closed({ title: reward.title, cost: Type.Optional(Type.Null()) }),
    threshold: Threshold,
  },
  { $id: 'NewStampsProgram' },
);
const NewMoneyProgram = closed(
  {
    passId: Id,
    mode: Type.Literal('MONEY'),
    currency: newColumns.currency,
    maxBalance: newColumns.maxBalance,
    pointName: newColumns.pointName,
    expiry: newColumns.expiry,
    limits: newColumns.limits,
  },
  { $id: 'NewMoneyProgram' },
);
export const NewProgram = named(
  'NewProgram',
  documentedAs(
    closed(newColumns),
    variants('mode', { POINTS: NewPointsProgram, STAMPS: NewStampsProgram, MONEY: NewMoneyProgram }),
  ),
);

/** A body that the reference shows for a new program. */
export const programExample = {
  passId: 'pass_01h455vb4pex5vsknk084sn02q',
  mode: 'STAMPS',
  reward: { title: 'Free coffee' },
  threshold: 10,
  earn: { perOrder: 1, minOrder: { amount: '2.50', currency: 'EUR' } },
};
