import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FieldFormat, misfitOf, opens, writtenValue } from './field-formats.ts';

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
    ['link', 'https://bean.example', 'HTTP://bean.example/menu?a=1&b=2#c', 'https://bücher.example/ä'],
    ['phone', '+49 30 1234567', '030/12345-67', '(030) 123'.slice(1)],
    ['email', 'shop@bean.example', 'a?b&c@bean.example'],
    ['address', 'Main St 1\n10115 Berlin'],
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
    [
      'link',
      'bean.example',
      'javascript:alert(1)',
      'https://',
      'https://user:secret@bean.example',
      'https://a b',
    ],
    ['link', 'https://bean.example/"><b>', 'tel:123', 'ftp://bean.example'],
    ['phone', 'call us', '12', '+', 'tel:123456'],
    ['email', 'bean.example', 'a b@bean.example', 'a@b', '<a@bean.example>'],
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

  it('opens what a value leads to, and nothing else', () => {
    const opened = (format: FieldFormat, value: string | null) => opens({ format, value });
    assert.equal(opened('link', 'HTTPS://Bean.example/Menu?a=1&b=2'), 'https://bean.example/Menu?a=1&b=2');
    assert.equal(opened('phone', '+49 (30) 123-45'), 'tel:+493012345');
    assert.equal(opened('email', 'a?b&c@bean.example'), 'mailto:a%3Fb%26c@bean.example');
    assert.equal(
      opened('address', 'Main St 1, Berlin & more'),
      'https://www.google.com/maps/search/?api=1&query=Main%20St%201%2C%20Berlin%20%26%20more',
    );
    for (const [format, value] of [
      ['link', 'javascript:alert(1)'],
      ['phone', 'call us'],
      ['link', null],
      ['address', ''],
      ['text', 'https://bean.example'],
      ['number', '12'],
    ] as const)
      assert.equal(opened(format, value), null);
    assert.equal(written('link', 'https://bean.example/menu/', 'de'), 'bean.example/menu');
    assert.equal(written('link', 'https://bean.example/', 'de'), 'bean.example');
    assert.equal(written('phone', '+49 30 1234567', 'de'), '+49 30 1234567');
  });

  it('leaves texts as they are, and values that are older than the format', () => {
    assert.equal(written('text', '1234.5', 'de'), '1234.5');
    assert.equal(written('date', 'next week', 'de'), 'next week');
  });
});
