import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../api-error.ts';
import { parseMoney, presentMoney } from './money.ts';

const refused = (message: string) => (error: unknown) =>
  error instanceof ApiError && error.code === 'invalid_request' && error.message === message;

test('an amount is read exactly, in the smallest unit of its currency', () => {
  const amounts: [string, string, minor: number, digits: number][] = [
    ['0', 'EUR', 0, 2],
    ['12.50', 'EUR', 1_250, 2],
    ['12.5', 'EUR', 1_250, 2],
    ['12', 'USD', 1_200, 2],
    ['0.01', 'GBP', 1, 2],
    ['1.10', 'CHF', 110, 2],
    // Products of floats are 1.1500000000000001 and 57.99999999999999 cents away.
    ['1.15', 'EUR', 115, 2],
    ['0.58', 'EUR', 58, 2],
    ['90071992547409.91', 'EUR', Number.MAX_SAFE_INTEGER, 2],
    ['1500', 'JPY', 1_500, 0],
    ['9007199254740991', 'KRW', Number.MAX_SAFE_INTEGER, 0],
    ['7', 'UYI', 7, 0],
    ['1.234', 'KWD', 1_234, 3],
    ['1.2', 'TND', 1_200, 3],
    ['1.2345', 'CLF', 12_345, 4],
    ['1', 'UYW', 10_000, 4],
    // Of ISO 4217, and unknown to Intl.
    ...'VED XAD CHE CHW COU MXV USN BOV'
      .split(' ')
      .map((code): [string, string, number, number] => ['1.5', code, 150, 2]),
    // Withdrawn: orders of before are in them.
    ...'BGN HRK ANG CUC SLL ZWL'
      .split(' ')
      .map((code): [string, string, number, number] => ['1.5', code, 150, 2]),
    // Intl has fewer decimals for these.
    ['1000.50', 'HUF', 100_050, 2],
    ['1000.505', 'IQD', 1_000_505, 3],
  ];
  for (const [amount, currency, minor, digits] of amounts)
    assert.deepEqual(parseMoney('total', { amount, currency }), { minor, currency, digits }, amount);
});

test('what is no amount of a currency is refused, with a message that says what to fix', () => {
  const wrong: [string, string, message: string][] = [
    ['1.234', 'EUR', 'total.amount: EUR has at most 2 decimals.'],
    ['1.000', 'EUR', 'total.amount: EUR has at most 2 decimals.'],
    ['1.0', 'JPY', 'total.amount: JPY has no decimals.'],
    ['1.2345', 'BHD', 'total.amount: BHD has at most 3 decimals.'],
    ['1.23456', 'CLF', 'total.amount: CLF has at most 4 decimals.'],
    ['90071992547409.92', 'EUR', 'total.amount: is too large.'],
    ['9007199254740992', 'JPY', 'total.amount: is too large.'],
    ['1', 'EUU', 'total.currency: "EUU" is no currency of ISO 4217.'],
    ['1', 'eur', 'total.currency: "eur" is no currency of ISO 4217.'],
    ...['XAU', 'XXX', 'XTS', 'XUA', 'DEM', 'BTC'].map((code): [string, string, string] => [
      '1',
      code,
      `total.currency: "${code}" is no currency of ISO 4217.`,
    ]),
    ['1', '', 'total.currency: "" is no currency of ISO 4217.'],
    ...['', '-1', '+1', '1.', '.5', '1,5', '1e3', '0x10', ' 1', '1 ', '١', 'NaN'].map(
      (amount): [string, string, string] => [
        amount,
        'EUR',
        'total.amount: must be a decimal number such as "12.50", in quotes.',
      ],
    ),
  ];
  for (const [amount, currency, message] of wrong)
    assert.throws(() => parseMoney('total', { amount, currency }), refused(message), `${amount} ${currency}`);
});

test('an amount is written with all decimals of its currency, and is the same when read again', () => {
  const currency = fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF', 'UGX');
  fc.assert(
    fc.property(fc.maxSafeNat(), currency, (minor, code) => {
      const { digits } = parseMoney('total', { amount: '0', currency: code });
      const text = presentMoney({ minor, currency: code, digits });
      assert.match(text.amount, digits === 0 ? /^\d+$/ : new RegExp(`^\\d+\\.\\d{${digits}}$`));
      assert.deepEqual(parseMoney('total', text), { minor, currency: code, digits });
    }),
  );
  assert.deepEqual(presentMoney({ minor: 5, currency: 'EUR', digits: 2 }), {
    amount: '0.05',
    currency: 'EUR',
  });
});
