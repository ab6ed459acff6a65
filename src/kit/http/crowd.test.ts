import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Crowd } from './crowd.ts';

/** Lets a caller in as often as it may; how often that was. */
function fill(crowd: Crowd, caller: string): number {
  let count = 0;
  for (; !crowd.isFull(caller); count++) crowd.enter(caller);
  return count;
}

test('a caller alone gets half of the places, and there is room for others', () => {
  const crowd = new Crowd(12);
  assert.equal(fill(crowd, 'ada'), 6);
  assert.equal(crowd.isFull('bea'), false);
  assert.equal(fill(crowd, 'bea'), 4);
  assert.equal(crowd.isPacked, false);
  assert.equal(crowd.isFull('eve'), false);
});

test('no more than all places are taken, whoever comes', () => {
  const crowd = new Crowd(12);
  let inside = 0;
  for (let n = 0; n < 50; n++)
    if (!crowd.isFull(`caller ${n}`)) {
      crowd.enter(`caller ${n}`);
      inside++;
    }
  assert.equal(inside, 12);
  assert.equal(crowd.isPacked, true);
  crowd.leave('caller 3', 1);
  assert.equal(crowd.isFull('caller 4'), true, 'who has one already waits for the others');
  assert.equal(crowd.isFull('caller 60'), false);
});

test('a caller who has left is forgotten', () => {
  const crowd = new Crowd(4);
  for (let n = 0; n < 100; n++) {
    crowd.enter(`caller ${n}`);
    crowd.leave(`caller ${n}`, 1);
  }
  assert.equal(fill(crowd, 'ada'), 2);
});

/** So many calls of a caller, one after the other, beside those that are inside already. */
function serve(crowd: Crowd, times: number, ms: number): void {
  for (let n = 0; n < times; n++) {
    crowd.enter('ada');
    crowd.leave('ada', ms);
  }
}

test('there are fewer places while a crowd makes everything slow, and all of them again afterwards', () => {
  const crowd = new Crowd(400);
  assert.equal(fill(crowd, 'ada'), 200);
  serve(crowd, 32 * 50, 2_000);
  for (let n = 0; n < 200; n++) crowd.leave('ada', 2_000);
  assert.equal(fill(crowd, 'bea'), 8, 'half of the fewest');
  for (let n = 0; n < 8; n++) crowd.leave('bea', 10);
  serve(crowd, 32 * 50, 10);
  assert.equal(fill(crowd, 'bea'), 200);
});

test('calls that are slow by themselves take no places away, and give back what a crowd has taken', () => {
  const crowd = new Crowd(400);
  serve(crowd, 32 * 50, 2_000);
  assert.equal(fill(crowd, 'bea'), 200);
  serve(crowd, 32 * 50, 2_000);
  for (let n = 0; n < 200; n++) crowd.leave('bea', 2_000);
  serve(crowd, 32 * 50, 2_000);
  assert.equal(fill(crowd, 'bea'), 200);
});

test('a third of all that waits for a lock of its own takes no place from the others', () => {
  const crowd = new Crowd(400);
  for (let n = 0; n < 3_200; n++) {
    crowd.enter('ada');
    crowd.leave('ada', n % 3 === 0 ? 2_000 : 20);
  }
  assert.equal(fill(crowd, 'bea'), 200);
});
