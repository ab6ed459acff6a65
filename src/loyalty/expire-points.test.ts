import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Reply } from '../../test/client.ts';
import { inParallel, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { decodeId } from '../kit/ids.ts';
import { expirePoints } from './expire-points.job.ts';
import { coffee, Till, threeStamps } from './till.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
/** Noon, so that a day later is the next day in most places. */
const noon = Date.UTC(2031, 0, 15, 12);
let till: Till;
beforeEach(() => app.stopClock(noon));

async function open(program: object, timezone = 'UTC'): Promise<void> {
  till = await Till.open(app, program);
  await till.client.patch('/workspace', { timezone });
}

const lasting = (months: number | null, program: object = coffee) => ({ ...program, expiry: { months } });
const runJob = () => expirePoints({ app: app.running.app, requestId: 'expiry' });
async function expireAll(): Promise<void> {
  while (await runJob()) {}
}
const lots = async () => (await till.snapshot()).accounts[0]?.lots.map(([, remaining]) => remaining);
const goTo = (moment: string) => app.stopClock(Date.parse(moment));

describe('points that expire', () => {
  it('are gone when their day has ended, as an entry of their own', async () => {
    await open(lasting(1));
    await till.earn(7);
    goTo('2031-02-15T23:59:59.999Z');
    await expireAll();
    assert.equal((await till.holder()).balance, 7);
    goTo('2031-02-16T00:00:00Z');
    await expireAll();
    assert.deepEqual(await till.story(), ['earn +7 = 7', 'expire -7 = 0']);
    const [, entry] = await till.entries();
    assert.deepEqual(
      [entry.occurredAt, entry.externalRef, entry.reason],
      ['2031-02-16T00:00:00.000Z', null, null],
    );
    const { balance, lifetimePoints, nextExpiry } = await till.holder();
    assert.deepEqual([balance, lifetimePoints, nextExpiry], [0, 7, null]);
    const { issued, expired, outstanding } = await till.summary();
    assert.deepEqual([issued, expired, outstanding], [7, 7, 0]);
    await till.assertSound();
    assert.equal(await runJob(), false, 'and not again');
  });

  it('cannot be spent when the job is late, and a refused redeem changes nothing', async () => {
    await open(lasting(1));
    await till.earn(7);
    goTo('2031-02-10T12:00:00Z');
    await till.earn(8);
    goTo('2031-02-16T00:00:00Z');
    await till.assertUntouched(async () => {
      assertRefused(await till.redeem(), 'insufficient_points', /balance is 8/, { balance: 8, cost: 10 });
      assertRefused(await till.adjust(-9), 'balance_too_low', /./, { balance: 8 });
    });
    const { body } = await till.earn(2);
    assert.deepEqual([body.points, body.balance], [2, 10]);
    assert.deepEqual(await till.story(), ['earn +7 = 7', 'earn +8 = 15', 'expire -7 = 8', 'earn +2 = 10']);
    assert.equal((await till.redeem()).body.balance, 0);
    await till.assertSound();
  });

  it('are not what a holder has, also when the job is late', async () => {
    await open(lasting(1));
    await till.earn(7);
    goTo('2031-01-20T12:00:00Z');
    await till.earn(8);
    goTo('2031-02-16T00:00:00Z');
    await till.assertUntouched(async () => {
      const { balance, lifetimePoints, nextExpiry } = await till.holder();
      assert.deepEqual([balance, lifetimePoints], [8, 15]);
      assert.deepEqual(nextExpiry, { points: 8, at: '2031-02-21T00:00:00.000Z' });
    });
    goTo('2031-02-21T00:00:00Z');
    const { balance, nextExpiry } = await till.holder();
    assert.deepEqual([balance, nextExpiry], [0, null]);
  });

  it('are heeded by a preview as well, which takes nothing away', async () => {
    await open(lasting(1));
    await till.earn(7);
    goTo('2031-02-16T00:00:00Z');
    await till.assertUntouched(async () => {
      assert.equal((await till.preview({ points: 2 })).body.balance, 2);
    });
  });

  it('expire once when job, redeems and awards meet', async () => {
    await open(lasting(1));
    await till.earn(30);
    goTo('2031-02-16T00:00:00Z');
    const [replies] = await Promise.all([
      inParallel(18, (at) => (at % 2 === 0 ? till.earn(1) : till.redeem())),
      expireAll(),
      expireAll(),
    ]);
    assert.deepEqual(tally(replies.map(({ status }) => status < 300)), { true: 9, false: 9 });
    assert.equal((await till.story()).filter((entry) => entry.startsWith('expire')).length, 1);
    assert.equal((await till.holder()).balance, 9);
    await till.assertSound();
  });

  it('are those that were not spent: the earliest go first', async () => {
    await open(lasting(2));
    await till.earn(6);
    goTo('2031-02-20T12:00:00Z');
    await till.earn(9);
    await till.redeem();
    assert.deepEqual(await lots(), [0, 5]);
    goTo('2031-03-16T00:00:00Z');
    await expireAll();
    assert.equal((await till.holder()).balance, 5, 'what was spent cannot expire');
    goTo('2031-04-21T00:00:00Z');
    await expireAll();
    assert.deepEqual((await till.story()).slice(3), ['expire -5 = 0']);
    await till.assertSound();
  });

  it('expire lot by lot when several are over at once', async () => {
    await open(lasting(1));
    for (const moment of ['2031-01-15T12:00:00Z', '2031-01-16T12:00:00Z', '2031-01-17T12:00:00Z']) {
      goTo(moment);
      await till.earn(3);
    }
    goTo('2031-03-01T00:00:00Z');
    await expireAll();
    assert.deepEqual((await till.story()).slice(3), ['expire -3 = 6', 'expire -3 = 3', 'expire -3 = 0']);
    await till.assertSound();
  });

  it('share a lot with others of the same day', async () => {
    await open(lasting(1));
    await till.earn(3);
    app.advance(3_600_000);
    await till.earn(4);
    assert.deepEqual(await lots(), [7]);
    assert.deepEqual((await till.holder()).nextExpiry, { points: 7, at: '2031-02-16T00:00:00.000Z' });
  });

  it('are gone from many cards in one turn of the job, also while the program is paused', async () => {
    await open(lasting(1));
    const cards = await inParallel(30, (at) => till.card(`holder-${at}`));
    await Promise.all(cards.map(({ instanceId }) => till.earn(2, { instanceId })));
    await till.change({ status: 'paused' });
    goTo('2031-03-01T00:00:00Z');
    await expireAll();
    const { expired, outstanding, trialBalance } = await till.summary();
    assert.deepEqual([expired, outstanding, trialBalance.difference], [60, 0, 0]);
    await till.assertSound();
  });

  it('expire on all other cards when the database refuses one, and on that one later', async () => {
    await open(lasting(1));
    const others = [till, await Till.open(app, lasting(1))];
    const broken = await till.card('broken');
    for (const one of others) await one.earn(5);
    await till.earn(5, { instanceId: broken.instanceId });
    goTo('2031-03-01T00:00:00Z');
    await app.sql(`create function refuse_card() returns trigger language plpgsql
      as $$ begin raise exception 'not this card'; end $$`);
    await app.sql(`create trigger one_bad_card before insert on loyalty_entries for each row
      when (new.instance_id = '${decodeId('inst', broken.instanceId)}') execute function refuse_card()`);
    await expireAll();
    for (const one of others) assert.deepEqual(await one.story(), ['earn +5 = 5', 'expire -5 = 0']);
    assert.deepEqual(await till.story(broken), ['earn +5 = 5']);
    await app.sql('drop trigger one_bad_card on loyalty_entries');
    await expireAll();
    assert.deepEqual(await till.story(broken), ['earn +5 = 5', 'expire -5 = 0']);
    await till.assertSound();
  });

  it('expire on cards that were voided or erased as well', async () => {
    await open(lasting(1));
    await till.earn(5);
    const bob = await till.card('bob');
    await till.earn(5, { instanceId: bob.instanceId });
    await till.void();
    await till.client.delete(`/instances/${bob.instanceId}`);
    goTo('2031-03-01T00:00:00Z');
    await expireAll();
    for (const card of [till.ada, bob])
      assert.deepEqual(await till.story(card), ['earn +5 = 5', 'expire -5 = 0']);
    await till.assertSound();
  });

  it('are stamps too; rewards stay', async () => {
    await open(lasting(1, threeStamps));
    await till.earn(5);
    goTo('2031-02-16T00:00:00Z');
    assertRefused(await till.adjust(-1), 'balance_too_low', /./, { balance: 0 });
    const { body } = await till.redeem();
    assert.deepEqual([body.balance, body.pendingRewards], [0, 0]);
    assert.deepEqual((await till.story()).slice(-2), ['expire -2 = 0', 'redeem +0 = 0']);
    await till.assertSound();
  });

  it('expire again at the next touch when a redeem that took them is undone too late', async () => {
    await open(lasting(1));
    await till.earn(12);
    const redeemed = await till.redeem();
    goTo('2031-02-16T00:00:00Z');
    const { body } = await till.reverse(redeemed);
    assert.deepEqual([body.points, body.balance], [10, 10]);
    assertRefused(await till.redeem(), 'insufficient_points', /./, { balance: 0, cost: 10 });
    await expireAll();
    assert.deepEqual((await till.story()).slice(2), ['expire -2 = 0', 'reversal +10 = 10', 'expire -10 = 0']);
    await till.assertSound();
  });
});

describe('points that have expired and are undone', () => {
  const undoTooLate = async (earned: Reply) => {
    goTo('2031-02-16T00:00:00Z');
    await expireAll();
    return till.reverse(earned);
  };
  const state = async () => {
    const { balance, lifetimePoints, pendingRewards } = await till.holder();
    return [balance, lifetimePoints, pendingRewards];
  };

  it('are taken once: first they are given back', async () => {
    await open(lasting(1));
    const earned = await till.earn(5);
    const { body } = await undoTooLate(earned);
    assert.deepEqual([body.points, body.balance, body.lifetimePoints], [-5, 0, 0]);
    assert.equal(body.pushSkipReason, 'unchanged');
    assert.deepEqual(await till.story(), [
      'earn +5 = 5',
      'expire -5 = 0',
      'expire +5 = 5',
      'reversal -5 = 0',
    ]);
    const { issued, expired, reversed, outstanding, trialBalance } = await till.summary();
    assert.deepEqual([issued, expired, reversed, outstanding, trialBalance.difference], [5, 0, 5, 0, 0]);
    await till.assertSound();
  });

  it('are taken once when the job is late', async () => {
    await open(lasting(1));
    const earned = await till.earn(5);
    goTo('2031-02-16T00:00:00Z');
    assert.equal((await till.reverse(earned)).body.balance, 0);
    await expireAll();
    assert.deepEqual(await state(), [0, 0, 0]);
    await till.assertSound();
  });

  it('take what was spent of them from others, and else leave it owed', async () => {
    await open(lasting(1));
    const earned = await till.earn(12);
    await till.redeem();
    goTo('2031-02-10T12:00:00Z');
    await till.earn(4);
    const { body } = await undoTooLate(earned);
    assert.deepEqual([body.points, body.balance, body.lifetimePoints], [-12, -6, 4]);
    await till.assertSound();
  });

  it('leave no debt where the program says within_balance', async () => {
    await open(lasting(1, { ...coffee, refundPolicy: 'within_balance' }));
    const earned = await till.earn(12);
    await till.redeem();
    const { body } = await undoTooLate(earned);
    assert.deepEqual([body.points, body.balance, body.lifetimePoints], [-2, 0, 10]);
    await till.assertSound();
  });

  it('are given back once to two awards that share a lot', async () => {
    await open(lasting(1));
    const [first, second] = [await till.earn(8), await till.earn(7)];
    await till.redeem();
    assert.equal((await undoTooLate(first)).body.balance, -3);
    assert.equal((await till.reverse(second)).body.balance, -10);
    assert.deepEqual((await till.story()).slice(3), [
      'expire -5 = 0',
      'expire +5 = 5',
      'reversal -8 = -3',
      'reversal -7 = -10',
    ]);
    await till.assertSound();
  });

  it('are paid by those that expired later unspent, and not by those that expired earlier', async () => {
    await open(lasting(1));
    await till.earn(9);
    goTo('2031-01-20T12:00:00Z');
    const earned = await till.earn(10);
    goTo('2031-01-25T12:00:00Z');
    await till.earn(6);
    goTo('2031-02-17T12:00:00Z');
    await till.redeem();
    goTo('2031-03-20T12:00:00Z');
    await expireAll();
    const { body } = await till.reverse(earned);
    assert.deepEqual([body.points, body.balance, body.lifetimePoints], [-10, -4, 15]);
    assert.deepEqual((await till.story()).slice(3), [
      'expire -9 = 16',
      'redeem -10 = 6',
      'expire -6 = 0',
      'expire +6 = 6',
      'reversal -10 = -4',
    ]);
    await till.assertSound();
  });

  it('do not pay what is owed otherwise', async () => {
    await open(lasting(1));
    const earned = await till.earn(5);
    goTo('2031-02-16T00:00:00Z');
    const other = await till.earn(10);
    await till.redeem();
    await till.reverse(other);
    const { body } = await till.reverse(earned);
    assert.deepEqual([body.points, body.balance, body.lifetimePoints], [-5, -10, 0]);
    await till.assertSound();
  });

  it('leave rewards alone that other stamps have unlocked', async () => {
    await open(lasting(1, threeStamps));
    await till.earn(3);
    const earned = await till.earn(2);
    const { body } = await undoTooLate(earned);
    assert.deepEqual([body.points, body.balance, body.pendingRewards], [-2, 0, 1]);
    await till.assertSound();
  });

  it('cancel the reward that they have unlocked; the stamps of others that come back expire', async () => {
    await open(lasting(1, threeStamps));
    const earned = await till.earn(2);
    await till.earn(2);
    const { body } = await undoTooLate(earned);
    assert.deepEqual([body.points, body.pendingRewards], [-2, 0]);
    await expireAll();
    assert.deepEqual(await state(), [0, 2, 0]);
    assert.deepEqual((await till.story()).slice(3), [
      'expire -1 = 0',
      'cancel +3 = 3',
      'expire +1 = 4',
      'reversal -2 = 2',
      'expire -2 = 0',
    ]);
    await till.assertSound();
  });

  it('come to the same after a redeem that took them was undone', async () => {
    await open(lasting(1));
    const earned = await till.earn(10);
    const redeemed = await till.redeem();
    goTo('2031-02-16T00:00:00Z');
    await till.reverse(redeemed);
    assert.equal((await undoTooLate(earned)).body.balance, 0);
    assert.deepEqual((await till.story()).slice(2), [
      'reversal +10 = 10',
      'expire -10 = 0',
      'expire +10 = 10',
      'reversal -10 = 0',
    ]);
    await till.assertSound();
  });
});

describe('when points expire', () => {
  /** When points of this moment are over. */
  async function expiryOf(months: number, earnedAt: string, timezone: string): Promise<string> {
    await open(lasting(months), timezone);
    goTo(earnedAt);
    await till.earn(1);
    return (await till.holder()).nextExpiry.at;
  }

  const cases: [string, number, string, string, string][] = [
    ['a month later', 1, '2031-01-15T12:00:00Z', 'UTC', '2031-02-16T00:00:00.000Z'],
    ['on the last day of a shorter month', 1, '2031-01-31T12:00:00Z', 'UTC', '2031-03-01T00:00:00.000Z'],
    ['on the last day of a leap February', 1, '2032-01-31T12:00:00Z', 'UTC', '2032-03-01T00:00:00.000Z'],
    [
      'twelve months after the 29th of February',
      12,
      '2032-02-29T12:00:00Z',
      'UTC',
      '2033-03-01T00:00:00.000Z',
    ],
    ['1,200 months later', 1_200, '2031-01-15T12:00:00Z', 'UTC', '2131-01-16T00:00:00.000Z'],
    ['by the day in Tokyo', 1, '2031-01-15T15:00:00Z', 'Asia/Tokyo', '2031-02-16T15:00:00.000Z'],
    [
      'by the day in Los Angeles',
      1,
      '2031-01-16T07:59:59Z',
      'America/Los_Angeles',
      '2031-02-16T08:00:00.000Z',
    ],
    ['by the day in Kathmandu', 1, '2031-01-15T18:14:59Z', 'Asia/Kathmandu', '2031-02-15T18:15:00.000Z'],
    [
      'by the month in Tokyo, where it is February already',
      1,
      '2031-01-31T15:00:00Z',
      'Asia/Tokyo',
      '2031-03-01T15:00:00.000Z',
    ],
    ['over a change to summer time', 1, '2031-03-01T12:00:00Z', 'Europe/Berlin', '2031-04-01T22:00:00.000Z'],
    ['over a change to winter time', 1, '2031-10-01T12:00:00Z', 'Europe/Berlin', '2031-11-01T23:00:00.000Z'],
    ['on the day of 23 hours', 1, '2031-02-28T12:00:00Z', 'Europe/Berlin', '2031-03-28T23:00:00.000Z'],
    [
      'on the day that ends in summer time',
      1,
      '2031-02-28T23:30:00Z',
      'Europe/Berlin',
      '2031-04-01T22:00:00.000Z',
    ],
  ];
  for (const [what, months, earnedAt, timezone, expected] of cases) {
    it(`${what}: ${earnedAt} in ${timezone} plus ${months}`, async () => {
      assert.equal(await expiryOf(months, earnedAt, timezone), expected);
    });
  }

  it('ends with a day whose midnight does not exist', async () => {
    // In Beirut summer begins at midnight: the 30th of March 2031 begins at 1:00.
    assert.equal(await expiryOf(1, '2031-02-28T12:00:00Z', 'Asia/Beirut'), '2031-03-28T22:00:00.000Z');
    assert.equal(await expiryOf(1, '2031-02-28T22:30:00Z', 'Asia/Beirut'), '2031-04-01T21:00:00.000Z');
  });

  it('counts from the day on which the award occurred', async () => {
    await open(lasting(1));
    await till.earn(1, { occurredAt: '2030-12-20T12:00:00Z' });
    await till.earn(2);
    assert.deepEqual((await till.holder()).nextExpiry, { points: 1, at: '2031-01-21T00:00:00.000Z' });
    await till.assertUntouched(async () => {
      const late = await till.earn(1, { occurredAt: '2030-12-14T23:59:59Z' });
      assertRefused(late, 'invalid_request', /^occurredAt/);
    });
    assert.equal((await till.earn(1, { occurredAt: '2030-12-15T00:00:00Z' })).status, 200);
  });

  it('is settled when they are earned: another time zone changes new points only', async () => {
    await open(lasting(1), 'Europe/Berlin');
    await till.earn(3);
    await till.client.patch('/workspace', { timezone: 'Asia/Tokyo' });
    await till.earn(4);
    assert.deepEqual(
      (await till.snapshot()).accounts[0]?.lots.map(([at, left]) => [new Date(at ?? 0).toISOString(), left]),
      [
        ['2031-02-15T15:00:00.000Z', 4],
        ['2031-02-15T23:00:00.000Z', 3],
      ],
    );
  });
});

describe('a program whose expiry is set or unset later', () => {
  it('lets new points expire, and no old ones', async () => {
    await open(coffee);
    await till.earn(5);
    await till.change({ expiry: { months: 1 } });
    await till.earn(6);
    assert.deepEqual((await till.holder()).nextExpiry, { points: 6, at: '2031-02-16T00:00:00.000Z' });
    goTo('2031-12-01T00:00:00Z');
    await expireAll();
    assert.equal((await till.holder()).balance, 5);
  });

  it('keeps new points for ever, and old ones as long as was said', async () => {
    await open(lasting(1));
    await till.earn(5);
    await till.change({ expiry: { months: null } });
    await till.earn(6);
    goTo('2031-12-01T00:00:00Z');
    await expireAll();
    assert.equal((await till.holder()).balance, 6);
    goTo('2099-12-01T00:00:00Z');
    await expireAll();
    assert.equal((await till.earn(4)).body.balance, 10);
    assert.equal((await till.redeem()).body.balance, 0);
    await till.assertSound();
  });

  it('changes the time of new points only', async () => {
    await open(lasting(3));
    await till.earn(5);
    await till.change({ expiry: { months: 1 } });
    await till.earn(6);
    goTo('2031-02-16T00:00:00Z');
    await expireAll();
    assert.deepEqual((await till.holder()).nextExpiry, { points: 5, at: '2031-04-16T00:00:00.000Z' });
  });

  it('covers points of every kind: adjusted ones expire as well', async () => {
    await open(lasting(1));
    await till.adjust(5);
    await till.earn(6);
    goTo('2031-02-16T00:00:00Z');
    await expireAll();
    assert.equal((await till.holder()).balance, 0);
    assert.equal((await till.earn(1)).body.balance, 1);
    await till.assertSound();
  });
});
