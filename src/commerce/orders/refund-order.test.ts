import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, type Reply } from '../../../test/client.ts';
import { inParallel, tally } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { euros, Shop } from './shop.fixture.ts';

/** The status too: some codes have two. */
function refused(reply: Reply, status: number, code: Parameters<typeof assertRefused>[1]): void {
  assertRefused(reply, code);
  assert.equal(reply.status, status);
}

const app = await startTestApp({ WORKERS: 'off' });
const stampsPerEuro = {
  mode: 'STAMPS',
  reward: { title: 'Coffee' },
  threshold: 10,
  earn: { perCurrencyUnit: 1, perOrder: 0 },
};

describe('POST /orders/{orderId}/refunds', () => {
  it('takes back what the order has earned for the money', async () => {
    const shop = await Shop.open(app);
    const processed = await shop.process('1');
    const { status, body } = await shop.refund('1', 'r1', '2.50');
    assert.equal(status, 200);
    assert.deepEqual(body, {
      orderId: '1',
      refundId: 'r1',
      waiting: false,
      refunded: { amount: '2.50', currency: 'EUR' },
      points: 20,
      pointsTaken: 5,
      instanceId: processed.body.instanceId,
      balance: 20,
      pendingRewards: 0,
      pushed: false,
      pushSkipReason: 'not_installed',
    });
    // A refund in full takes the points for the order, too.
    assert.deepEqual((await shop.refund('1', 'r2', '7.50')).body.points, 0);
    assert.deepEqual(await shop.story(), ['earn +25 = 25', 'reversal -5 = 20', 'reversal -20 = 0']);
    assert.deepEqual(
      (await shop.order('1')).refunds.map(({ refundId }: { refundId: string }) => refundId),
      ['r1', 'r2'],
    );
    await shop.assertSound();
  });

  it('is applied once by its refundId', async () => {
    const shop = await Shop.open(app);
    await shop.process('1');
    const replies = await inParallel(30, () => shop.refund('1', 'r1', '2.50'));
    assert.deepEqual(tally(replies.map(({ text }) => text)), { [replies[0]?.text ?? '']: 30 });
    const reply = await shop.refund('1', 'r1', '3.00');
    refused(reply, 409, 'external_ref_reused');
    assert.match(reply.body.error, /^The key "r1" was used/);
    assert.equal(await shop.balance(), 20);
  });

  it('waits for an order that is not known yet', async () => {
    const shop = await Shop.open(app);
    const early = await shop.refund('1', 'r1', '2.50');
    assert.deepEqual(
      [early.status, early.body.waiting, early.body.balance, early.body.instanceId],
      [200, true, null, null],
    );
    assert.equal((await shop.order('1')).waiting, true);
    const { body } = await shop.process('1');
    assert.deepEqual([body.pointsAwarded, body.balance, body.issued], [20, 20, true]);
    assert.equal((await shop.refund('1', 'r1', '2.50')).text, early.text);
    assert.equal(await shop.balance(), 20);
  });

  it('counts no more than the order, and nothing in another currency', async () => {
    const shop = await Shop.open(app);
    await shop.refund('1', 'early', '3.00', 'USD');
    assert.equal((await shop.process('1')).body.pointsAwarded, 25);
    refused(await shop.refund('1', 'r0', '3.00', 'USD'), 400, 'invalid_request');
    await shop.refund('1', 'r1', '9000.00');
    await shop.refund('1', 'r2', '9000.00');
    assert.equal(await shop.balance(), 0);
    assert.deepEqual((await shop.order('1')).points, 0);
  });

  it('goes by the rule that the order was processed with', async () => {
    const shop = await Shop.open(app);
    await shop.process('1');
    await shop.client.patch(`/loyalty/programs/${shop.programId}`, {
      earn: { perCurrencyUnit: 100, perOrder: 0 },
    });
    assert.equal((await shop.refund('1', 'r1', '5.00')).body.pointsTaken, 10);
    assert.equal((await shop.process('2')).body.pointsAwarded, 1_000);
  });

  it('works while the program is paused, on an archived pass, and on a voided card', async () => {
    const shop = await Shop.open(app);
    const { body } = await shop.process('1');
    await shop.client.patch(`/loyalty/programs/${shop.programId}`, { status: 'paused' });
    assert.equal((await shop.refund('1', 'r1', '1.00')).body.balance, 23);
    await shop.client.patch(`/passes/${shop.passId}`, { status: 'archived' });
    assert.equal((await shop.refund('1', 'r2', '1.00')).body.balance, 21);
    await shop.client.post(`/instances/${body.instanceId}/void`);
    assert.equal((await shop.refund('1', 'r3', '1.00')).body.balance, 19);
    await shop.client.delete(`/instances/${body.instanceId}`);
    assert.equal((await shop.refund('1', 'r4', '1.00')).body.balance, 17);
    await shop.assertSound();
  });

  it('follows the account to the card that has taken it over', async () => {
    const shop = await Shop.open(app);
    const first = await shop.process('1');
    await shop.client.post(`/instances/${first.body.instanceId}/void`);
    const second = await shop.process('2');
    assert.deepEqual([second.body.issued, second.body.balance], [true, 50]);
    const refund = await shop.refund('1', 'r1', '10.00');
    assert.deepEqual(
      [refund.body.instanceId, refund.body.balance, refund.body.pointsTaken],
      [second.body.instanceId, 25, 25],
    );
    await shop.assertSound();
  });

  it('makes a debt of points that were spent, or leaves them alone, as the program says', async () => {
    for (const [refundPolicy, balance, taken] of [
      ['debt', -10, 25],
      ['within_balance', 0, 15],
    ] as const) {
      const shop = await Shop.open(app, { ...euros, refundPolicy });
      await shop.process('1');
      const redeemed = { passId: shop.passId, identifier: 'ada' };
      assert.equal((await shop.client.post('/loyalty/redeem', redeemed)).status, 200);
      const refund = await shop.refund('1', 'r1', '10.00');
      assert.deepEqual([refund.body.balance, refund.body.pointsTaken], [balance, taken], refundPolicy);
      // What was given up is not asked for again.
      await shop.process('2');
      assert.equal((await shop.cancel('1')).body.pointsTaken, 0);
      assert.equal(await shop.balance(), balance + 25);
      await shop.assertSound();
    }
  });

  it('cancels rewards that its stamps have unlocked', async () => {
    const shop = await Shop.open(app, stampsPerEuro);
    assert.equal((await shop.process('1')).body.pendingRewards, 1);
    const { body } = await shop.refund('1', 'r1', '4.00');
    assert.deepEqual([body.pendingRewards, body.balance, body.points], [0, 6, 6]);
    await shop.assertSound();
  });

  it('a loop of buying and refunding ends at nothing', async () => {
    const shop = await Shop.open(app);
    for (let turn = 1; turn <= 10; turn++) {
      await shop.process(`${turn}`);
      await shop.refund(`${turn}`, 'full', '10.00');
    }
    assert.equal(await shop.balance(), 0);
    await shop.assertSound();
  });

  it('adds parallel refunds up', async () => {
    const shop = await Shop.open(app);
    await shop.process('1', { total: { amount: '100.00', currency: 'EUR' } });
    const replies = await inParallel(40, (index) => shop.refund('1', `r${index}`, '1.00'));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 40 });
    // Each says what it has taken itself, and where it has left the order.
    assert.deepEqual(tally(replies.map(({ body }) => body.pointsTaken)), { 2: 40 });
    assert.equal(new Set(replies.map(({ body }) => body.points)).size, 40);
    const order = await shop.order('1');
    assert.deepEqual([order.points, order.refunded.amount], [125, '40.00']);
    assert.equal(await shop.balance(), 125);
    await shop.assertSound();
  });

  it('an entry of an order is not undone beside it', async () => {
    const shop = await Shop.open(app);
    await shop.process('1');
    const [entry] = (await shop.client.get(`/loyalty/entries?passId=${shop.passId}`)).body.data;
    refused(
      await shop.client.post(`/loyalty/entries/${entry.entryId}/reverse`, {}),
      409,
      'entry_not_reversible',
    );
  });
});

describe('POST /orders/{orderId}/cancel', () => {
  it('takes back all that the order has earned, once', async () => {
    const shop = await Shop.open(app);
    await shop.process('1');
    await shop.refund('1', 'r1', '2.50');
    const { body, text } = await shop.cancel('1');
    assert.deepEqual([body.points, body.pointsTaken, body.balance], [0, 20, 0]);
    assert.equal((await shop.cancel('1')).text, text);
    assert.equal((await shop.order('1')).cancelled, true);
    await shop.assertSound();
  });

  it('waits for an order that is not known yet', async () => {
    const shop = await Shop.open(app);
    assert.equal((await shop.cancel('1')).body.waiting, true);
    assert.deepEqual((await shop.process('1')).body.pointsAwarded, 0);
    assert.equal((await shop.cards()).length, 1);
    assert.equal(await shop.balance(), 0);
  });
});
