import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pauseAfter, readRetryAfter, schedule } from './schedule.ts';

const refused = { status: 500, isTimeout: false, retryAfterMs: null };
const [least, middle, most] = [0, 0.5, 1 - Number.EPSILON];

describe('pauseAfter', () => {
  it('has the steps of the specification, ten attempts in all', () => {
    const minutes = Array.from({ length: 9 }, (_, at) => (pauseAfter(at + 1, refused, middle) ?? 0) / 60_000);
    assert.deepEqual(minutes, [5 / 60, 5, 30, 120, 300, 600, 840, 1_200, 1_440]);
    assert.equal(pauseAfter(10, refused), null);
    assert.equal(schedule.length, 10);
  });

  it('is spread by a fifth to both sides', () => {
    assert.equal(pauseAfter(2, refused, least), 240_000);
    assert.equal(pauseAfter(2, refused, most), 360_000);
  });

  it('pauses for a minute after a receiver asks for less or does not answer', () => {
    assert.equal(pauseAfter(1, { ...refused, status: 429 }, middle), 60_000);
    assert.equal(pauseAfter(1, { ...refused, status: null, isTimeout: true }, middle), 60_000);
    assert.equal(pauseAfter(2, { ...refused, status: 429 }, middle), 300_000);
  });

  it('waits as long as the receiver asks, up to twice the step', () => {
    const pauseFor = (retryAfterMs: number) => pauseAfter(2, { ...refused, retryAfterMs }, middle);
    assert.deepEqual([pauseFor(1_000), pauseFor(400_000), pauseFor(86_400_000)], [300_000, 400_000, 600_000]);
    assert.equal(pauseAfter(1, { status: 429, isTimeout: false, retryAfterMs: 90_000 }, middle), 60_000);
  });
});

describe('readRetryAfter', () => {
  const now = new Date('2027-01-31T12:00:00Z');
  it('reads seconds and dates, and nothing else', () => {
    assert.equal(readRetryAfter('120', now), 120_000);
    assert.equal(readRetryAfter('Sun, 31 Jan 2027 12:01:00 GMT', now), 60_000);
    assert.equal(readRetryAfter('Sun, 31 Jan 2027 11:00:00 GMT', now), 0);
    for (const text of [undefined, '', 'soon', '-5e400']) assert.equal(readRetryAfter(text, now), null, text);
  });
});
