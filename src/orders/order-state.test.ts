import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseMoney } from '../kit/http/schemas/money.ts';
import {
  lastVersion,
  learn,
  type OrderState,
  type OrderUpdate,
  pointsDue,
  refundedOf,
  unknownOrder,
  wasPaid,
} from './order-state.ts';

const euros = (minor: number) => ({ minor, currency: 'EUR', digits: 2 });
const rule = { perCurrencyUnit: 1, perOrder: 3, minOrder: null };

const state = fc.record({
  // Few of them, so that some updates are of the same moment.
  version: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constant(lastVersion)),
  paid: fc.boolean(),
  cancelled: fc.boolean(),
  total: fc.option(fc.integer({ min: 0, max: 10_000 }).map(euros)),
  placedAt: fc.option(fc.integer({ min: 0, max: 5 }).map((day) => new Date(day * 86_400_000))),
  number: fc.option(fc.constantFrom('#1001', '1001')),
});
const refund = fc.record({
  refundId: fc.constantFrom('r1', 'r2', 'r3'),
  amount: fc.integer({ min: 0, max: 5_000 }).map(euros),
});
const update: fc.Arbitrary<OrderUpdate> = fc.record({
  state: fc.option(state),
  refunds: fc.array(refund, { maxLength: 3 }),
});

const known = (all: readonly OrderUpdate[]) => all.reduce<OrderState>(learn, unknownOrder);

test('the same updates end in the same state, in any order and any number of times', () => {
  const updates = fc.array(update, { minLength: 1, maxLength: 6 }).chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray(
        all.flatMap((one, place) =>
          Array.from({ length: 1 + (place % 3) }, (_, copy) => ({ one, place, copy })),
        ),
        { minLength: all.flatMap((_, place) => Array.from({ length: 1 + (place % 3) })).length },
      ),
    ),
  );
  fc.assert(
    fc.property(updates, fc.boolean(), ([all, repeated], followsEdits) => {
      const [once, often] = [known(all), known(repeated.map(({ one }) => one))];
      // The order of the refunds does not matter.
      const plain = (order: OrderState) => ({ ...order, refunds: [...order.refunds].sort() });
      assert.deepEqual(plain(often), plain(once));
      assert.equal(pointsDue(often, rule, followsEdits), pointsDue(once, rule, followsEdits));
    }),
    { numRuns: 2_000 },
  );
});

test('more refunds never earn more, and refunds in full earn nothing', () => {
  fc.assert(
    fc.property(fc.array(update, { maxLength: 5 }), refund, fc.boolean(), (all, more, followsEdits) => {
      const before = known(all);
      const after = learn(before, { state: null, refunds: [more] });
      assert.ok(pointsDue(after, rule, followsEdits) <= pointsDue(before, rule, followsEdits));
      const whole = learn(before, { state: null, refunds: [{ refundId: 'whole', amount: euros(10_000) }] });
      if (before.currency !== null) assert.equal(pointsDue(whole, rule, followsEdits), 0);
    }),
    { numRuns: 2_000 },
  );
});

test('edits after the payment count only where they are followed', () => {
  const updateAt = (version: number, minor: number): OrderUpdate => ({
    state: {
      version,
      paid: true,
      cancelled: false,
      total: euros(minor),
      placedAt: null,
      number: null,
    },
    refunds: [],
  });
  for (const all of [
    [updateAt(1, 1_000), updateAt(2, 3_000)],
    [updateAt(2, 3_000), updateAt(1, 1_000)],
  ]) {
    const order = known(all);
    assert.equal(pointsDue(order, rule, false), 13);
    assert.equal(pointsDue(order, rule, true), 33);
  }
});

test('what was cancelled and is taken up again by the shop earns again, unless the caller has cancelled it', () => {
  const at = (version: number, cancelled: boolean): OrderUpdate => ({
    state: { version, paid: true, cancelled, total: euros(1_000), placedAt: null, number: null },
    refunds: [],
  });
  assert.equal(pointsDue(known([at(1, false), at(3, false), at(2, true)]), rule, false), 13);
  assert.equal(pointsDue(known([at(lastVersion, true), at(3, false)]), rule, false), 0);
});

test('an unpaid order earns nothing, and is not forgotten to have been paid once', () => {
  const at = (version: number, paid: boolean): OrderUpdate => ({
    state: {
      version,
      paid,
      cancelled: false,
      total: parseMoney('total', { amount: '10.00', currency: 'EUR' }),
      placedAt: null,
      number: null,
    },
    refunds: [],
  });
  assert.equal(wasPaid(known([at(1, false)])), false);
  assert.equal(wasPaid(known([at(2, false), at(1, true)])), true);
});

test('sums of refunds stay numbers', () => {
  const huge = { minor: Number.MAX_SAFE_INTEGER, currency: 'EUR', digits: 2 };
  const order = known([
    {
      state: { version: 0, paid: true, cancelled: false, total: huge, placedAt: null, number: null },
      refunds: [
        { refundId: 'a', amount: huge },
        { refundId: 'b', amount: huge },
      ],
    },
  ]);
  assert.equal(refundedOf(order), Number.MAX_SAFE_INTEGER);
  assert.equal(pointsDue(order, rule, false), 0);
});
