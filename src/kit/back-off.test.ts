import assert from 'node:assert/strict';
import { it } from 'node:test';
import { backOff } from './back-off.ts';

it('rests twice as long each time, up to the most', () => {
  const rests = [0, 1, 2, 3, 4, 2_000].map((times) => backOff({ firstMs: 10, mostMs: 70 }, times));
  assert.deepEqual(rests, [10, 20, 40, 70, 70, 70]);
  assert.equal(backOff({ firstMs: 0, mostMs: 70 }, 2_000), 0);
});
