import assert from 'node:assert/strict';
import { it } from 'node:test';
import { backOff, spreadBackOff } from './back-off.ts';

it('rests twice as long each time, up to the most', () => {
  const rests = [0, 1, 2, 3, 4, 2_000].map((times) => backOff({ firstMs: 10, mostMs: 70 }, times));
  assert.deepEqual(rests, [10, 20, 40, 70, 70, 70]);
  assert.equal(backOff({ firstMs: 0, mostMs: 70 }, 2_000), 0);
});

it('is spread, and never shorter than what was asked for', () => {
  const rest = { firstMs: 100, mostMs: 1_000 };
  const rests = (times: number, leastMs?: number) =>
    Array.from({ length: 50 }, () => spreadBackOff(rest, times, leastMs));
  assert.ok(rests(1).every((ms) => ms >= 200 && ms <= 300));
  assert.ok(new Set(rests(1)).size > 1);
  assert.ok(rests(1, 90_000).every((ms) => ms >= 90_000 && ms <= 90_100));
});
