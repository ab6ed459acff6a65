import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FieldFormat, misfitOf, writtenValue } from './field-formats.ts';

const euro = { format: 'currency', currency: 'EUR' } as const;
const yen = { format: 'currency', currency: 'JPY' } as const;

describe('the format of a field', () => {
  const good: readonly (readonly [FieldFormat, ...string[]])[] = [
    ['text', 'anything', '12,5'],
    ['number', '0', '-3', '1200', '12.5', '999999999999.123456'],
    ['percent', '12.5', '100'],
    ['date', '2027-03-01', '2028-02-29'],
    ['time', '00:00', '23:59'],
    ['dateTime', '2027-03-01T18:30:00Z', '2027-03-01T18:30+01:00', '2027-03-01T18:30:00.5-03:30'],
    ['relative', '2027-03-01T18:30:00Z'],
  ];
  const bad: readonly (readonly [FieldFormat, ...string[]])[] = [
    ['number', '1,200', '12.', '.5', '1e3', '+1', ' 1', 'NaN', '1234567890123', '0.1234567', '0x10'],
    ['percent', '12 %', '12,5'],
    ['date', '2027-02-29', '2027-3-1', '01.03.2027', '2027-03-01T00:00:00Z', '2027-13-01', '0000-01-01'],
    ['time', '24:00', '7:30', '18:60', '18:30:00'],
    [
      'dateTime',
      '2027-03-01T18:30:00',
      '2027-02-30T18:30:00Z',
      '2027-03-01',
      '2027-03-01T25:00:00Z',
      '2027-03-01T18:30:00+1:00',
    ],
    ['relative', 'tomorrow'],
  ];

  it('takes what it can write, and says of anything else what it should be', () => {
    for (const [format, ...values] of good)
      for (const value of values) assert.equal(misfitOf({ format }, value), null, `${format} ${value}`);
    for (const [format, ...values] of bad)
      for (const value of values)
        assert.match(misfitOf({ format }, value) ?? '', /^must be .* such as/, `${format} ${value}`);
    for (const value of [null, '']) assert.equal(misfitOf({ format: 'date' }, value), null);
  });

  it('counts the decimals of the currency', () => {
    for (const value of ['12', '12.5', '12.50', '-3.00']) assert.equal(misfitOf(euro, value), null);
    assert.equal(misfitOf(euro, '12.505'), 'must be an amount of EUR such as 12.00.');
    assert.equal(misfitOf(yen, '1200'), null);
    assert.equal(misfitOf(yen, '12.5'), 'must be an amount of JPY such as 12.');
  });

  const written = (
    format: FieldFormat,
    value: string,
    locale: string,
    timezone = 'Europe/Berlin',
    currency = 'EUR',
  ) =>
    writtenValue(
      { format, value, ...(format === 'currency' && { currency }) },
      { locale, timezone },
    )?.replaceAll(/[\u00a0\u202f]/g, ' ');

  it('writes values in the language of the reader, and moments by the clocks of the shop', () => {
    assert.equal(written('number', '1234.5', 'de'), '1.234,5');
    assert.equal(written('number', '999999999999.123456', 'en'), '999,999,999,999.123456');
    assert.equal(written('percent', '12.5', 'fr'), '12,5 %');
    assert.equal(written('percent', '7', 'en'), '7%');
    assert.equal(written('currency', '12.5', 'de'), '12,50 €');
    assert.equal(written('currency', '1200', 'ja', 'Asia/Tokyo', 'JPY'), '￥1,200');
    assert.equal(written('date', '2027-03-01', 'en'), 'Mar 1, 2027');
    assert.equal(written('date', '2027-03-01', 'de', 'Pacific/Auckland'), '01.03.2027');
    assert.equal(written('time', '18:30', 'en'), '6:30 PM');
    assert.equal(written('dateTime', '2027-03-01T18:30:00Z', 'de'), '01.03.2027, 19:30');
    assert.equal(
      written('relative', '2027-07-01T18:30:00-04:00', 'de', 'America/New_York'),
      '01.07.2027, 18:30',
    );
  });

  it('leaves texts as they are, and values that are older than the format', () => {
    assert.equal(written('text', '1234.5', 'de'), '1234.5');
    assert.equal(written('date', 'next week', 'de'), 'next week');
  });
});
