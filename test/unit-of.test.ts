import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { en as words } from '../src/locales/en.ts';
import { unitIn } from '../web/shared/unit-in.ts';
import { de } from '../web/texts/de/units.ts';
import { en } from '../web/texts/en/units.ts';

const stamps = { mode: 'STAMPS', pointName: { one: 'stamp', other: 'stamps' } } as const;
const points = { mode: 'POINTS', pointName: { one: 'point', other: 'points' } } as const;
const beans = { mode: 'POINTS', pointName: { one: 'bean', other: 'beans' } } as const;

describe('what points are called at the till and in the console', () => {
  it('is what the shop says, or else a word of the language of the pages', () => {
    assert.deepEqual(
      [1, -1, 2, 0].map((count) => unitIn(en, stamps, count)),
      ['stamp', 'stamp', 'stamps', 'stamps'],
    );
    assert.deepEqual(
      [unitIn(de, stamps, 1), unitIn(de, points, 1), unitIn(de, points, 5)],
      ['Stempel', 'Punkt', 'Punkte'],
    );
    assert.deepEqual([unitIn(de, beans, 1), unitIn(de, beans, 2)], ['bean', 'beans']);
  });

  it('knows the names that a program begins with', () => {
    for (const mode of ['STAMPS', 'POINTS'] as const) {
      const { one, other } = words.program.nouns[mode];
      assert.deepEqual(en[mode], { one, other });
    }
  });
});
