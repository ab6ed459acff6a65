import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json } from '../../test/client.ts';
import { eventsOf } from '../../test/events.ts';
import { inParallel } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { connectShop, newOrder, send } from '../stores/stores.fixture.ts';
import { processStoreWebhooks } from './from-stores/process-store-webhooks.job.ts';
import { Shop } from './shop.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
const jobs = { app: app.running.app, requestId: 'job_test' };

/** The events about orders, the oldest first. */
const orderEvents = async ({ client }: Shop): Promise<Json[]> =>
  (await eventsOf(client)).filter(({ type }) => type.startsWith('order.'));
const typesOf = (events: readonly Json[]) => events.map(({ type }) => type);
const euros = (amount: string) => ({ amount, currency: 'EUR' });

async function linesOf(orderId: string): Promise<Json[]> {
  return app.sql<Json>('select action, actor, detail from audit_log where target = $1 order by audit_id', [
    orderId,
  ]);
}

describe('the event log of orders', () => {
  it('emit each change through the API once, with the previous values', async () => {
    const shop = await Shop.open(app);
    for (let turn = 0; turn < 2; turn++) {
      await shop.process('1', { customer: { id: 'ada', email: 'ada@example.com', name: 'Ada Lovelace' } });
      await shop.refund('1', 'r1', '2.50');
      await shop.refund('1', 'r2', '99.00');
      await shop.cancel('1');
    }
    const [processed, refunded, cancelled, ...others] = await orderEvents(shop);
    assert.deepEqual(others, []);
    const { items: _, refunds: __, holderName: ___, ...order } = await shop.order('1');
    assert.deepEqual(cancelled?.data, order);
    assert.deepEqual(
      [cancelled?.type, cancelled?.previous],
      ['order.cancelled', { status: 'processed', cancelled: false, points: 20, limitedBy: null }],
    );
    const { newRefunds, ...afterRefund } = refunded?.data ?? {};
    assert.deepEqual(newRefunds, [{ refundId: 'r1', amount: euros('2.50') }]);
    assert.deepEqual(
      [refunded?.type, refunded?.previous],
      ['order.refunded', { refunded: euros('0.00'), points: 25 }],
    );
    assert.deepEqual([afterRefund.refunded, afterRefund.points], [euros('2.50'), 20]);
    assert.deepEqual([processed?.type, processed?.previous], ['order.processed', {}]);
    const { keyId } = (await shop.client.get('/me')).body;
    for (const event of [processed, refunded, cancelled]) {
      assert.equal(event?.passId, shop.passId);
      assert.equal(event?.instanceId, order.instanceId);
      assert.equal(event?.actor, keyId);
      assert.doesNotMatch(JSON.stringify([event?.data, event?.previous]), /ada@example|Lovelace/);
    }
  });

  it('emit early cancellations, and their withdrawal', async () => {
    const shop = await Shop.open(app);
    await shop.refund('1', 'r1', '2.50');
    await shop.cancel('1', { early: true });
    await shop.cancel('1', { early: true });
    await shop.withdraw('1');
    await shop.withdraw('1');
    await shop.process('1');
    const events = await orderEvents(shop);
    assert.deepEqual(typesOf(events), [
      'order.refunded',
      'order.cancelled',
      'order.updated',
      'order.processed',
    ]);
    assert.deepEqual(
      events.slice(0, 3).map(({ previous }) => previous),
      [{}, { status: 'pending', cancelled: false }, { status: 'cancelled', cancelled: true }],
    );
    assert.deepEqual(
      events.map(({ instanceId }) => instanceId === null),
      [true, true, true, false],
    );
    const { status, waiting, points, instanceId } = events[3]?.previous ?? {};
    assert.deepEqual([status, waiting, points, instanceId], ['pending', true, 0, null]);
    assert.equal(events[3]?.data.points, 20);
    assertChain(events);
  });

  it('emit a change once, however often a store reports it', async () => {
    const shop = await Shop.open(app);
    const { storeId } = await connectShop(shop.client, { passId: shop.passId });
    const at = (seconds: number) => ({ updatedAt: new Date(Date.now() + seconds * 1_000).toISOString() });
    const refund = { refunds: [{ refundId: 'r1', amount: euros('4.00') }] };
    const news = [
      newOrder('1', { ...at(1), paid: false }),
      newOrder('1', at(2)),
      newOrder('1', at(3), refund),
      newOrder('1', { ...at(4), cancelled: true }, refund),
      newOrder('1', at(5), refund),
    ];
    for (const [place, body] of news.entries()) {
      for (let turn = 0; turn < 2; turn++) {
        const deliveryId = `${place} ${turn}`;
        assert.equal((await send(shop.client, storeId, body, { deliveryId })).status, 200);
        while (await processStoreWebhooks(jobs));
      }
    }
    const events = await orderEvents(shop);
    assert.deepEqual(typesOf(events), [
      'order.updated',
      'order.processed',
      'order.refunded',
      'order.cancelled',
      'order.updated',
    ]);
    assert.deepEqual(
      events.map(({ actor, data }) => [actor, data.storeId]),
      events.map(() => [storeId, storeId]),
    );
    assert.deepEqual(
      events.map(({ data }) => data.points),
      [0, 25, 17, 0, 17],
    );
    assertChain(events);
    assert.doesNotMatch(JSON.stringify(events), /ada@example|Lovelace/);
  });

  it('emit concurrent changes in the order in which they were made', async () => {
    const shop = await Shop.open(app);
    await inParallel(24, (index) =>
      index % 3 === 0 ? shop.process('1') : shop.refund('1', `r${index % 8}`, '1.00'),
    );
    const events = await orderEvents(shop);
    const { refunds } = await shop.order('1');
    assert.deepEqual(typesOf(events).toSorted(), ['order.processed', ...refunds.map(() => 'order.refunded')]);
    assertChain(events);
  });

  it('leaves lines of refunds and cancellations in the audit log', async () => {
    const shop = await Shop.open(app);
    const orderId = `audited-${shop.passId}`;
    await shop.refund(orderId, 'r1', '1.00');
    await shop.cancel(orderId, { early: true });
    await shop.withdraw(orderId);
    await shop.process(orderId);
    for (let turn = 0; turn < 2; turn++) {
      await shop.refund(orderId, 'r2', '2.00');
      await shop.cancel(orderId);
    }
    const lines = await linesOf(orderId);
    assert.ok(lines.every(({ actor }) => actor.startsWith('key_')));
    const zero = { refunded: null, points: 0 };
    assert.deepEqual(
      lines.map(({ action, detail: { before, after, newRefunds } }) => [action, before, after, newRefunds]),
      [
        ['refundOrder', null, { status: 'pending', ...zero }, [{ refundId: 'r1', amount: euros('1.00') }]],
        ['cancelOrder', { status: 'pending', ...zero }, { status: 'cancelled', ...zero }, undefined],
        ['withdrawCancellation', { status: 'cancelled', ...zero }, { status: 'pending', ...zero }, undefined],
        [
          'refundOrder',
          { status: 'processed', refunded: euros('1.00'), points: 23 },
          { status: 'processed', refunded: euros('3.00'), points: 19 },
          [{ refundId: 'r2', amount: euros('2.00') }],
        ],
        [
          'cancelOrder',
          { status: 'processed', refunded: euros('3.00'), points: 19 },
          { status: 'cancelled', refunded: euros('3.00'), points: 0 },
          undefined,
        ],
      ],
    );
  });
});

/** What an event says that was before is what the one before it has left. */
function assertChain(events: readonly Json[]): void {
  for (const [place, { data, previous }] of events.slice(1).entries()) {
    const { newRefunds: _, updatedAt: __, ...was } = { ...data, ...previous };
    const { newRefunds: ___, updatedAt: ____, ...left } = events[place]?.data ?? {};
    assert.deepEqual(was, left);
  }
}
