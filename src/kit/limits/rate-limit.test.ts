import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createMemoryBuckets, rateHeaders } from './rate-limit.ts';

function limiterAt(start: number) {
  const time = { now: start };
  return { time, take: createMemoryBuckets(() => time.now) };
}

const rate = fc.oneof(
  fc.integer({ min: 1, max: 100_000 }),
  fc.integer({ min: 1, max: 20 }),
  fc.integer({ min: 1, max: 5000 }).map((thousandths) => thousandths / 1000),
  fc.integer({ min: 1, max: 600 }).map((perMinute) => perMinute / 60),
);
const burst = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 200 }));
const pauses = fc.array(
  fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 5000 })),
  {
    minLength: 1,
    maxLength: 150,
    size: 'max',
  },
);

test('a request is allowed exactly when every window T still holds at most burst + rate × T', () => {
  const step = fc.oneof(fc.nat(30), fc.nat(5000), fc.constantFrom('at the edge', 'just before the edge'));
  const steps = fc.array(step, { minLength: 1, maxLength: 150, size: 'max' });
  fc.assert(
    fc.property(rate, burst, steps, fc.integer({ min: 0, max: 2e12 }), (perSecond, most, waits, start) => {
      const { time, take } = limiterAt(start);
      const perMs = Math.floor(perSecond * 1e6);
      const allowedAt: number[] = [];
      /** The first ms at which one more fits into each window that began with an earlier request. */
      const edge = () =>
        allowedAt.reduce((latest, since, index) => {
          const overBurst = allowedAt.length - index + 1 - most;
          return Math.max(latest, since + Math.ceil((overBurst * 1e9) / perMs));
        }, start);
      for (const wait of waits) {
        if (typeof wait === 'number') time.now += wait;
        else time.now = Math.max(time.now, edge() - (wait === 'at the edge' ? 0 : 1));
        const fits = time.now >= edge();
        assert.equal(take('key', perSecond, most).allowed, fits);
        if (fits) allowedAt.push(time.now);
      }
    }),
    { numRuns: 200 },
  );
});

test('after a refusal, waiting exactly retryAfterSeconds succeeds, and refused tries in between cost nothing', () => {
  fc.assert(
    fc.property(
      rate,
      burst,
      fc.integer({ min: 0, max: 999 }),
      fc.nat(5),
      (perSecond, most, offset, tries) => {
        const { time, take } = limiterAt(1_700_000_000_000 + offset);
        let verdict = take('key', perSecond, most);
        while (verdict.allowed) verdict = take('key', perSecond, most);
        assert.ok(Number.isInteger(verdict.retryAfterSeconds) && verdict.retryAfterSeconds >= 1);
        const retryAt = time.now + verdict.retryAfterSeconds * 1000;
        for (let index = 0; index < tries; index++) assert.equal(take('key', perSecond, most).allowed, false);
        time.now = retryAt;
        assert.equal(take('key', perSecond, most).allowed, true);
      },
    ),
  );
});

test('remaining is the number of requests that are possible now, and grows within resetSeconds', () => {
  fc.assert(
    fc.property(rate, burst, pauses, (perSecond, most, waits) => {
      const { time, take } = limiterAt(0);
      let verdict = take('key', perSecond, most);
      for (const wait of waits) {
        time.now += wait;
        verdict = take('key', perSecond, most);
      }
      assert.equal(verdict.limit, most);
      time.now += verdict.remaining < most ? verdict.resetSeconds * 1000 : 0;
      for (let index = 0; index <= verdict.remaining; index++) {
        assert.equal(
          take('key', perSecond, most).allowed,
          true,
          `request ${index + 1} of ${verdict.remaining + 1}`,
        );
      }
    }),
  );
});

test('the verdicts of a burst of 3 at 2 a second, one by one', () => {
  const { time, take } = limiterAt(5000);
  const verdicts = [take('a', 2, 3), take('a', 2, 3), take('a', 2, 3), take('a', 2, 3)];
  assert.deepEqual(verdicts, [
    { allowed: true, limit: 3, remaining: 2, resetSeconds: 1, retryAfterSeconds: 0 },
    { allowed: true, limit: 3, remaining: 1, resetSeconds: 1, retryAfterSeconds: 0 },
    { allowed: true, limit: 3, remaining: 0, resetSeconds: 1, retryAfterSeconds: 0 },
    { allowed: false, limit: 3, remaining: 0, resetSeconds: 1, retryAfterSeconds: 1 },
  ]);
  assert.equal(take('b', 2, 3).allowed, true, 'another key has its own bucket');
  time.now += 499;
  assert.equal(take('a', 2, 3).allowed, false);
  time.now += 1;
  assert.equal(take('a', 2, 3).allowed, true);
});

test('a slow rate is shown in whole seconds', () => {
  const { take } = limiterAt(0);
  take('a', 0.1, 1);
  assert.deepEqual(take('a', 0.1, 1), {
    allowed: false,
    limit: 1,
    remaining: 0,
    resetSeconds: 10,
    retryAfterSeconds: 10,
  });
});

test('a limit that changes counts at once, and a clock that steps back gives nothing away', () => {
  const { time, take } = limiterAt(10_000);
  for (let index = 0; index < 10; index++) assert.equal(take('a', 1, 10).allowed, true);
  assert.equal(take('a', 1, 10).allowed, false);
  assert.equal(take('a', 1, 20).remaining, 9);
  assert.equal(take('a', 1, 5).allowed, false);
  assert.equal(take('a', 1, 5).retryAfterSeconds, 7);
  time.now -= 5000;
  assert.equal(take('a', 1, 11).allowed, false);
});

test('a rate or burst that cannot work is a RangeError', () => {
  const { take } = limiterAt(0);
  for (const wrong of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e-9, 1_000_001]) {
    assert.throws(() => take('a', wrong, 1), RangeError, `rate ${wrong}`);
  }
  for (const wrong of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1_000_001]) {
    assert.throws(() => take('a', 1, wrong), RangeError, `burst ${wrong}`);
  }
});

test('a flood of new keys neither grows the memory without bound nor frees a key that is at its limit', () => {
  const time = { now: 0 };
  const take = createMemoryBuckets(() => time.now, 1000);
  for (let index = 0; index < 50; index++) take('busy', 1, 50);
  assert.equal(take('busy', 1, 50).allowed, false);
  // As hot as the one that they are to wipe out.
  for (let index = 0; index < 1_500; index++)
    for (let time = 0; time < 50; time++) take(`made-up:${index}`, 1, 50);
  assert.equal(take('busy', 1, 50).allowed, false, 'no count is forgotten before its time');
  assert.equal(take('made-up:0', 1, 50).allowed, false);
  assert.equal(
    take('other:1', 1, 50).remaining,
    49,
    'new ones share what room there is with their kind alone',
  );
  time.now = 60_000;
  for (let index = 0; index < 300; index++) take(`late:${index}`, 1, 50);
  for (let index = 300; index < 600; index++)
    assert.equal(take(`late:${index}`, 1, 50).remaining, 49, 'empty ones make room');
});

test('a request that is given back was not counted, and none is given that was not taken', () => {
  const { take } = limiterAt(0);
  for (let index = 0; index < 3; index++) take('a', 1, 3);
  assert.equal(take('a', 1, 3).allowed, false);
  assert.equal(take('a', 1, 3, -1).remaining, 1);
  assert.deepEqual([take('a', 1, 3).allowed, take('a', 1, 3).allowed], [true, false]);
  assert.equal(take('b', 1, 3, -1).remaining, 3);
  assert.equal(take('b', 1, 3).remaining, 2);
});

test('the headers are structured fields, and on a refusal t is Retry-After', () => {
  const { take } = limiterAt(0);
  assert.deepEqual(rateHeaders(take('a', 100, 200), 100), {
    'RateLimit-Policy': '"default";q=200;w=2',
    RateLimit: '"default";r=199;t=1',
  });
  take('b', 0.25, 1);
  assert.deepEqual(rateHeaders(take('b', 0.25, 1), 0.25), {
    'RateLimit-Policy': '"default";q=1;w=4',
    RateLimit: '"default";r=0;t=4',
    'Retry-After': '4',
  });
  assert.equal(rateHeaders(take('c', 100, 10), 100)['RateLimit-Policy'], '"default";q=10;w=1');
});

test('what RateLimit-Policy promises is true: q requests in any w seconds are never refused', () => {
  fc.assert(
    fc.property(rate, burst, pauses, (perSecond, most, waits) => {
      const { time, take } = limiterAt(0);
      const policy = rateHeaders(take('other', perSecond, most), perSecond)['RateLimit-Policy'] ?? '';
      const [, quota = 0, window = 0] = (/^"default";q=(\d+);w=(\d+)$/.exec(policy) ?? []).map(Number);
      const sent: number[] = [];
      for (const wait of waits) {
        time.now += wait;
        if (sent.filter((at) => time.now - at < window * 1000).length >= quota) continue;
        // The rate is kept in millionths: a window of exactly burst / rate may miss the last millionth.
        const spare = Math.floor(perSecond * 1e6) === perSecond * 1e6 ? 0 : 1;
        time.now += spare;
        sent.push(time.now);
        assert.equal(take('key', perSecond, most).allowed, true);
      }
    }),
  );
});
