import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Json } from '../../test/client.ts';
import { eventsOf } from '../../test/events.ts';
import { inParallel } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { until } from '../../test/wallets.ts';
import { expirePoints } from './expire-points.job.ts';
import { coffee, Till, threeStamps } from './till.fixture.ts';

const app = await startTestApp();
let till: Till;
beforeEach(async () => {
  till = await Till.open(app);
});

const isOfEntry = ({ type }: Json): boolean => /^(points|reward)\./.test(type);

/** The events of the ledger, once each of its entries has one. */
async function entryEvents(by = till, card = by.ada): Promise<Json[]> {
  const entries = await by.entries(card);
  let events: Json[] = [];
  await until('each entry has its event', async () => {
    events = (await eventsOf(by.client, `instanceId=${card.instanceId}`)).filter(isOfEntry);
    return events.length >= entries.length;
  });
  return events;
}

/** Fails unless each entry of the card has one event, as the API shows it, and each event continues the one before. */
async function assertEmitted(by = till, card = by.ada): Promise<Json[]> {
  const events = await entryEvents(by, card);
  const entries = await by.entries(card);
  assert.equal(events.length, entries.length);
  let balance = 0;
  for (const [at, { data, previous, passId, instanceId, createdAt }] of events.entries()) {
    const { programId: _, rewardId: __, title: ___, ...shown } = data;
    assert.deepEqual(shown, entries[at]);
    assert.equal(previous.balance ?? balance, balance);
    assert.equal('balance' in previous, data.points !== 0);
    assert.deepEqual([passId, instanceId], [by.passId, card.instanceId]);
    assert.ok(createdAt >= data.createdAt);
    balance = data.balance;
  }
  return events;
}

const typesOf = (events: readonly Json[]): string[] => events.map(({ type }) => type);

describe('what the ledger does is emitted', () => {
  it('with each entry, who made it, and the balance before', async () => {
    const earned = await till.earn(12, { externalRef: 'r-1', reason: 'A birthday' });
    await till.adjust(-1);
    const redeemed = await till.redeem();
    await till.reverse(redeemed);
    await till.reverse(earned);
    const events = await assertEmitted();
    assert.deepEqual(typesOf(events), [
      'points.awarded',
      'points.adjusted',
      'reward.redeemed',
      'points.reversed',
      'points.reversed',
    ]);
    const { keyId } = (await till.client.get('/me')).body;
    const [award, , reward, undone] = events;
    assert.deepEqual([award?.actor, award?.data.actor, award?.previous], [keyId, keyId, { balance: 0 }]);
    assert.equal(award?.requestId, earned.headers.get('x-request-id'));
    assert.deepEqual(
      [reward?.data.rewardId, reward?.data.title, reward?.data.programId, reward?.data.entryId],
      [redeemed.body.rewardId, 'Free coffee', till.program.programId, redeemed.body.entryId],
    );
    assert.equal(undone?.data.reversalOf, redeemed.body.entryId);
  });

  it('with each reward that stamps unlock, use or get back', async () => {
    till = await Till.open(app, threeStamps);
    const earned = await till.earn(7);
    await till.redeem();
    await till.reverse(earned);
    const events = await assertEmitted();
    assert.deepEqual(typesOf(events), [
      'points.awarded',
      'reward.unlocked',
      'reward.unlocked',
      'reward.redeemed',
      'points.reversed',
      'points.reversed',
    ]);
    const [, first, second, used, cancelled] = events;
    assert.equal(first?.data.rewardId, used?.data.rewardId);
    assert.equal(second?.data.rewardId, cancelled?.data.rewardId);
    assert.equal(second?.data.kind, 'unlock');
  });

  it('once, however often and at how many places the call is made', async () => {
    await inParallel(20, () => till.earn(1, { externalRef: 'r-1' }));
    await inParallel(20, () => till.earn(1));
    await till.redeem({ externalRef: 'x-1' });
    await till.redeem({ externalRef: 'x-1' });
    assert.deepEqual((await assertEmitted()).length, 22);
  });

  it('never where nothing happens', async () => {
    await till.earn(1, { identifier: 'nobody' });
    await till.redeem();
    await till.adjust(-1);
    await till.preview({ points: 5 });
    await importOf('ada,0');
    await importOf('ada,50', '?dryRun=true');
    await till.earn(3);
    assert.deepEqual(typesOf(await assertEmitted()), ['points.awarded']);
  });

  it('of an award that a limit made nothing, with the limit', async () => {
    till = await Till.open(app, { ...coffee, limits: { perDay: 5 } });
    await till.earn(5);
    await till.earn(1);
    const [, limited] = await assertEmitted();
    assert.deepEqual([limited?.data.points, limited?.data.limitedBy, limited?.previous], [0, 'per_day', {}]);
  });

  it('of imports, cards with a balance, and batches', async () => {
    await importOf('ada,30');
    const awards = [1, 2, 3].map((points) => ({ passId: till.passId, identifier: 'ada', points }));
    await till.client.post('/loyalty/points/batch', { awards });
    assert.deepEqual(typesOf(await assertEmitted()), [
      'points.adjusted',
      'points.awarded',
      'points.awarded',
      'points.awarded',
    ]);
    const instances = [{ barcode: 'OLD-1', balance: 40 }];
    const { body } = await till.client.post(`/passes/${till.passId}/instances/import`, { instances });
    const card = body.results[0].instance;
    assert.deepEqual(typesOf(await assertEmitted(till, card)), ['points.adjusted']);
  });

  it('of points that expire, by the system', async () => {
    till = await Till.open(app, { ...coffee, expiry: { months: 1 } });
    await till.earn(7, { occurredAt: new Date(Date.now() - 20 * 86_400_000).toISOString() });
    const late = Date.now() + 20 * 86_400_000;
    app.stopClock(late);
    while (await expirePoints({ app: app.running.app, requestId: 'expiry' })) {}
    const [, expired] = await assertEmitted();
    assert.deepEqual(
      [expired?.type, expired?.actor, expired?.requestId, expired?.data.points, expired?.previous],
      ['points.expired', 'system', 'expiry', -7, { balance: 7 }],
    );
  });

  it('of orders and their refunds', async () => {
    till = await Till.open(app, { ...coffee, earn: { perCurrencyUnit: 1, currency: 'EUR' } });
    const order = {
      passId: till.passId,
      orderId: 'o-1',
      customer: { id: 'ada' },
      total: { amount: '20.00', currency: 'EUR' },
    };
    assert.equal((await till.client.post('/orders/process', order)).body.pointsAwarded, 20);
    const amount = { amount: '5.00', currency: 'EUR' };
    await till.client.post('/orders/o-1/refunds', { refundId: '1', amount });
    const events = await assertEmitted();
    assert.deepEqual(typesOf(events), ['points.awarded', 'points.reversed']);
    assert.equal(events[1]?.data.orderId, 'o-1');
  });

  function importOf(line: string, query = '') {
    const path = `/loyalty/programs/${till.program.programId}/balances${query}`;
    return till.client.send('POST', path, `identifier,balance\n${line}\n`, {
      headers: { 'content-type': 'text/csv' },
    });
  }
});
