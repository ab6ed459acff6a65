import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../kit/http/api-error.ts';
import { parseMoney } from '../../kit/http/schemas/money.ts';
import { isExactRate } from './decimal.ts';
import { orderPoints } from './order-points.ts';
import type { EarnRule } from './program-row.ts';

const euros = (amount: string) => parseMoney('total', { amount, currency: 'EUR' });
const rule = (terms: Partial<EarnRule>): EarnRule => ({
  perCurrencyUnit: 0,
  perOrder: 0,
  minOrder: null,
  ...terms,
});
const refused = (message: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.code === 'invalid_request' && message.test(error.message);

/** A rate as its thousandths, which are whole. */
const rate = fc.integer({ min: 0, max: 1_000_000_000 }).map((thousandths) => ({
  thousandths,
  perCurrencyUnit: Number(
    `${Math.floor(thousandths / 1_000)}.${String(thousandths % 1_000).padStart(3, '0')}`,
  ),
}));
const perOrder = fc.integer({ min: 0, max: 1_000_000 });
const digits = fc.constantFrom(0, 2, 3, 4);

test('what orders earn', () => {
  const least = { amount: '10.00', currency: 'EUR' };
  const cases: [Partial<EarnRule>, amount: string, points: number][] = [
    [{ perCurrencyUnit: 1 }, '12.99', 12],
    [{ perCurrencyUnit: 1 }, '0.99', 0],
    [{ perCurrencyUnit: 0.1 }, '12.99', 1],
    [{ perCurrencyUnit: 2.5 }, '0.40', 1],
    [{ perCurrencyUnit: 2.5 }, '0.39', 0],
    [{ perCurrencyUnit: 0.001 }, '999.99', 0],
    [{ perCurrencyUnit: 0.001 }, '1000.00', 1],
    // 114.99999999999999 in floats.
    [{ perCurrencyUnit: 100 }, '1.15', 115],
    [{ perCurrencyUnit: 1.1 }, '10.00', 11],
    [{ perOrder: 1 }, '0.00', 0],
    [{ perOrder: 1 }, '0.01', 1],
    [{ perOrder: 5, perCurrencyUnit: 1 }, '3.50', 8],
    [{ perOrder: 1, minOrder: least }, '9.99', 0],
    [{ perOrder: 1, minOrder: least }, '10.00', 1],
    [{ perCurrencyUnit: 1, minOrder: least }, '10.50', 10],
    [{}, '10.50', 0],
  ];
  for (const [terms, amount, points] of cases)
    assert.equal(orderPoints(rule(terms), euros(amount)), points, JSON.stringify([terms, amount]));
});

test('the decimals of the currency count', () => {
  const perUnit = rule({ perCurrencyUnit: 2 });
  const inCurrency = (amount: string, currency: string) =>
    orderPoints(perUnit, parseMoney('total', { amount, currency }));
  assert.equal(inCurrency('150', 'JPY'), 300);
  assert.equal(inCurrency('1.500', 'KWD'), 3);
  assert.equal(inCurrency('1.2500', 'CLF'), 2);
});

test('it is the exact product, rounded down', () => {
  const minor = fc.integer({ min: 1, max: 2 ** 31 - 1 });
  fc.assert(
    fc.property(rate, perOrder, minor, digits, (per, order, amount, decimals) => {
      const { perCurrencyUnit, thousandths } = per;
      const total = { minor: amount, currency: 'EUR', digits: decimals };
      const points = BigInt(orderPoints(rule({ perCurrencyUnit, perOrder: order }), total) - order);
      const exact = BigInt(amount) * BigInt(thousandths);
      const unit = 1_000n * 10n ** BigInt(decimals);
      assert.ok(points * unit <= exact && exact < (points + 1n) * unit);
    }),
  );
});

test('more money never earns less, and nothing below the least order', () => {
  const amount = fc.nat(10_000_000);
  fc.assert(
    fc.property(rate, perOrder, amount, amount, amount, ({ perCurrencyUnit }, order, a, b, least) => {
      const terms = rule({
        perCurrencyUnit,
        perOrder: order,
        minOrder: {
          amount: `${Math.floor(least / 100)}.${String(least % 100).padStart(2, '0')}`,
          currency: 'EUR',
        },
      });
      const [less, more] = a < b ? [a, b] : [b, a];
      const pointsOf = (minor: number) => orderPoints(terms, { minor, currency: 'EUR', digits: 2 });
      assert.ok(pointsOf(less) <= pointsOf(more));
      if (less < least) assert.equal(pointsOf(less), 0);
    }),
  );
});

test('more points than a balance holds, and a total that cannot be compared, are refused', () => {
  const most = { minor: Number.MAX_SAFE_INTEGER, currency: 'JPY', digits: 0 };
  assert.equal(orderPoints(rule({ perCurrencyUnit: 1 }), most), Number.MAX_SAFE_INTEGER);
  const tooMany = refused(/^total\.amount: earns more points than a balance can hold\.$/);
  assert.throws(() => orderPoints(rule({ perCurrencyUnit: 1, perOrder: 1 }), most), tooMany);
  assert.throws(() => orderPoints(rule({ perCurrencyUnit: 1_000_000 }), most), tooMany);
  const inEuros = rule({ perOrder: 1, minOrder: { amount: '10.00', currency: 'EUR' } });
  assert.throws(() => orderPoints(inEuros, most), refused(/^total\.currency: .* in EUR, .* in JPY/));
});

test('a rate is exact up to three decimals', () => {
  for (const exact of [0, 1, 0.5, 0.001, 999_999.999, 1_000_000]) assert.ok(isExactRate(exact), `${exact}`);
  for (const other of [0.0001, 1e-7, 1.2345, -1, 0.1 + 0.2, 1e21, Number.NaN])
    assert.ok(!isExactRate(other), `${other}`);
});

test('money of another currency counts by its rate, exactly', () => {
  const rates = { JPY: '0.0061', USD: '0.92', KWD: '3', GBP: '1.1500000000' };
  const inEuros = (terms: Partial<EarnRule>) => rule({ currency: 'EUR', rates, ...terms });
  const cases: [Partial<EarnRule>, amount: string, currency: string, points: number][] = [
    [{ perCurrencyUnit: 1 }, '1000', 'EUR', 1000],
    [{ perCurrencyUnit: 1 }, '1000', 'JPY', 6],
    [{ perCurrencyUnit: 1 }, '163', 'JPY', 0],
    [{ perCurrencyUnit: 1 }, '164', 'JPY', 1],
    // 91.99999999999999 in floats
    [{ perCurrencyUnit: 100 }, '1.00', 'USD', 92],
    [{ perCurrencyUnit: 2.5 }, '0.334', 'KWD', 2],
    [{ perCurrencyUnit: 1 }, '0.333', 'KWD', 0],
    [{ perCurrencyUnit: 1 }, '100.00', 'GBP', 115],
    // A rule that counts no money, and has no least order, takes any currency.
    [{ perOrder: 3 }, '1', 'KRW', 3],
    [{ perOrder: 3, minOrder: { amount: '10.00', currency: 'EUR' } }, '1639', 'JPY', 0],
    [{ perOrder: 3, minOrder: { amount: '10.00', currency: 'EUR' } }, '1640', 'JPY', 3],
    [{ perOrder: 3, minOrder: { amount: '1640', currency: 'JPY' } }, '10.00', 'EUR', 0],
    [{ perOrder: 3, minOrder: { amount: '1640', currency: 'JPY' } }, '10.01', 'EUR', 3],
    [{ perOrder: 3, minOrder: { amount: '1640', currency: 'JPY' } }, '1640', 'JPY', 3],
  ];
  for (const [terms, amount, currency, points] of cases) {
    const total = parseMoney('total', { amount, currency });
    assert.equal(orderPoints(inEuros(terms), total), points, JSON.stringify([terms, amount, currency]));
  }
  const won = parseMoney('total', { amount: '1000', currency: 'KRW' });
  const noRate = refused(
    /^total\.currency: .* in EUR and has no rate for KRW\. .*\{"earn":\{"rates":\{"KRW":/,
  );
  assert.throws(() => orderPoints(inEuros({ perCurrencyUnit: 1 }), won), noRate);
  const least = { amount: '10.00', currency: 'EUR' };
  assert.throws(() => orderPoints(inEuros({ perOrder: 1, minOrder: least }), won), noRate);
});

test('a rate splits no point: what an order earns in another currency is the exact product, rounded down', () => {
  const digitsOfRate = fc.tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 0, max: 12 }));
  fc.assert(
    fc.property(rate, digitsOfRate, fc.integer({ min: 1, max: 10 ** 7 }), (per, [value, places], minor) => {
      const text = String(value).padStart(places + 1, '0');
      const cut = text.length - places;
      const jpy = places === 0 ? text : `${text.slice(0, cut)}.${text.slice(cut)}`;
      const { perCurrencyUnit, thousandths } = per;
      const exact = BigInt(minor) * BigInt(value) * BigInt(thousandths);
      const unit = 1_000n * 10n ** BigInt(places);
      fc.pre(exact / unit <= BigInt(Number.MAX_SAFE_INTEGER));
      const terms = rule({ perCurrencyUnit, currency: 'EUR', rates: { JPY: jpy } });
      const points = BigInt(orderPoints(terms, { minor, currency: 'JPY', digits: 0 }));
      assert.ok(points * unit <= exact && exact < (points + 1n) * unit);
    }),
  );
});
