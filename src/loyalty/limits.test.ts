import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Reply } from '../../test/client.ts';
import { inParallel, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { coffee, Till, threeStamps } from './till.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
/** 23:30 in Berlin. */
const halfPastEleven = Date.UTC(2031, 4, 10, 21, 30);
const minute = 60_000;
const hour = 60 * minute;
let till: Till;
beforeEach(() => app.stopClock(halfPastEleven));

async function open(limits: object, timezone = 'UTC', program: object = coffee): Promise<void> {
  till = await Till.open(app, { ...program, limits });
  await till.client.patch('/workspace', { timezone });
}

function assertLimited({ status, body, text }: Reply, limitedBy: string): void {
  assert.deepEqual([status, body.limitedBy, body.points], [200, limitedBy, 0], text);
  assert.deepEqual([body.pushed, body.pushSkipReason], [false, 'unchanged']);
}

function assertEarned({ status, body, text }: Reply, balance: number): void {
  assert.deepEqual([status, body.balance, 'limitedBy' in body], [200, balance, false], text);
}

describe('points a day', () => {
  it('keeps an award that would go beyond as an entry of nothing', async () => {
    await open({ perDay: 10 });
    assertEarned(await till.earn(7), 7);
    const limited = await till.earn(4, { externalRef: 'r-1', reason: 'Lunch' });
    assertLimited(limited, 'per_day');
    assert.deepEqual([limited.body.balance, limited.body.lifetimePoints], [7, 7]);
    const entry = (await till.entries()).at(-1);
    assert.deepEqual(
      [entry.kind, entry.points, entry.balance, entry.limitedBy, entry.externalRef, entry.reason],
      ['earn', 0, 7, 'per_day', 'r-1', 'Lunch'],
    );
    // What is left of the day may still be earned.
    assertEarned(await till.earn(3), 10);
    assertLimited(await till.earn(1), 'per_day');
    await till.assertSound();
  });

  it('never lets a single award beyond it', async () => {
    await open({ perDay: 10 });
    assertLimited(await till.earn(11), 'per_day');
    assertEarned(await till.earn(10), 10);
  });

  it('replays a limited award as it was, also on the next day', async () => {
    await open({ perDay: 10 });
    await till.earn(10);
    const limited = await till.earn(4, { externalRef: 'r-1' });
    app.advance(24 * hour);
    const repeat = await till.earn(4, { externalRef: 'r-1' });
    assert.equal(repeat.text, limited.text);
    assertEarned(await till.earn(4, { externalRef: 'r-2' }), 14);
  });

  it('begins anew at midnight of the workspace, not of London', async () => {
    await open({ perDay: 10 }, 'Europe/Berlin');
    await till.earn(10);
    app.advance(29 * minute);
    assertLimited(await till.earn(1), 'per_day');
    app.advance(minute);
    assertEarned(await till.earn(10), 20);
    app.advance(2 * hour);
    assertLimited(await till.earn(1), 'per_day');
    app.advance(22 * hour - 1);
    assertLimited(await till.earn(1), 'per_day');
    app.advance(1);
    assertEarned(await till.earn(10), 30);
  });

  it('has days of 23 and 25 hours where the clocks change', async () => {
    for (const [midnight, hours] of [
      [Date.UTC(2031, 2, 29, 23), 23],
      [Date.UTC(2031, 9, 25, 22), 25],
    ] as const) {
      app.stopClock(midnight);
      await open({ perDay: 10 }, 'Europe/Berlin');
      await till.earn(10);
      app.advance(hours * hour - 1);
      assertLimited(await till.earn(1), 'per_day');
      app.advance(1);
      assertEarned(await till.earn(1), 11);
    }
  });

  it('counts the day on which the award arrives, whenever it occurred', async () => {
    await open({ perDay: 10 });
    await till.earn(10, { occurredAt: '2031-05-01T12:00:00Z' });
    assertLimited(await till.earn(1, { occurredAt: '2031-04-01T12:00:00Z' }), 'per_day');
  });

  it('is not given back when the award is undone', async () => {
    await open({ perDay: 10 });
    const earned = await till.earn(10);
    await till.reverse(earned);
    assertLimited(await till.earn(1), 'per_day');
  });

  it('counts awards only: neither what is spent nor what is adjusted', async () => {
    await open({ perDay: 10 });
    await till.adjust(100);
    assertEarned(await till.earn(10), 110);
    await till.redeem();
    await till.adjust(-50);
    assertLimited(await till.earn(1), 'per_day');
  });

  it('is one of each card', async () => {
    await open({ perDay: 10 });
    await till.earn(10);
    const { instanceId } = await till.card('bob');
    assertEarned(await till.earn(10, { instanceId }), 10);
  });

  it('goes along to the next card of the holder', async () => {
    await open({ perDay: 10 });
    await till.earn(10);
    await till.void();
    const { instanceId } = await till.card('ada');
    assertLimited(await till.earn(1, { instanceId }), 'per_day');
  });

  it('holds under a hundred awards at the same time', async () => {
    await open({ perDay: 10 });
    const replies = await inParallel(100, () => till.earn(3));
    assert.deepEqual(tally(replies.map(({ body }) => body.limitedBy ?? 'earned')), {
      earned: 3,
      per_day: 97,
    });
    assert.equal((await till.holder()).balance, 9);
    await till.assertSound();
  });

  it('counts stamps as they are earned, not as they are left', async () => {
    await open({ perDay: 4 }, 'UTC', threeStamps);
    const { body } = await till.earn(4);
    assert.deepEqual([body.balance, body.pendingRewards], [1, 1]);
    const limited = await till.earn(1);
    assertLimited(limited, 'per_day');
    assert.equal(limited.body.pendingRewards, 1);
  });

  it('is what the program says now', async () => {
    await open({ perDay: 10 });
    await till.earn(10);
    await till.change({ limits: { perDay: 12 } });
    assertLimited(await till.earn(3), 'per_day');
    assertEarned(await till.earn(2), 12);
    await till.change({ limits: { perDay: null } });
    assertEarned(await till.earn(1_000), 1_012);
  });
});

describe('seconds between awards', () => {
  it('keeps an award that comes too early as an entry of nothing', async () => {
    await open({ minSecondsBetween: 60 });
    await till.earn(5);
    app.advance(59_999);
    assertLimited(await till.earn(5), 'min_seconds_between');
    app.advance(1);
    assertEarned(await till.earn(5), 10);
  });

  it('counts from the last award that gave something', async () => {
    await open({ minSecondsBetween: 60 });
    await till.earn(5);
    for (let turn = 0; turn < 3; turn++) {
      app.advance(19_000);
      assertLimited(await till.earn(5), 'min_seconds_between');
    }
    app.advance(3_000);
    assertEarned(await till.earn(5), 10);
  });

  it('does not count from an adjustment, a redeem, or by when the award occurred', async () => {
    await open({ minSecondsBetween: 60 });
    await till.adjust(20);
    await till.redeem();
    assertEarned(await till.earn(5, { occurredAt: '2031-05-01T12:00:00Z' }), 15);
    assertLimited(await till.earn(5, { occurredAt: '2031-04-01T12:00:00Z' }), 'min_seconds_between');
  });

  it('lets one of fifty through that arrive at the same time', async () => {
    await open({ minSecondsBetween: 60 });
    const replies = await inParallel(50, () => till.earn(1));
    assert.deepEqual(tally(replies.map(({ body }) => body.limitedBy ?? 'earned')), {
      earned: 1,
      min_seconds_between: 49,
    });
    await till.assertSound();
  });

  it('is reported before the points of the day', async () => {
    await open({ perDay: 5, minSecondsBetween: 60 });
    await till.earn(5);
    assertLimited(await till.earn(5), 'min_seconds_between');
    app.advance(60_000);
    assertLimited(await till.earn(5), 'per_day');
  });
});
