import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expirePoints } from '../src/loyalty/expire-points.job.ts';
import { coffee, Till, threeStamps } from '../src/loyalty/till.fixture.ts';
import { assertRefused, Client, type Reply } from './client.ts';
import { inParallel, tally } from './factories.ts';
import { startTestApp } from './harness.ts';
import { freePort, ServiceProcess } from './service-process.ts';

/** What users of other loyalty systems have complained of, each with a test that it cannot happen here. */
const app = await startTestApp({ WORKERS: 'off' });
const twin = await app.twin();
const start = Date.UTC(2031, 0, 15, 12);
let till: Till;
beforeEach(async () => {
  app.stopClock(start);
  till = await Till.open(app);
});

/** The same key at another process of the service. */
const elsewhere = () => twin.as(till.client.secret);
const codes = (replies: readonly Reply[]) => tally(replies.map(({ status, body }) => body.code ?? status));
const goTo = (moment: string) => app.stopClock(Date.parse(moment));
async function expireAll(): Promise<void> {
  while (await expirePoints({ app: app.running.app, requestId: 'expiry' })) {}
}

/** Lets entries fail as long as the work goes on: those that `when` says, with an error of this class. */
async function whileEntriesFail<T>(errcode: string, when: string, work: () => Promise<T>): Promise<T> {
  await app.sql(`create function fail_entries() returns trigger language plpgsql
    as $$ begin raise exception 'planted' using errcode = '${errcode}'; end $$`);
  await app.sql(`create trigger failing before insert on loyalty_entries
    for each row when (${when}) execute function fail_entries()`);
  try {
    return await work();
  } finally {
    await app.sql('drop trigger failing on loyalty_entries');
    await app.sql('drop function fail_entries');
  }
}

describe('“Points were awarded again …', () => {
  it('… when the order event was replayed, or its status was set to completed twice”', async () => {
    const order = { externalRef: 'order-1001' };
    const first = await till.earn(12, order);
    const replies = [
      await till.earn(12, order),
      ...(await inParallel(30, (at) => till.earn(12, order, at % 2 === 0 ? till.client : elsewhere()))),
    ];
    await till.change({ status: 'paused' });
    replies.push(await till.earn(12, order));
    await till.change({ status: 'active' });
    replies.push(await till.earn(12, { ...order, reason: 'completed, again' }));
    app.advance(400 * 86_400_000);
    replies.push(await till.earn(12, order));
    for (const { text } of replies) assert.equal(text, first.text);
    assert.deepEqual(await till.story(), ['earn +12 = 12']);
    await till.assertSound();
  });

  it('… for each shipment of a split order”', async () => {
    // The key is the order's, not the shipment's: another part of the order is not another award.
    await till.earn(12, { externalRef: 'order-1001' });
    assert.equal((await till.earn(12, { externalRef: 'order-1001', reason: 'parcel 2' })).status, 200);
    assertRefused(await till.earn(5, { externalRef: 'order-1001' }), 'external_ref_reused');
    assert.deepEqual(await till.story(), ['earn +12 = 12']);
  });

  it('… by a double click, or by two tabs”', async () => {
    const replies = await inParallel(50, (at) =>
      till.earn(5, { externalRef: 'click' }, at % 2 === 0 ? till.client : elsewhere()),
    );
    assert.deepEqual(codes(replies), { 200: 50 });
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.deepEqual(await till.story(), ['earn +5 = 5']);
    await till.assertSound();
  });
});

describe('“Redeems at the same time …', () => {
  it('… overspent the balance”', async () => {
    for (const funds of [1, 7]) {
      till = await Till.open(app);
      await till.earn(funds * 10 + 9);
      const replies = await inParallel(100, (at) =>
        till.redeem({}, at % 2 === 0 ? till.client : elsewhere()),
      );
      assert.deepEqual(codes(replies), { 200: funds, insufficient_points: 100 - funds });
      assert.equal((await till.holder()).balance, 9);
      await till.assertSound();
    }
  });

  it('… used one reward twice”', async () => {
    till = await Till.open(app, threeStamps);
    await till.earn(7);
    const replies = await inParallel(50, (at) => till.redeem({}, at % 2 === 0 ? till.client : elsewhere()));
    assert.deepEqual(codes(replies), { 200: 2, no_reward_pending: 48 });
    await till.assertSound();
  });

  it('… went by a balance that was no longer true, and left it below zero”', async () => {
    await till.earn(15);
    // Both have come far enough to know the card, and wait for it.
    const replies = await till.whileLocked(till.ada, async () => {
      const sent = [
        till.redeem(),
        till.redeem({}, elsewhere()),
        till.adjust(-10),
        till.adjust(-10, {}, elsewhere()),
      ];
      await sleep(300);
      return { sent };
    });
    const done = await Promise.all(replies.sent);
    assert.equal(done.filter(({ status }) => status === 200).length, 1);
    assert.equal((await till.holder()).balance, 5);
    await till.assertSound();
  });
});

describe('“A failure …', () => {
  it('… was rolled back by writing an old balance over what others had done since”', async () => {
    await till.earn(100);
    await whileEntriesFail('P0001', `new.kind = 'redeem'`, async () => {
      const replies = await inParallel(60, (at) => (at % 3 === 0 ? till.redeem() : till.earn(1)));
      assert.deepEqual(codes(replies), { 200: 40, internal_error: 20 });
    });
    assert.equal((await till.holder()).balance, 140);
    await till.assertSound();
  });

  it('… was kept as the answer and replayed for ever; a new key for the retry then doubled the points”', async () => {
    const order = { externalRef: 'order-1001' };
    await whileEntriesFail('53100', 'true', async () => {
      for (let turn = 0; turn < 2; turn++)
        assertRefused(await till.earn(5, order), 'internal_error', /Retry/, { retryable: true });
    });
    const done = await till.earn(5, order);
    assert.deepEqual([done.status, done.headers.has('idempotent-replayed')], [200, false]);
    assert.equal((await till.earn(5, order)).text, done.text);
    assert.deepEqual(await till.story(), ['earn +5 = 5']);
  });

  for (const [what, state] of [
    ['a serialization failure', '40001'],
    ['a deadlock', '40P01'],
    ['a lock that did not come', '55P03'],
  ]) {
    it(`… of the database, ${what}, was shown as “insufficient funds””`, async () => {
      await till.earn(50);
      await whileEntriesFail(state ?? '', 'true', async () => {
        const more = { externalRef: 'r-1' };
        const { impatient } = till.client;
        const replies = [
          await till.redeem(more, impatient),
          await till.earn(5, more, impatient),
          await till.adjust(-5, more, impatient),
        ];
        for (const reply of replies)
          if (state === '55P03') assertRefused(reply, 'overloaded');
          else assertRefused(reply, 'internal_error', /Retry/, { retryable: true });
      });
      assert.equal((await till.redeem({ externalRef: 'r-1' })).body.balance, 40);
      await till.assertSound();
    });
  }

  it('… left a claim “in progress” that blocked every retry for days”', async () => {
    const service = new ServiceProcess(await freePort(), {
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: app.config.dataDir,
      PUBLIC_URL: app.config.publicUrl,
      WORKERS: 'off',
    });
    after(() => service.end('SIGKILL'));
    await service.start();
    const order = { externalRef: 'order-1001' };
    const doomed = new Client(service.url, app.config.publicUrl, till.client.secret);
    await till.whileLocked(till.ada, async () => {
      const lost = till.earn(5, order, doomed).then(
        ({ status }) => status,
        () => 'no answer',
      );
      await sleep(300);
      await service.end('SIGKILL');
      assert.equal(await lost, 'no answer');
    });
    const { status, body, headers } = await till.earn(5, order);
    assert.deepEqual([status, body.balance, headers.has('idempotent-replayed')], [200, 5, false]);
    await till.assertSound();
  });
});

describe('“A refund …', () => {
  it('… kept the points: buy, refund, buy, refund”', async () => {
    for (let turn = 0; turn < 10; turn++) {
      const order = await till.earn(25, { externalRef: `order-${turn}` });
      const refund = { externalRef: `refund-${turn}` };
      assert.equal((await till.reverse(order, refund)).body.balance, 0);
      await till.reverse(order, refund);
      assertRefused(await till.reverse(order), 'already_reversed');
    }
    const { balance, lifetimePoints } = await till.holder();
    assert.deepEqual([balance, lifetimePoints], [0, 0]);
    // Nor when the points were spent before: they are owed.
    const order = await till.earn(10);
    await till.redeem();
    await till.reverse(order);
    assert.equal((await till.earn(10)).body.balance, 0);
    await till.assertSound();
  });

  it('… kept the stamps, or the reward that they had unlocked”', async () => {
    till = await Till.open(app, threeStamps);
    for (let turn = 0; turn < 5; turn++) await till.reverse(await till.earn(4));
    const { balance, pendingRewards } = await till.holder();
    assert.deepEqual([balance, pendingRewards], [0, 0]);
    assertRefused(await till.redeem(), 'no_reward_pending', /./, { balance: 0, threshold: 3 });
    await till.assertSound();
  });

  it('… gave the spent points back twice, or charged them again”', async () => {
    await till.earn(10);
    const redeemed = await till.redeem();
    const replies = await inParallel(20, () => till.reverse(redeemed));
    assert.deepEqual(codes(replies), { 200: 1, already_reversed: 19 });
    assert.deepEqual(await till.story(), ['earn +10 = 10', 'redeem -10 = 0', 'reversal +10 = 10']);
    await till.assertSound();
  });

  it('… of an order with points earned and points spent was miscalculated”', async () => {
    for (const first of ['earn', 'redeem']) {
      till = await Till.open(app);
      await till.earn(13);
      const spent = await till.redeem({ externalRef: 'order-1001' });
      const earned = await till.earn(8, { externalRef: 'order-1001' });
      for (const reply of first === 'earn' ? [earned, spent] : [spent, earned])
        assert.equal((await till.reverse(reply)).status, 200);
      const { balance, lifetimePoints } = await till.holder();
      assert.deepEqual([balance, lifetimePoints], [13, 13], `${first} first`);
      await till.assertSound();
    }
  });

  it('… was impossible for what was deleted: the points stayed”', async () => {
    const order = await till.earn(12);
    await till.void();
    await till.client.delete(`/instances/${till.ada.instanceId}`);
    await till.change({ status: 'paused' });
    assert.equal((await till.reverse(order)).body.balance, 0);
    assert.equal((await till.summary()).outstanding, 0);
    await till.assertSound();
  });

  it('… went by the settings of today”', async () => {
    const earned = await till.earn(20, { externalRef: 'order-1001' });
    const redeemed = await till.redeem();
    await till.change({
      reward: { title: 'Free cake', cost: 99 },
      earn: { perCurrencyUnit: 7 },
      expiry: { months: 1 },
      limits: { perDay: 1 },
    });
    assert.equal((await till.reverse(redeemed)).body.balance, 20);
    const { body } = await till.reverse(earned);
    assert.deepEqual([body.points, body.balance], [-20, 0]);
    till = await Till.open(app, threeStamps);
    const stamped = await till.earn(3);
    await till.change({ threshold: 10 });
    const undone = (await till.reverse(stamped)).body;
    assert.deepEqual([undone.balance, undone.pendingRewards], [0, 0]);
    await till.assertSound();
  });
});

describe('“When points expired …', () => {
  const lasting = { ...coffee, expiry: { months: 1 } };

  it('… the balance collapsed, although they had been spent before”', async () => {
    till = await Till.open(app, lasting);
    await till.earn(10);
    goTo('2031-02-10T12:00:00Z');
    await till.earn(10);
    await till.redeem();
    goTo('2031-02-16T00:00:00Z');
    await expireAll();
    assert.equal((await till.holder()).balance, 10);
    assert.deepEqual(await till.story(), ['earn +10 = 10', 'earn +10 = 20', 'redeem -10 = 10']);
    await till.assertSound();
  });

  it('… only those of some kinds did”', async () => {
    till = await Till.open(app, lasting);
    await till.earn(10);
    const redeemed = await till.redeem();
    await till.adjust(4);
    await till.earn(3, { occurredAt: '2031-01-01T12:00:00Z' });
    await till.reverse(redeemed);
    goTo('2031-02-16T00:00:00Z');
    await expireAll();
    assert.equal((await till.holder()).balance, 0);
    till = await Till.open(app, { ...threeStamps, expiry: { months: 1 } });
    const other = await till.earn(2);
    await till.earn(3);
    await till.reverse(other);
    goTo('2031-03-17T00:00:00Z');
    await expireAll();
    const { balance } = await till.holder();
    assert.equal(balance, 0);
    await till.assertSound();
  });

  it('… they could still be spent until a nightly job had run”', async () => {
    till = await Till.open(app, lasting);
    await till.earn(10);
    goTo('2031-02-16T00:00:00Z');
    assertRefused(await till.redeem(), 'insufficient_points', /./, { balance: 0, cost: 10 });
    assertRefused(await till.adjust(-1), 'balance_too_low', /./, { balance: 0 });
  });

  it('… the setting did nothing, or could not be switched off”', async () => {
    await till.earn(1);
    await till.change({ expiry: { months: 1 } });
    await till.earn(2);
    await till.change({ expiry: { months: null } });
    await till.earn(4);
    goTo('2035-01-01T00:00:00Z');
    await expireAll();
    assert.equal((await till.holder()).balance, 5, 'the two that were earned while it was on');
  });

  it('… the balance did not change”', async () => {
    till = await Till.open(app, lasting);
    await till.earn(25);
    await till.redeem();
    goTo('2031-02-16T00:00:00Z');
    await expireAll();
    const { balance, nextExpiry } = await till.holder();
    assert.deepEqual([balance, nextExpiry], [0, null]);
    assert.equal((await till.client.get(`/instances/${till.ada.instanceId}`)).body.loyalty.balance, 0);
    const entries = await till.entries();
    assert.equal(
      entries.reduce((sum, { points }) => sum + points, 0),
      0,
    );
    const { expired, outstanding, trialBalance } = await till.summary();
    assert.deepEqual([expired, outstanding, trialBalance.difference], [15, 0, 0]);
    await till.assertSound();
  });
});
