import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConcurrencyLimit } from './concurrency-limit.ts';

/** Lets a caller in as often as it may; how often that was. */
function fill(limit: ConcurrencyLimit, caller: string): number {
  let count = 0;
  for (; !limit.isFull(caller); count++) limit.enter(caller);
  return count;
}

test('a caller alone gets half of the places, and there is room for others', () => {
  const limit = new ConcurrencyLimit(12);
  assert.equal(fill(limit, 'ada'), 6);
  assert.equal(limit.isFull('bea'), false);
  assert.equal(fill(limit, 'bea'), 4);
  assert.equal(limit.isPacked, false);
  assert.equal(limit.isFull('eve'), false);
});

test('no caller gets a permit beyond the limit', () => {
  const limit = new ConcurrencyLimit(12);
  let inside = 0;
  for (let n = 0; n < 50; n++)
    if (!limit.isFull(`caller ${n}`)) {
      limit.enter(`caller ${n}`);
      inside++;
    }
  assert.equal(inside, 12);
  assert.equal(limit.isPacked, true);
  limit.leave('caller 3', 1);
  assert.equal(limit.isFull('caller 4'), true, 'who has one already waits for the others');
  assert.equal(limit.isFull('caller 60'), false);
});

test('a caller who has left is forgotten', () => {
  const limit = new ConcurrencyLimit(4);
  for (let n = 0; n < 100; n++) {
    limit.enter(`caller ${n}`);
    limit.leave(`caller ${n}`, 1);
  }
  assert.equal(fill(limit, 'ada'), 2);
});

/** Serves calls of a caller, one after the other, next to those that are running already. */
function serve(limit: ConcurrencyLimit, times: number, ms: number): void {
  for (let n = 0; n < times; n++) {
    limit.enter('ada');
    limit.leave('ada', ms);
  }
}

test('there are fewer places while a limit makes everything slow, and all of them again afterwards', () => {
  const limit = new ConcurrencyLimit(400);
  assert.equal(fill(limit, 'ada'), 200);
  serve(limit, 32 * 50, 2_000);
  for (let n = 0; n < 200; n++) limit.leave('ada', 2_000);
  assert.equal(fill(limit, 'bea'), 8, 'half of the fewest');
  for (let n = 0; n < 8; n++) limit.leave('bea', 10);
  serve(limit, 32 * 50, 10);
  assert.equal(fill(limit, 'bea'), 200);
});

test('calls that are slow by themselves take no places away, and give back what a limit has taken', () => {
  const limit = new ConcurrencyLimit(400);
  serve(limit, 32 * 50, 2_000);
  assert.equal(fill(limit, 'bea'), 200);
  serve(limit, 32 * 50, 2_000);
  for (let n = 0; n < 200; n++) limit.leave('bea', 2_000);
  serve(limit, 32 * 50, 2_000);
  assert.equal(fill(limit, 'bea'), 200);
});

test('a third of all that waits for a lock of its own takes no place from the others', () => {
  const limit = new ConcurrencyLimit(400);
  for (let n = 0; n < 3_200; n++) {
    limit.enter('ada');
    limit.leave('ada', n % 3 === 0 ? 2_000 : 20);
  }
  assert.equal(fill(limit, 'bea'), 200);
});
