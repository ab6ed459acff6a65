import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Json, type Reply } from '../../test/client.ts';
import { startTestApp } from '../../test/harness.ts';
import { Till } from './till.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
const hour = 3_600_000;
const start = Date.now();
/** When the till's card expires; the clock of the service stands an hour before it. */
const end = new Date(start + hour);
const euros = { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 }, earn: { perCurrencyUnit: 1 } };

let till: Till;
beforeEach(async () => {
  app.stopClock(start);
  till = await Till.open(app, euros);
  const path = `/instances/${till.ada.instanceId}`;
  assert.equal((await till.client.patch(path, { expiresAt: end.toISOString() })).status, 200);
  assert.equal((await till.earn(30)).status, 200);
});

/** Moves the clock to so many milliseconds after the end. */
const moveTo = (ms: number) => app.stopClock(end.getTime() + ms);

function assertExpired(reply: Reply, at = end): void {
  assertRefused(reply, 'instance_expired', /expiresAt/, { expiredAt: at.toISOString() });
}

const order = (orderId: string, more: object = {}) =>
  till.client.post('/orders/process', {
    passId: till.passId,
    orderId,
    customer: { id: 'ada' },
    total: { amount: '7.00', currency: 'EUR' },
    ...more,
  });

describe('an expired card', () => {
  it('is good to its last millisecond, and no longer: one boundary for all that asks', async () => {
    moveTo(-1);
    assert.equal((await till.earn(1)).status, 200);
    assert.equal((await till.redeem()).status, 200);
    assert.equal((await till.preview({ points: 1 })).status, 200);
    assert.equal((await till.rewards()).status, 200);
    assert.equal((await till.client.get(`/instances/${till.ada.instanceId}`)).body.expired, undefined);
    moveTo(0);
    await till.assertUntouched(async () => {
      const { instanceId, barcode } = till.ada;
      for (const named of [{ identifier: 'ada' }, { instanceId }, { barcode }]) {
        assertExpired(await till.earn(1, named));
        assertExpired(await till.redeem(named));
        assertExpired(await till.preview({ points: 1, ...named }));
      }
      assertExpired(await till.rewards());
    });
    assert.equal((await till.client.get(`/instances/${till.ada.instanceId}`)).body.expired, true);
  });

  it('is found by every look-up, which says so', async () => {
    moveTo(5);
    const { passId, ada, client } = till;
    const found = [
      (await client.get(`/instances/lookup?barcode=${ada.barcode}`)).body,
      (await client.get(`/instances/lookup?instanceId=${ada.instanceId}`)).body,
      ...(await client.get(`/passes/${passId}/instances?identifier=ada`)).body.data,
    ];
    for (const card of found)
      assert.deepEqual(
        [card.instanceId, card.status, card.expiresAt, card.expired],
        [ada.instanceId, 'active', end.toISOString(), true],
      );
    assert.equal((await till.holder()).balance, 30);
  });

  it('of a batch refuses its own items only', async () => {
    const bob = await till.card('bob');
    moveTo(0);
    const to = (instanceId: string) => ({ passId: till.passId, instanceId, points: 2 });
    const { body } = await till.client.post('/loyalty/points/batch', {
      awards: [to(till.ada.instanceId), to(bob.instanceId)],
    });
    assert.deepEqual(
      body.results.map(({ status, error }: Json) => [status, error?.code, error?.expiredAt]),
      [
        [409, 'instance_expired', end.toISOString()],
        [200, undefined, undefined],
      ],
    );
  });

  it('takes what happened before its end and comes later, and nothing that happened from then on', async () => {
    moveTo(2 * hour);
    const at = (ms: number) => ({ occurredAt: new Date(end.getTime() + ms).toISOString() });
    assert.equal((await till.earn(4, at(-1))).body.balance, 34);
    assertExpired(await till.earn(4, at(0)));
    // A till whose clock runs ahead says that it happened later than it came.
    moveTo(-1_000);
    assert.equal((await till.earn(4, at(2_000))).body.balance, 38);
  });

  it('lets corrections, undo and imports of balances work', async () => {
    const award = await till.earn(5);
    const redeemed = await till.redeem();
    moveTo(1);
    assert.equal((await till.reverse(redeemed)).status, 200);
    assert.equal((await till.reverse(award)).body.balance, 30);
    assert.equal((await till.adjust(-3)).body.balance, 27);
    assert.equal((await till.adjust(3)).body.balance, 30);
    const path = `/loyalty/programs/${till.program.programId}/balances`;
    const headers = { 'content-type': 'text/csv' };
    const report = await till.client.send('POST', path, 'identifier,balance\nada,12\n', { headers });
    assert.equal(report.body.results[0].status, 'changed');
    await till.assertSound();
  });

  it('takes fields and pushes, and a later end revives it', async () => {
    moveTo(1);
    const path = `/instances/${till.ada.instanceId}`;
    assert.equal((await till.client.post(`${path}/push`)).status, 200);
    const later = new Date(end.getTime() + hour).toISOString();
    const changed = await till.client.patch(path, { expiresAt: later, metadata: { note: 'extended' } });
    assert.equal(changed.status, 200, changed.text);
    assert.equal((await till.earn(1)).status, 200);
    assert.equal((await till.client.get(path)).body.expired, undefined);
    moveTo(hour);
    assertExpired(await till.earn(1), new Date(later));
  });

  it('is the same whether its own moment, its pass, or days after its issue say so', async () => {
    const issued = new Date((await till.client.get(`/instances/${till.ada.instanceId}`)).body.createdAt);
    const pass = (expiry: object) => till.client.patch(`/passes/${till.passId}`, { expiry });
    await till.client.patch(`/instances/${till.ada.instanceId}`, { expiresAt: null });
    const days = new Date(issued.getTime() + 86_400_000);
    await pass({ kind: 'afterIssue', days: 1 });
    app.stopClock(days.getTime() - 1);
    assert.equal((await till.earn(1)).status, 200);
    app.stopClock(days.getTime());
    assertExpired(await till.earn(1), days);
    const fixed = new Date(days.getTime() - 1_000);
    await pass({ kind: 'fixed', at: fixed.toISOString() });
    assertExpired(await till.redeem(), fixed);
    await pass({ kind: 'none' });
    assert.equal((await till.redeem()).status, 200);
  });

  it('answers a repeat of what it took as it did then', async () => {
    const first = await till.earn(5, { externalRef: 'receipt-1' });
    const redeemed = await till.redeem({ externalRef: 'receipt-2' });
    moveTo(hour);
    for (const [reply, original] of [
      [await till.earn(5, { externalRef: 'receipt-1' }), first],
      [await till.redeem({ externalRef: 'receipt-2' }), redeemed],
    ] as const) {
      assert.equal(reply.headers.get('idempotent-replayed'), 'true');
      assert.equal(reply.text, original.text);
    }
    assertExpired(await till.earn(6, { externalRef: 'receipt-3' }));
    // What is refused keeps no key.
    await till.client.patch(`/instances/${till.ada.instanceId}`, {
      expiresAt: new Date(end.getTime() + 2 * hour).toISOString(),
    });
    assert.equal((await till.earn(6, { externalRef: 'receipt-3' })).status, 200);
  });

  it('is checked after the program and the card, and before limits and balance', async () => {
    await till.change({ limits: { perDay: 1 } });
    moveTo(0);
    assertExpired(await till.earn(500));
    await till.change({ status: 'paused' });
    assertRefused(await till.earn(1), 'program_inactive');
    await till.change({ status: 'active' });
    await till.void();
    assertRefused(await till.earn(1), 'instance_voided');
  });

  it('stays the card of its holder: issuing again answers it, and gives no second one', async () => {
    moveTo(0);
    const repeat = await till.client.post(`/passes/${till.passId}/instances`, {
      holder: { identifier: 'ada' },
    });
    assert.equal(repeat.status, 200);
    assert.deepEqual(
      [repeat.body.instanceId, repeat.body.expiresAt],
      [till.ada.instanceId, end.toISOString()],
    );
    // A new card instead, by what has always been the way: it takes the points along.
    await till.void();
    const next = await till.card('ada');
    assert.deepEqual([next.loyalty.balance, next.expiresAt], [30, null]);
    const earned = await till.earn(1, { identifier: 'ada' });
    assert.equal(earned.body.instanceId, next.instanceId, earned.text);
  });
});

describe('orders of the holder of an expired card', () => {
  it('are kept, earn nothing, and say why', async () => {
    moveTo(0);
    const { status, body } = await order('o-1');
    assert.equal(status, 200);
    assert.deepEqual(
      [body.instanceId, body.issued, body.pointsAwarded, body.limitedBy, body.balance],
      [till.ada.instanceId, false, 0, 'instance_expired', 30],
    );
    assert.equal((await till.client.get('/orders/o-1')).body.limitedBy, 'instance_expired');
    const entry = (await till.entries()).at(-1);
    assert.deepEqual([entry?.kind, entry?.points, entry?.limitedBy], ['earn', 0, 'instance_expired']);
    const refund = await till.client.post('/orders/o-1/refunds', {
      refundId: 'r-1',
      amount: { amount: '7.00', currency: 'EUR' },
    });
    assert.deepEqual([refund.status, refund.body.pointsTaken], [200, 0]);
    await till.assertSound();
  });

  it('of before the end earn whenever they come, and can be refunded after it', async () => {
    moveTo(hour);
    const made = { occurredAt: new Date(end.getTime() - 1).toISOString() };
    assert.equal((await order('o-2', made)).body.pointsAwarded, 7);
    const refund = await till.client.post('/orders/o-2/refunds', {
      refundId: 'r-2',
      amount: { amount: '7.00', currency: 'EUR' },
    });
    assert.deepEqual([refund.body.pointsTaken, refund.body.balance], [7, 30]);
    assert.equal((await order('o-3', { occurredAt: end.toISOString() })).body.limitedBy, 'instance_expired');
    await till.assertSound();
  });

  it('are previewed as they would be', async () => {
    moveTo(0);
    const { body } = await till.preview({ total: { amount: '7.00', currency: 'EUR' } });
    assert.deepEqual([body.points, body.limitedBy, body.balance], [0, 'instance_expired', 30]);
  });
});

describe('a form to enrol', () => {
  it('closes with the time of its pass, and opens when that is set later', async () => {
    const path = `/passes/${till.passId}`;
    const join = { enabled: true, fields: [{ key: 'name', required: true }], consents: [], proof: 'none' };
    const changed = await till.client.patch(path, {
      join,
      expiry: { kind: 'fixed', at: end.toISOString() },
    });
    assert.equal(changed.status, 200, changed.text);
    moveTo(-1);
    assert.equal((await app.anyone.get(`/join/${till.passId}`)).status, 200);
    moveTo(0);
    assertRefused(await app.anyone.get(`/join/${till.passId}`), 'pass_not_found');
    await till.client.patch(path, { expiry: { kind: 'none' } });
    assert.equal((await app.anyone.get(`/join/${till.passId}`)).status, 200);
  });
});
