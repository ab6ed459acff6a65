import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseMoney, presentMoney } from '../src/kit/http/schemas/money.ts';
import { currencies } from '../src/kit/money/currencies.ts';
import { digitsOf } from '../src/kit/money/digits.ts';
import { shownAmount } from '../src/kit/money/shown-amount.ts';
import { typedAmount } from '../web/shared/typed-amount.ts';

test('an amount is taken as it is typed or pasted', () => {
  const amounts: readonly (readonly [typed: string, currency: string, amount: string])[] = [
    ['12,50', 'EUR', '12.50'],
    [' 12.5 ', 'EUR', '12.50'],
    ['12', 'EUR', '12.00'],
    ['12,', 'EUR', '12.00'],
    [',5', 'EUR', '0.50'],
    ['007', 'EUR', '7.00'],
    ['1.234,50', 'EUR', '1234.50'],
    ['1,234.50', 'EUR', '1234.50'],
    ['1 234,50', 'EUR', '1234.50'],
    ['1\u202f234\u00a0567,5', 'EUR', '1234567.50'],
    ['1\u2009234', 'EUR', '1234.00'],
    ['1’234.50', 'CHF', '1234.50'],
    ["1'234'567.5", 'CHF', '1234567.50'],
    ['12,34,567.50', 'INR', '1234567.50'],
    ['1.234.567', 'EUR', '1234567.00'],
    ['1,000', 'JPY', '1000'],
    ['1.000.000', 'VND', '1000000'],
    ['1000,5', 'HUF', '1000.50'],
    ['1,234', 'KWD', '1.234'],
    ['1,234.5', 'KWD', '1234.500'],
    ['1,2345', 'CLF', '1.2345'],
    ['١٢٫٥', 'EUR', '12.50'],
    ['١٬٢٣٤٫٥٠', 'AED', '1234.50'],
    ['۱۲۳', 'IRR', '123.00'],
    ['१२,५', 'INR', '12.50'],
    ['１２．５', 'JPY', '12.5'],
    ['\u202a12,50\u202c', 'EUR', '12.50'],
    ['90071992547409.91', 'EUR', '90071992547409.91'],
  ];
  for (const [typed, currency, amount] of amounts)
    assert.equal(typedAmount(typed, currency), amount, `${typed} ${currency}`);
});

test('what could be two amounts, and what is none, is left for the API to refuse', () => {
  for (const [typed, currency] of [
    ['1.234', 'EUR'],
    ['1,234', 'HUF'],
    ['12,345', 'EUR'],
    ['12.5', 'JPY'],
    ['1,23', 'JPY'],
    ['1.2345', 'KWD'],
    ['12 34', 'EUR'],
    ['1,23,4', 'EUR'],
    ['1.234,567,8', 'EUR'],
    ['', 'EUR'],
    [',', 'EUR'],
    ['-1', 'EUR'],
    ['1e3', 'EUR'],
    ['12²', 'EUR'],
    ['½', 'EUR'],
    ['zwölf', 'EUR'],
  ] as const)
    assert.throws(
      () => parseMoney('amount', { amount: typedAmount(typed, currency), currency }),
      /amount/,
      typed,
    );
});

test('each currency is shown with the decimals that it is counted with, and nothing is rounded', () => {
  const shown = (amount: string, currency: string) =>
    shownAmount({ amount, currency }, 'en')
      .replaceAll(/[^\d.,]/g, '')
      .replace(/^[.,]+/, '');
  assert.equal(shown('1000.50', 'HUF'), '1,000.50');
  for (const code of 'COP IDR PKR LBP AFN ALL IRR KPW LAK MGA MMK SLL SOS SYP YER'.split(' '))
    assert.equal(shown('1000.50', code), '1,000.50', code);
  assert.equal(shown('1000.505', 'IQD'), '1,000.505');
  assert.equal(shown('1000', 'JPY'), '1,000');
  assert.equal(shown('1000.5000', 'UYW'), '1,000.5000');
  assert.equal(shown('9007199254740993.00', 'COP'), '9,007,199,254,740,993.00');
  assert.equal(shown('1.005', 'EUR'), '1.005', 'of a line of an order, as it was sent');
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.constantFrom(...currencies), (minor, currency) => {
      const { amount } = presentMoney({ minor, currency, digits: digitsOf(currency) });
      assert.equal(shown(amount, currency).replaceAll(',', ''), amount);
      assert.equal(typedAmount(amount, currency), amount);
      assert.equal(typedAmount(shown(amount, currency), currency), amount);
    }),
  );
});
