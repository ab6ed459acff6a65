import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../../test/client.ts';
import { makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { coffee, Till, threeStamps } from './till.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
let till: Till;
beforeEach(async () => {
  till = await Till.open(app);
});

const euros = (amount: string) => ({ total: { amount, currency: 'EUR' } });
/** Without naming a card. */
const unnamed = (body: object) =>
  till.client.post('/loyalty/points/preview', { passId: till.passId, ...body });

describe('POST /loyalty/points/preview', () => {
  it('says where an award would lead, and changes nothing', async () => {
    await till.earn(7);
    await till.assertUntouched(async () => {
      const { status, body } = await till.preview({ points: 5 });
      assert.equal(status, 200);
      assert.deepEqual(body, { points: 5, balance: 12, pendingRewards: 0, rewardsUnlocked: 0 });
      assert.deepEqual((await till.preview({ points: 5 })).body, body);
    });
    assert.equal((await till.earn(5)).body.balance, 12);
  });

  it('works for a card that never earned', async () => {
    await till.assertUntouched(async () => {
      assert.equal((await till.preview({ points: 5 })).body.balance, 5);
    });
    assert.deepEqual((await till.snapshot()).accounts, []);
  });

  it('says which rewards stamps would unlock', async () => {
    till = await Till.open(app, threeStamps);
    await till.earn(4);
    const { body } = await till.preview({ points: 5 });
    assert.deepEqual(body, { points: 5, balance: 0, pendingRewards: 3, rewardsUnlocked: 2 });
    assertRefused(await till.preview({ points: 303 }), 'invalid_request', /rewards at once/);
    const earned = await till.earn(5);
    assert.deepEqual([earned.body.balance, earned.body.pendingRewards], [0, 3]);
  });

  it('computes what an order would earn, rounded down', async () => {
    till = await Till.open(app, { ...coffee, earn: { perCurrencyUnit: 1.5, perOrder: 2 } });
    for (const [amount, points] of [
      ['0', 0],
      ['0.66', 2],
      ['0.67', 3],
      ['12.50', 20],
      ['12.5', 20],
      ['1000000', 1_500_002],
    ] as const)
      assert.equal((await till.preview(euros(amount))).body.points, points, amount);
  });

  it('heeds the least order, and says 0 below it', async () => {
    till = await Till.open(app, {
      ...coffee,
      earn: { perCurrencyUnit: 1, minOrder: { amount: '10.00', currency: 'EUR' } },
    });
    assert.equal((await till.preview(euros('9.99'))).body.points, 0);
    assert.deepEqual((await till.preview(euros('10.00'))).body.points, 10);
    const dollars = { total: { amount: '12.00', currency: 'USD' } };
    assertRefused(await till.preview(dollars), 'invalid_request', /^total\.currency.*EUR/);
  });

  it('says nothing of a balance where no card is named', async () => {
    const noCard = { balance: null, pendingRewards: null, rewardsUnlocked: null };
    assert.deepEqual((await unnamed({ points: 5 })).body, { points: 5, ...noCard });
    assert.deepEqual((await unnamed(euros('12.99'))).body, { points: 12, ...noCard });
  });

  it('says which limit the award would meet', async () => {
    till = await Till.open(app, { ...coffee, limits: { perDay: 10, minSecondsBetween: 3_600 } });
    assert.equal((await till.preview({ points: 11 })).body.limitedBy, 'per_day');
    await till.earn(4);
    const { body } = await till.preview({ points: 1 });
    assert.deepEqual(body, {
      points: 0,
      limitedBy: 'min_seconds_between',
      balance: 4,
      pendingRewards: 0,
      rewardsUnlocked: 0,
    });
    assert.equal('limitedBy' in (await till.preview(euros('0.50'))).body, false);
  });

  it('pays what the card owes first', async () => {
    const earned = await till.earn(10);
    await till.redeem();
    await till.reverse(earned);
    assert.equal((await till.preview({ points: 4 })).body.balance, -6);
  });

  it('serves a key of the pass, and none that may only read', async () => {
    const { client } = await makeKey(till.client, { passIds: [till.passId] });
    assert.equal((await till.preview({ points: 5 }, client)).status, 200);
    const { client: reader } = await makeKey(till.client, { access: 'read' });
    assertRefused(await till.preview({ points: 5 }, reader), 'insufficient_scope');
  });
});

describe('POST /loyalty/points/preview refuses', () => {
  const bodies: [string, object, RegExp][] = [
    ['neither points nor total', {}, /points, or the total/],
    ['both', { points: 1, ...euros('1') }, /points, or the total/],
    ['two targets', { points: 1, barcode: 'A' }, /only one of/],
    ['0 points', { points: 0 }, /^points/],
    ['a reference', { points: 1, externalRef: 'r-1' }, /externalRef/],
    ['a number as amount', { total: { amount: 12.5, currency: 'EUR' } }, /^total\.amount/],
    ['an amount below 0', euros('-1'), /^total\.amount/],
    ['three decimals of a euro', euros('1.005'), /^total\.amount.*2 decimals/],
    ['decimals of a yen', { total: { amount: '1.5', currency: 'JPY' } }, /^total\.amount.*no decimals/],
    ['an unknown currency', { total: { amount: '1', currency: 'ABC' } }, /^total\.currency/],
    ['a currency in small letters', { total: { amount: '1', currency: 'eur' } }, /^total\.currency/],
    ['more than a balance holds', { points: Number.MAX_SAFE_INTEGER }, /^points/],
  ];
  for (const [what, change, message] of bodies) {
    it(`${what}: invalid_request`, async () => {
      await till.earn(1);
      const body = { passId: till.passId, identifier: 'ada', ...change };
      assertRefused(await till.client.post('/loyalty/points/preview', body), 'invalid_request', message);
    });
  }

  it('what the award would be refused for', async () => {
    const other = await Till.open(app);
    const plain = await makePass(till.client);
    const points = { points: 1 };
    const missing = encodeId('pass', newUuidV7());
    assertRefused(await till.preview({ ...points, passId: missing }), 'pass_not_found');
    assertRefused(await till.preview({ ...points, passId: other.passId }), 'forbidden');
    assertRefused(await till.preview({ ...points, passId: plain.passId }), 'no_loyalty_program');
    assertRefused(await till.preview({ ...points, identifier: 'bob' }), 'holder_not_found');
    assertRefused(await till.preview({ ...points, barcode: 'missing' }), 'instance_not_found');
    const { instanceId } = other.ada;
    assertRefused(await till.preview({ ...points, instanceId }), 'forbidden');
    await till.void();
    assertRefused(await till.preview(points), 'instance_voided');
    await till.change({ status: 'paused' });
    assertRefused(await till.preview(points), 'program_inactive');
    assertRefused(await unnamed(points), 'program_inactive');
    const early = await Till.open(app, coffee, { launched: false });
    assertRefused(await early.preview(points), 'program_not_launched');
  });

  it('a code that several cards share', async () => {
    till = await Till.open(app, coffee, { design: { barcode: { mode: 'simple', value: 'SHARED' } } });
    assert.equal((await till.preview({ points: 1, barcode: 'SHARED' })).status, 200);
    await till.card();
    const refused = await till.preview({ points: 1, barcode: 'SHARED' });
    assertRefused(refused, 'ambiguous_barcode', /./, { matchCount: 2 });
  });
});
