import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateFormat, numberFormat, pluralRules } from './formats.ts';

test('formats of a locale and its options are made once', () => {
  const options = () => ({ style: 'percent' }) as const;
  assert.equal(numberFormat('de', options()), numberFormat('de', options()));
  assert.equal(pluralRules('de'), pluralRules('de'));
  assert.equal(dateFormat('de'), dateFormat('de'));
});

test('formats of other locales and options are others', () => {
  assert.equal(numberFormat('de').format(1234.5), '1.234,5');
  assert.equal(numberFormat('en').format(1234.5), '1,234.5');
  assert.equal(numberFormat('en', { style: 'percent' }).format(0.5), '50%');
  const day = new Date('2026-11-03T23:30:00Z');
  assert.equal(dateFormat('en', { dateStyle: 'short', timeZone: 'UTC' }).format(day), '11/3/26');
  assert.equal(dateFormat('de', { dateStyle: 'short', timeZone: 'UTC' }).format(day), '03.11.26');
});

test('a locale that Intl refuses is refused each time, and the others stay right beyond what is kept', () => {
  for (const _ of [1, 2]) assert.throws(() => numberFormat('no such tag'), RangeError);
  const first = numberFormat('en', { minimumFractionDigits: 0 });
  for (let digits = 1; digits <= 21; digits += 1)
    for (let decimals = 1; decimals <= 20; decimals += 1) {
      const format = numberFormat('en', { minimumIntegerDigits: digits, minimumFractionDigits: decimals });
      assert.equal(format.format(0).replaceAll(',', '').length, digits + 1 + decimals);
    }
  const again = numberFormat('en', { minimumFractionDigits: 0 });
  assert.notEqual(again, first, 'it was not kept for ever');
  assert.equal(again.format(1234), '1,234');
});
