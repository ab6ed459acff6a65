import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, type Reply } from '../../test/client.ts';
import { inParallel, makeKey, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { euros, Shop } from './shop.fixture.ts';

/** The status too: some codes have two. */
function refused(
  reply: Reply,
  status: number,
  code: Parameters<typeof assertRefused>[1],
  extra: Record<string, unknown> = {},
): void {
  assertRefused(reply, code, /./, extra);
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

  it('counts nothing in another currency', async () => {
    const shop = await Shop.open(app);
    const early = await shop.refund('1', 'early', '3.00', 'USD');
    assert.equal((await shop.process('1')).body.pointsAwarded, 25);
    refused(await shop.refund('1', 'r0', '3.00', 'USD'), 400, 'invalid_request');
    assert.equal((await shop.refund('1', 'early', '3.00', 'USD')).text, early.text);
    assert.equal(await shop.balance(), 25);
  });

  it('refuses more than is left of a known order, and says how much is', async () => {
    const shop = await Shop.open(app);
    await shop.process('1');
    await shop.refund('1', 'r1', '7.50');
    const excess = await shop.refund('1', 'r2', '2.51');
    refused(excess, 409, 'refund_exceeds_order', { refundable: { amount: '2.50', currency: 'EUR' } });
    assert.deepEqual([await shop.balance(), (await shop.order('1')).refunds.length], [10, 1]);
    // What was refused may be sent again, and what was refunded is replayed.
    assert.equal((await shop.refund('1', 'r2', '2.50')).status, 200);
    const replayed = await shop.refund('1', 'r1', '7.50');
    assert.deepEqual([replayed.status, replayed.headers.get('idempotent-replayed')], [200, 'true']);
    const { refundable } = (await shop.refund('1', 'r3', '0.01')).body;
    assert.deepEqual(refundable, { amount: '0.00', currency: 'EUR' });
    assert.equal((await shop.refund('1', 'r4', '0.00')).status, 200);
    assert.equal(await shop.balance(), 0);
  });

  it('settles at nothing where early refunds go beyond the order that comes', async () => {
    const shop = await Shop.open(app);
    for (const refundId of ['r1', 'r2'])
      assert.equal((await shop.refund('1', refundId, '9000.00')).body.waiting, true);
    const { body } = await shop.process('1');
    assert.deepEqual([body.pointsAwarded, body.limitedBy, body.balance], [0, 'empty_order', 0]);
    const late = await shop.refund('1', 'r3', '1.00');
    refused(late, 409, 'refund_exceeds_order', { refundable: { amount: '0.00', currency: 'EUR' } });
    assert.equal((await shop.refund('1', 'r1', '9000.00')).headers.get('idempotent-replayed'), 'true');
    await shop.assertSound();
  });

  it('grants exactly those of concurrent refunds that fit', async () => {
    const shop = await Shop.open(app);
    await shop.process('1');
    const replies = await inParallel(30, (index) => shop.refund('1', `r${index}`, '3.00'));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 3, 409: 27 });
    for (const reply of replies.filter(({ status }) => status === 409)) {
      refused(reply, 409, 'refund_exceeds_order', { refundable: { amount: '1.00', currency: 'EUR' } });
    }
    const order = await shop.order('1');
    assert.deepEqual([order.refunded.amount, order.refunds.length, order.points], ['9.00', 3, 7]);
    assert.equal(await shop.balance(), 7);
    await shop.assertSound();
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

  it('an entry of an order is not undone without the order', async () => {
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

  it('waits for an order that is not known yet, if it is said to be early', async () => {
    const shop = await Shop.open(app);
    const unknown = await shop.cancel('1');
    refused(unknown, 404, 'order_not_found');
    assert.match(unknown.body.error, /"early":true/);
    refused(await shop.client.get('/orders/1'), 404, 'order_not_found');
    const early = await shop.cancel('1', { early: true });
    assert.deepEqual([early.status, early.body.waiting], [200, true]);
    // Either way again is the same.
    for (const body of [{}, { early: true }]) assert.equal((await shop.cancel('1', body)).text, early.text);
    const { body } = await shop.process('1');
    assert.deepEqual([body.pointsAwarded, body.limitedBy], [0, 'cancelled']);
    assert.equal((await shop.cards()).length, 1);
    assert.equal(await shop.balance(), 0);
  });

  it('does not know an order by a refund that waits for it', async () => {
    const shop = await Shop.open(app);
    await shop.refund('1', 'r1', '2.50');
    refused(await shop.cancel('1'), 404, 'order_not_found');
    assert.equal((await shop.order('1')).status, 'pending');
    assert.equal((await shop.cancel('1', { early: true })).status, 200);
    assert.equal((await shop.order('1')).status, 'cancelled');
  });

  it('says what is wrong with a body, and needs none', async () => {
    const shop = await Shop.open(app);
    for (const body of [{ early: 'true' }, { early: null }, { reason: 'none' }])
      refused(await shop.cancel('1', body), 400, 'invalid_request');
    await shop.process('1');
    assert.equal((await shop.client.post('/orders/1/cancel')).status, 200);
  });
});

describe('DELETE /orders/{orderId}/cancel', () => {
  it('takes an early cancellation back, after which the order earns and may be cancelled', async () => {
    const shop = await Shop.open(app);
    await shop.cancel('1', { early: true });
    assert.equal((await shop.withdraw('1')).status, 204);
    refused(await shop.client.get('/orders/1'), 404, 'order_not_found');
    refused(await shop.withdraw('1'), 404, 'order_not_found');
    assert.equal((await shop.process('1')).body.pointsAwarded, 25);
    const { body } = await shop.cancel('1');
    assert.deepEqual([body.waiting, body.pointsTaken], [false, 25]);
    assert.equal(await shop.balance(), 0);
  });

  it('leaves refunds that wait', async () => {
    const shop = await Shop.open(app);
    await shop.refund('1', 'r1', '2.50');
    await shop.cancel('1', { early: true });
    assert.equal((await shop.withdraw('1')).status, 204);
    assert.deepEqual([(await shop.order('1')).cancelled, (await shop.order('1')).refunds.length], [false, 1]);
    refused(await shop.withdraw('1'), 404, 'order_not_found');
    assert.equal((await shop.process('1')).body.pointsAwarded, 20);
  });

  it('refuses once the order has come', async () => {
    const shop = await Shop.open(app);
    refused(await shop.withdraw('1'), 404, 'order_not_found');
    await shop.cancel('1', { early: true });
    await shop.process('1');
    refused(await shop.withdraw('1'), 409, 'cancel_not_reversible');
    await shop.process('2');
    refused(await shop.withdraw('2'), 409, 'cancel_not_reversible');
    assert.equal(await shop.balance(), 25);
  });

  it('happens once under a key, and either before the order comes or not at all', async () => {
    const shop = await Shop.open(app);
    await shop.cancel('1', { early: true });
    const key = { 'idempotency-key': 'withdraw-1' };
    const [first, second] = await inParallel(2, () =>
      shop.client.send('DELETE', '/orders/1/cancel', undefined, { headers: key }),
    );
    assert.deepEqual([first?.status, second?.status], [204, 204]);
    for (let turn = 0; turn < 10; turn++) {
      const orderId = `race-${turn}`;
      await shop.cancel(orderId, { early: true });
      const [withdrawn, processed] = await Promise.all([shop.withdraw(orderId), shop.process(orderId)]);
      const { cancelled, points } = await shop.order(orderId);
      assert.deepEqual(
        [cancelled, points, processed.body.pointsAwarded],
        withdrawn.status === 204 ? [false, 25, 25] : [true, 0, 0],
      );
    }
    await shop.assertSound();
  });

  it('belongs to the workspace, and to keys of all its passes', async () => {
    const shop = await Shop.open(app);
    await shop.cancel('1', { early: true });
    const { client: restricted } = await makeKey(shop.client, { passIds: [shop.passId] });
    refused(await restricted.delete('/orders/1/cancel'), 404, 'order_not_found');
    const elsewhere = await Shop.open(app);
    refused(await elsewhere.withdraw('1'), 404, 'order_not_found');
    assert.equal((await shop.order('1')).cancelled, true);
  });
});
