import fc from 'fast-check';
import type { Call, Target } from './calls.ts';
import type { Rules, World } from './world.ts';

/** A random step: it makes sense in every world, so that a sequence can be shortened anywhere. */
export type Move =
  | {
      readonly op: 'earn';
      readonly at: Place;
      readonly points: number;
      readonly ref: Ref;
      readonly daysAgo: number | null;
      readonly isOfOrder: boolean;
    }
  | { readonly op: 'redeem'; readonly at: Place; readonly ref: Ref }
  | {
      readonly op: 'adjust';
      readonly at: Place;
      readonly points: number;
      readonly isEarned: boolean;
      readonly ref: Ref;
    }
  /** Undoes one of the newest entries: of a kind that can be undone and was not, one that was or is an order's, or any. */
  | {
      readonly op: 'reverse';
      readonly back: number;
      readonly kind: 'earn' | 'redeem' | 'done' | 'any';
      readonly ref: Ref;
    }
  /** Undoes a part of what one of the newest orders has earned: this many points, or the rest. */
  | { readonly op: 'refund'; readonly back: number; readonly points: number }
  /** Sends an earlier call with a ref again, the n-th last; or another one with its ref. */
  | { readonly op: 'again'; readonly back: number; readonly differs: boolean }
  | { readonly op: 'void' | 'reactivate'; readonly at: Place }
  | { readonly op: 'issue'; readonly holder: number }
  | { readonly op: 'expire' }
  | { readonly op: 'preview'; readonly at: Place; readonly points: number }
  | { readonly op: 'look'; readonly holder: number }
  | { readonly op: 'setStatus'; readonly status: 'active' | 'paused' }
  | { readonly op: 'setPrice'; readonly price: number };

/** A card: one that a holder has or had, the n-th last, and how the caller calls it. */
interface Place {
  readonly holder: number;
  readonly back: number;
  readonly by: Target['by'];
}

/** Of the refs that were used last and are used next; null: none. */
type Ref = number | null;

/** Time passes, then calls are made, all at once. */
export interface Step {
  readonly waitMs: number;
  readonly moves: readonly Move[];
}

export interface Plan {
  readonly rules: Rules;
  readonly zone: string;
  readonly launched: boolean;
  readonly steps: readonly Step[];
}

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

function weighted<T>(...choices: (readonly [weight: number, value: T])[]): fc.Arbitrary<T> {
  return fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
}

const few = fc.integer({ min: 1, max: 12 });
/** Sometimes more than a hundred rewards; seldom more than a number holds. */
const points = fc.oneof(
  { weight: 150, arbitrary: few },
  { weight: 3, arbitrary: fc.constantFrom(40, 700) },
  { weight: 1, arbitrary: fc.constantFrom(2 ** 53 - 1, 2 ** 53 - 13, 2 ** 52) },
);
const signed = fc.tuple(points, fc.boolean()).map(([size, adds]) => (adds ? size : -size));
const fresh = 5;
const ref: fc.Arbitrary<Ref> = fc.option(fc.nat({ max: fresh }), { freq: 2 });
/** Most is done to one card, so that much meets there. */
const holder = weighted([6, 0], [2, 1], [2, 2]);
const at: fc.Arbitrary<Place> = fc.record({
  holder,
  back: weighted([12, 0], [1, 1]),
  by: fc.constantFrom('identifier', 'instanceId', 'barcode'),
});
const back = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 3 }) },
  { weight: 1, arbitrary: fc.nat({ max: 60 }) },
);

const daysAgo: fc.Arbitrary<number | null> = fc.option(fc.integer({ min: 1, max: 40 }), { freq: 3 });
const earn: fc.Arbitrary<Move> = fc.record({
  op: fc.constant('earn' as const),
  at,
  points,
  ref,
  daysAgo,
  isOfOrder: weighted([3, false], [1, true]),
});
const redeem: fc.Arbitrary<Move> = fc.record({ op: fc.constant('redeem' as const), at, ref });
const adjust: fc.Arbitrary<Move> = fc.record({
  op: fc.constant('adjust' as const),
  at,
  points: signed,
  isEarned: fc.boolean(),
  ref,
});
const reverse: fc.Arbitrary<Move> = fc.record({
  op: fc.constant('reverse' as const),
  back,
  kind: weighted<'earn' | 'redeem' | 'done' | 'any'>([14, 'earn'], [6, 'redeem'], [2, 'done'], [1, 'any']),
  ref,
});
const refund: fc.Arbitrary<Move> = fc.record({ op: fc.constant('refund' as const), back, points: few });
const repeat: fc.Arbitrary<Move> = fc.record({
  op: fc.constant('again' as const),
  back,
  differs: weighted([2, false], [1, true]),
});
/** The same call with a fresh ref, many times. */
const stutter: fc.Arbitrary<Move[]> = fc
  .tuple(fc.oneof(earn, redeem, adjust, reverse), fc.integer({ min: 2, max: 7 }))
  .map(([move, times]) => [
    { ...move, ref: fresh } as Move,
    ...Array<Move>(times).fill({ op: 'again', back: 0, differs: false }),
  ]);

const price = fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 5, max: 20 }));

/** Calls that may be made side by side. */
const sideBySide: fc.Arbitrary<Move> = fc.oneof(
  { weight: 34, arbitrary: earn },
  { weight: 16, arbitrary: redeem },
  { weight: 8, arbitrary: adjust },
  { weight: 20, arbitrary: reverse },
  { weight: 8, arbitrary: refund },
  { weight: 10, arbitrary: repeat },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('expire' as const) }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('preview' as const), at, points }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('look' as const), holder: fc.nat({ max: 1 }) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('void' as const), at }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('reactivate' as const), at }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('issue' as const), holder: fc.nat({ max: 1 }) }) },
);

/** Calls about the program. They do not wait for those of cards, which go by the program as they found it. */
const alone: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('setStatus' as const),
      status: weighted<'active' | 'paused'>([5, 'active'], [1, 'paused']),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant('setPrice' as const), price }),
  },
);

const waitMs = weighted(
  [30, 0],
  [4, 20 * second],
  [4, 60 * second],
  [3, 7 * hour],
  [2, day],
  [2, 12 * day],
  [1, 33 * day],
);

const rules: fc.Arbitrary<Rules> = fc.record({
  mode: fc.constantFrom('POINTS', 'STAMPS'),
  title: fc.constant('Free coffee'),
  price,
  months: weighted<number | null>([1, null], [2, 1], [1, 2]),
  perDay: weighted<number | null>([3, null], [1, 25]),
  minSecondsBetween: weighted<number | null>([4, null], [1, 60]),
  refundPolicy: fc.constantFrom('debt', 'within_balance'),
});

const firstCard = { holder: 0, back: 0, by: 'instanceId' } as const;
/** Points are earned, spent, and undone; then what they leave owing meets what pays it. */
const debt: fc.Arbitrary<Step[]> = fc
  .record({
    size: fc.integer({ min: 6, max: 25 }),
    isRedeemed: fc.boolean(),
    pays: fc.oneof(earn, reverse),
  })
  .map(({ size, isRedeemed, pays }) => {
    const moves: Move[] = [
      { op: 'earn', at: firstCard, points: size, ref: null, daysAgo: null, isOfOrder: false },
      isRedeemed
        ? { op: 'redeem', at: firstCard, ref: null }
        : { op: 'adjust', at: firstCard, points: -size, isEarned: false, ref: null },
      { op: 'reverse', back: 0, kind: 'earn', ref: null },
      pays.op === 'reverse' ? { ...pays, back: 0, kind: 'redeem' } : pays,
    ];
    return moves.map((move) => ({ waitMs: 0, moves: [move] }));
  });

/** Points are earned, and their time runs out before a call uses them. */
const late: fc.Arbitrary<Step[]> = fc
  .record({
    size: few,
    wait: fc.integer({ min: 31, max: 100 }),
    next: fc.oneof(redeem, redeem, adjust, earn),
  })
  .map(({ size, wait, next }) => [
    {
      waitMs: 0,
      moves: [{ op: 'earn', at: firstCard, points: size, ref: null, daysAgo: null, isOfOrder: false }],
    },
    { waitMs: wait * day, moves: [{ ...next, at: firstCard }] },
  ]);

/** Points of one day are earned, some of them are spent, and the others expire before they are undone. */
const tooLate: fc.Arbitrary<Step[]> = fc
  .record({
    sizes: fc.array(few, { minLength: 1, maxLength: 3 }),
    isOfOrder: fc.boolean(),
    spends: fc.option(fc.oneof(redeem, adjust)),
    wait: fc.integer({ min: 31, max: 100 }),
    parts: fc.array(few, { minLength: 1, maxLength: 3 }),
  })
  .map(({ sizes, isOfOrder, spends, wait, parts }) => {
    const moves: Move[] = sizes.map((size) => {
      return { op: 'earn', at: firstCard, points: size, ref: null, daysAgo: null, isOfOrder };
    });
    if (spends !== null) moves.push({ ...spends, at: firstCard } as Move);
    const undoing = parts.map((size): Move => {
      return isOfOrder ? refundOf(size) : { op: 'reverse', back: 0, kind: 'earn', ref: null };
    });
    return [
      ...moves.map((move) => ({ waitMs: 0, moves: [move] })),
      { waitMs: wait * day, moves: [{ op: 'expire' }] },
      ...undoing.map((move) => ({ waitMs: 0, moves: [move] })),
    ];
  });

function refundOf(points: number): Move {
  return { op: 'refund', back: 0, points };
}

/** Sequences of `width` calls side by side at most, and of twice `length` steps, half of that on average. */
export function plans(length: number, width: number): fc.Arbitrary<Plan> {
  const mixed = fc.array(sideBySide, { minLength: Math.min(2, width), maxLength: width, size: 'max' });
  // Calls of one kind share transactions.
  const alike = [earn, redeem, adjust, reverse, refund, repeat].map((move) =>
    fc.array(move, { minLength: Math.min(4, width), maxLength: width, size: 'max' }),
  );
  const bursts = width === 1 ? mixed : fc.oneof(mixed, mixed, fc.oneof(...alike), stutter);
  const step = fc.record({
    waitMs,
    moves: fc.oneof({ weight: 16, arbitrary: bursts }, { weight: 1, arbitrary: fc.tuple(alone) }),
  });
  return fc.record({
    rules,
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/Santiago', 'Pacific/Auckland'),
    launched: weighted([19, true], [1, false]),
    steps: fc
      .array(
        fc.oneof(
          { weight: 16, arbitrary: step.map((one) => [one]) },
          { weight: 2, arbitrary: debt },
          { weight: 1, arbitrary: late },
          { weight: 1, arbitrary: tooLate },
        ),
        {
          minLength: 1,
          maxLength: 2 * length,
          size: 'max',
        },
      )
      .map((parts) => parts.flat()),
  });
}

/** The call that a move means in this world; null when there is nothing yet that it could be about. */
export function callOf(move: Move, world: World, sent: readonly Call[]): Call | null {
  switch (move.op) {
    case 'earn': {
      const { op, points: size, isOfOrder } = move;
      const occurredAt = move.daysAgo === null ? null : world.now - move.daysAgo * day;
      const drawn = refOf(move.ref, world);
      const target = targetOf(move.at, world);
      return { op, target, points: size, ref: isOfOrder ? null : drawn, occurredAt, isOfOrder };
    }
    case 'redeem':
      return { op: move.op, target: targetOf(move.at, world), ref: refOf(move.ref, world) };
    case 'adjust': {
      const { op, points: size, isEarned } = move;
      return { op, target: targetOf(move.at, world), points: size, isEarned, ref: refOf(move.ref, world) };
    }
    case 'reverse': {
      const entryId = entryOf(move, world);
      return entryId === null ? null : { op: move.op, entryId, ref: refOf(move.ref, world) };
    }
    case 'refund': {
      const open = openOrders(world);
      const order = nthLast(open, move.back);
      if (order === undefined) return null;
      return { op: move.op, entryId: order.entryId, points: Math.min(order.left, move.points) };
    }
    case 'again': {
      const withRef = sent.filter((call) => 'ref' in call && call.ref !== null);
      const call = nthLast(withRef, move.back) ?? null;
      return call !== null && 'points' in call && move.differs
        ? { ...call, points: call.points === 7 ? 8 : 7 }
        : call;
    }
    case 'void':
    case 'reactivate':
      return { op: move.op, instanceId: cardOf(move.at, world).instanceId };
    case 'preview':
      return { op: move.op, target: targetOf(move.at, world), points: move.points };
    case 'look': {
      const { identifier, cards } = holderAt(move.holder, world);
      const isSeen = identifier !== null && cards.some(({ voided }) => !voided);
      return isSeen ? { op: move.op, identifier } : null;
    }
    case 'issue':
      return { op: move.op, identifier: world.holders[move.holder]?.identifier ?? 'nobody' };
    default:
      return move;
  }
}

function entryOf(
  { back: place, kind: wanted }: Move & { op: 'reverse' },
  { holders, otherEntries }: World,
): string | null {
  const own = holders.flatMap(({ account }) =>
    (account?.entries ?? [])
      .filter(({ kind, seq, isOfOrder }) => {
        const isDone = isOfOrder || account?.reversed.has(seq) === true;
        if (wanted === 'done') return isDone && ['earn', 'redeem'].includes(kind);
        return wanted === 'any' || (kind === wanted && !isDone);
      })
      .map(({ id }) => id),
  );
  const known = [...(wanted === 'any' ? otherEntries : []), ...own].filter((id) => id !== null);
  return nthLast(known.sort(), place) ?? null;
}

/** The orders of which something can be undone yet, the newest last. */
function openOrders({ holders }: World): { entryId: string; left: number }[] {
  return holders
    .flatMap(({ account }) =>
      (account?.entries ?? []).flatMap(({ id, seq, points: earned, isOfOrder }) =>
        id === null || !isOfOrder ? [] : [{ entryId: id, left: earned - (account?.refunded.get(seq) ?? 0) }],
      ),
    )
    .filter(({ left }) => left > 0)
    .sort((a, b) => (a.entryId < b.entryId ? -1 : 1));
}

function targetOf({ by, ...place }: Place, world: World): Target {
  const { identifier } = holderAt(place.holder, world);
  if (by === 'identifier' && identifier !== null) return { by, value: identifier };
  const spelling = by === 'identifier' ? 'instanceId' : by;
  return { by: spelling, value: cardOf({ by, ...place }, world)[spelling] };
}

function cardOf(place: Place, world: World) {
  const card = nthLast(holderAt(place.holder, world).cards, place.back);
  if (card === undefined) throw new Error('a holder without cards');
  return card;
}

function holderAt(index: number, { holders }: World) {
  const one = holders[index % holders.length];
  if (one === undefined) throw new Error('a world without holders');
  return one;
}

/** Refs are numbered: those below the number of claims are likely to be taken. */
function refOf(choice: Ref, { claims }: World): string | null {
  return choice === null ? null : `ref ${Math.max(0, claims.size + choice - 3)}`;
}

function nthLast<T>(list: readonly T[], back: number): T | undefined {
  return list.length === 0 ? undefined : list[list.length - 1 - (back % list.length)];
}
