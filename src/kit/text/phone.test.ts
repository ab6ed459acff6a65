import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countryOfZone } from './country.ts';
import { namesCountry, phoneNumber, phonePrefix } from './phone.ts';

describe('a telephone number in the form of E.164', () => {
  const numbers: readonly (readonly [text: string, country: string | null, number: string | null])[] = [
    // As they are dialled at home: which zero is dropped is a matter of the country.
    ['0171 1234567', 'DE', '+491711234567'],
    ['0171/123.45.67', 'DE', '+491711234567'],
    ['06 9686541', 'IT', '+39069686541'],
    ['07 89 88 12 34', 'CI', '+2250789881234'],
    ['8 (912) 345-67-89', 'RU', '+79123456789'],
    ['06 30 123 4567', 'HU', '+36301234567'],
    ['044 55 1234 5678', 'MX', '+525512345678'],
    ['01 55 1234 5678', 'MX', '+525512345678'],
    ['011 15 2345 6789', 'AR', '+5491123456789'],
    ['0 532 123 45 67', 'TR', '+905321234567'],
    ['212 555 1234', 'US', '+12125551234'],
    // With their country.
    ['+39 (0)6 9686541', null, '+39069686541'],
    ['+49 (0)171 1234567', null, '+491711234567'],
    ['+44 07911 123456', 'DE', '+447911123456'],
    ['+52 1 55 1234 5678', null, '+525512345678'],
    ['+54 11 15 2345 6789', null, '+5491123456789'],
    ['+7 8 912 345 67 89', null, '+79123456789'],
    ['+36 06 30 123 4567', null, '+36301234567'],
    ['0044 (0)20/7946-0958', null, '+442079460958'],
    ['(0049) 171 1234567', null, '+491711234567'],
    ['(+49) 171 1234567', 'FR', '+491711234567'],
    ['011 49 171 1234567', 'US', '+491711234567'],
    ['0011 49 171 1234567', 'AU', '+491711234567'],
    ['8~10 49 171 1234567', 'RU', '+491711234567'],
    ['tel:+49-171-1234567;ext=12', null, '+491711234567'],
    ['TEL:171-1234567;phone-context=+49', null, '+491711234567'],
    ['tel:%2B49%20171%201234567', null, '+491711234567'],
    ['+1 212 555 1234 ext. 5', null, '+12125551234'],
    // As they are pasted.
    ['\u202d+49\u00a0171\u202f1234567\u202c', null, '+491711234567'],
    ['\ufeff\u200e+49\u2011171\u20131234567\u200f', null, '+491711234567'],
    [
      '\uff0b\uff14\uff19\u3000\uff11\uff17\uff11 \uff11\uff12\uff13\uff14\uff15\uff16\uff17',
      null,
      '+491711234567',
    ],
    // In the digits of other scripts.
    ['\u0660\u0661\u0667\u0661 \u0661\u0662\u0663\u0664\u0665\u0666\u0667', 'DE', '+491711234567'],
    ['\u06f0\u06f9\u06f1\u06f2 \u06f3\u06f4\u06f5 \u06f6\u06f7\u06f8\u06f9', 'IR', '+989123456789'],
    ['\u0966\u096f\u096e\u0967 \u0967\u0968\u0969\u096a\u096b\u096c\u096d', 'IN', '+919811234567'],
    // None.
    ['0171 1234567', null, null],
    ['112', 'DE', null],
    ['call me', 'DE', null],
    ['+49', 'DE', null],
    ['+0171 1234567', 'DE', null],
    ['+999 123456', 'DE', null],
    ['+49+1711234567', 'DE', null],
    ['+4917112345678901', 'DE', null],
    ['0171 1234567 or 0171 7654321', 'DE', null],
    ['', 'DE', null],
  ];
  for (const [text, country, number] of numbers)
    it(`of ${JSON.stringify(text)}, ${country ?? 'no country'}`, () => {
      assert.equal(phoneNumber(text, country), number);
      // What was read once is read as the same again, wherever that is.
      if (number !== null) assert.equal(phoneNumber(number, 'JP'), number);
    });
});

it('says whether a number names its country', () => {
  for (const text of ['+49 171', '0049 171', '\uff0b49', '(00) 49', 'tel:+49171'])
    assert.ok(namesCountry(text), text);
  for (const text of ['0171', '171', '011 49', 'none']) assert.ok(!namesCountry(text), text);
});

it('goes from what was typed so far to the beginning of numbers', () => {
  for (const [text, country, prefix] of [
    ['0171 123', 'DE', '+49171123'],
    ['06 30', 'HU', '+3630'],
    ['069', 'IT', '+39069'],
    ['0049 17', null, '+4917'],
    ['+', 'DE', null],
    ['0171', null, null],
  ] as const)
    assert.equal(phonePrefix(text, country), prefix);
});

it('knows the country of a time zone that is of one', () => {
  for (const [zone, country] of [
    ['Europe/Berlin', 'DE'],
    ['Asia/Kolkata', 'IN'],
    ['Asia/Calcutta', 'IN'],
    ['Europe/Kyiv', 'UA'],
    ['UTC', null],
    ['Etc/GMT+5', null],
  ] as const)
    assert.equal(countryOfZone(zone), country);
});
