import { Type } from 'typebox';
import { closed, Id, nullable, oneOf, Timestamp } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import { type Ages, ageBounds } from '../ledger/ages.ts';

export const Day = Type.String({
  pattern: '^2[0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$',
  description: 'a day such as 2026-11-03, in the time zone of the workspace',
});

const ways = ['day', 'week', 'month', 'partner'] as const;
export const StatisticsBy = oneOf(ways);
export type By = (typeof ways)[number];

const counted = (description: string) => Type.Integer({ description });

const figures = {
  issued: counted('cards'),
  installed: counted('how often a wallet has taken a card'),
  removed: counted('how often a wallet has given one up'),
  voided: counted('cards; one that was voided twice counts twice'),
  reactivated: counted('voided cards'),
  erased: counted('cards whose person was erased; what is erased is void, and not counted there'),
  awards: counted('those of nothing, by a limit, among them'),
  rewardsUnlocked: counted('by stamps'),
  rewardsCancelled: counted('unlocked, and turned back since their stamps were undone'),
  rewardsRedeemed: counted('also those whose redemption was undone since'),
  reversals: counted('awards and redemptions that were undone, in part or as a whole'),
  pointsIn: counted('all that was added to balances'),
  pointsOut: counted('all that was taken from balances'),
  pointsEarned: counted('by awards'),
  pointsRedeemed: counted('by redemptions'),
  pointsUnlocked: counted('stamps that became a reward'),
  pointsCancelled: counted('stamps of rewards that were turned back'),
  pointsExpired: counted('less what was given back because its award was undone'),
  pointsAdjusted: counted('by hand and by imports; below zero: more was taken than given'),
  pointsReversed: counted('taken away again, of awards'),
  pointsReturned: counted('given back, of redemptions'),
};

/** What statistics count, as numbers. */
export type Figures = Record<keyof typeof figures, number>;

const activeHolders = nullable(
  Type.Integer({
    description:
      'cards with an award or a redemption in the period, each once; null for partners: one card may be active at several',
  }),
);

export const Statistics = closed(
  {
    by: StatisticsBy,
    passId: nullable(Id),
    partnerId: nullable(Id),
    timezone: Type.String(),
    from: Type.String({ description: 'the first day; of weeks and months, the first of the first one' }),
    to: Type.String({ description: 'the last day; of weeks and months, the last of the last one' }),
    isWhole: Type.Boolean({
      description:
        'false while something that has happened is yet to be counted: after an upgrade, or a great many changes',
    }),
    data: Type.Array(
      closed({
        day: nullable(Type.String({ description: 'the first day of the period; null for a partner' })),
        partnerId: nullable(Id),
        partner: nullable(Type.String({ description: 'its name' })),
        from: Timestamp,
        to: Type.String({
          ...Timestamp,
          description: 'ISO 8601, UTC: the end of the period, which is not part of it',
        }),
        activeHolders,
        ...figures,
      }),
      { description: 'periods, the first one first; or a page of partners, the newest first' },
    ),
    nextCursor: nullable(Type.String()),
    totals: closed(figures, { description: 'from the first day to the last' }),
    outstanding: nullable(
      closed({
        points: Type.Integer({ description: 'the sum of all balances, now' }),
        ages: nullable(
          closed(
            {
              at: Timestamp,
              days: Type.Array(
                closed({
                  from: Type.Integer(),
                  below: nullable(Type.Integer({ description: 'null: whatever is older' })),
                  points: Type.Integer(),
                }),
              ),
            },
            {
              description:
                'points by the days since they were credited, as of the last nightly audit: those that were credited last are taken for those that are left, and debts are left out; null before the first audit',
            },
          ),
        ),
      }),
    ),
    lists: nullable(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description:
          'of a pass: the lists that show what each figure counts. Ask them with createdAfter and createdBefore, which are from and to of a period; events are kept for 30 days',
      }),
    ),
  },
  { $id: 'Statistics' },
);

export const Visitors = closed(
  {
    passId: nullable(Id),
    timezone: Type.String(),
    from: Type.String({ description: 'the first day' }),
    to: Type.String({ description: 'the last day, which is not over' }),
    isWhole: Type.Boolean({ description: 'as of statistics' }),
    came: counted('cards that were awarded or redeemed in these days, each once'),
    new: counted('those of them that never were before'),
    returning: counted('the others'),
    away: closed({
      since: Type.String({ description: 'the day' }),
      cards: counted(
        'that were awarded or redeemed before that day, and on no day since; voided and erased ones among them',
      ),
    }),
    rewarded: counted('cards on which a reward waits; 10000: that many or more'),
  },
  { $id: 'Visitors' },
);

/** How often something has happened, and what it did to balances. */
export interface KindCount {
  readonly kind: string;
  readonly happened: number;
  readonly pointsIn: string;
  readonly pointsOut: string;
}

/** The figures that counts by kind make. */
export function figuresOf(counts: readonly KindCount[]): Figures {
  const of = (kind: string) => counts.find((one) => one.kind === kind);
  const happened = (kind: string) => of(kind)?.happened ?? 0;
  const added = (kind: string) => BigInt(of(kind)?.pointsIn ?? 0);
  const taken = (kind: string) => -BigInt(of(kind)?.pointsOut ?? 0);
  const net = (kind: string) => added(kind) - taken(kind);
  const sum = (all: readonly string[]) => all.reduce((total, one) => total + BigInt(one), 0n);
  return {
    issued: happened('issued'),
    installed: happened('installed'),
    removed: happened('removed'),
    voided: happened('voided'),
    reactivated: happened('reactivated'),
    erased: happened('erased'),
    awards: happened('earn'),
    rewardsUnlocked: happened('unlock'),
    rewardsCancelled: happened('cancel'),
    rewardsRedeemed: happened('redeem'),
    reversals: happened('reversal'),
    pointsIn: Number(sum(counts.map(({ pointsIn }) => pointsIn))),
    pointsOut: Number(-sum(counts.map(({ pointsOut }) => pointsOut))),
    pointsEarned: Number(net('earn')),
    pointsRedeemed: Number(-net('redeem')),
    pointsUnlocked: Number(-net('unlock')),
    pointsCancelled: Number(net('cancel')),
    pointsExpired: Number(-net('expire')),
    pointsAdjusted: Number(net('adjust') + net('import')),
    pointsReversed: Number(taken('reversal')),
    pointsReturned: Number(added('reversal')),
  };
}

/** Points of programs by their ages. */
export function presentAges(
  found: { readonly at: Date; readonly ages: readonly Ages[string][] } | undefined,
) {
  if (found === undefined) return null;
  const bounds = [0, ...ageBounds, null];
  const days = [...ageBounds, null].map((below, age) => ({
    from: bounds[age] ?? 0,
    below,
    points: Number(found.ages.reduce((sum, points) => sum + BigInt(points[age] ?? 0), 0n)),
  }));
  return { at: found.at.toISOString(), days };
}

/** The lists of a pass, and of a partner where one is given, that show what each figure counts. */
export function listsOf(passId: string, partnerId: string | null): Record<string, string[]> {
  const query = new URLSearchParams({
    passId: encodeId('pass', passId),
    ...(partnerId !== null && { partnerId: encodeId('part', partnerId) }),
  });
  const entries = (...kinds: readonly string[]) =>
    kinds.map((kind) => `/loyalty/entries?${query}&kind=${kind}`);
  // Events cannot be filtered by partner.
  const events = (kind: string) => (partnerId === null ? [`/events?${query}&type=instance.${kind}`] : []);
  const [all, earned, redeemed] = [[`/loyalty/entries?${query}`], entries('earn'), entries('redeem')];
  const cards = new URLSearchParams(query);
  cards.delete('passId');
  return {
    issued: [`/passes/${encodeId('pass', passId)}/instances${cards.size === 0 ? '' : `?${cards}`}`],
    installed: events('installed'),
    removed: events('removed'),
    voided: events('voided'),
    reactivated: events('reactivated'),
    erased: events('erased'),
    activeHolders: [...earned, ...redeemed],
    awards: earned,
    rewardsUnlocked: entries('unlock'),
    rewardsCancelled: entries('cancel'),
    rewardsRedeemed: redeemed,
    reversals: entries('reversal'),
    pointsIn: all,
    pointsOut: all,
    pointsEarned: earned,
    pointsRedeemed: redeemed,
    pointsUnlocked: entries('unlock'),
    pointsCancelled: entries('cancel'),
    pointsExpired: entries('expire'),
    pointsAdjusted: entries('adjust', 'import'),
    pointsReversed: entries('reversal'),
    pointsReturned: entries('reversal'),
  };
}
