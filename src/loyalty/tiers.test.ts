import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Json } from '../../test/client.ts';
import { inParallel } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { Phones, startDevelopmentApns, until } from '../../test/wallets.ts';
import { Till, threeStamps } from './till.fixture.ts';

const apns = await startDevelopmentApns();
const app = await startTestApp({ APNS_URL: apns.url });
const phones = new Phones(app, apns);

const tiers = [
  { key: 'silver', title: 'Silver', from: 100 },
  { key: 'gold', title: 'Gold', from: 1_000, multiplier: 1.5 },
];
const club = { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 }, tiers };
/** Its default is Bronze, for holders without a tier. */
const tierField = { key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary' };
const design = { fields: [{ ...tierField, changeMessage: 'You are now %@' }] };

let till: Till;
beforeEach(async () => {
  till = await Till.open(app, club, { design });
});

const instance = async ({ instanceId } = till.ada): Promise<Json> =>
  (await till.client.get(`/instances/${instanceId}`)).body;
/** What the account says, what the card's account says, and what the card shows. */
const shown = async () => {
  const { loyalty, fields } = await instance();
  const { tier } = await till.holder();
  assert.deepEqual(loyalty.tier, tier);
  return [tier?.key ?? null, fields.tier];
};
const earned = async (points: number, more: object = {}) => (await till.earn(points, more)).body.points;

describe('the tier of a card', () => {
  it('goes by what was ever earned: spending leaves it, undoing an earn may take it back', async () => {
    assert.deepEqual(await shown(), [null, 'Bronze']);
    await till.earn(99);
    assert.deepEqual(await shown(), [null, 'Bronze']);
    const last = await till.earn(901);
    assert.deepEqual(await shown(), ['gold', 'Gold']);
    for (let turn = 0; turn < 95; turn++) await till.redeem();
    assert.deepEqual([await shown(), (await till.holder()).balance], [['gold', 'Gold'], 50]);
    await till.reverse(last);
    assert.deepEqual(await shown(), [null, 'Bronze']);
    await till.earn(1);
    assert.deepEqual(await shown(), ['silver', 'Silver']);
    await till.assertSound();
  });

  it('is on the pass file, the web card and the previews, and reaches phones with its message', async () => {
    const phone = await phones.add([till.ada]);
    const views = async () => {
      const [page, svg, google] = await Promise.all([
        app.anyone.get(till.ada.links.card),
        till.client.get(
          `/passes/${till.passId}/preview.svg?platform=apple&instanceId=${till.ada.instanceId}`,
        ),
        till.client.get(
          `/passes/${till.passId}/preview.svg?platform=google&instanceId=${till.ada.instanceId}`,
        ),
      ]);
      return [page, svg, google].map(({ text }) => /Bronze|Silver|Gold/.exec(text)?.[0]);
    };
    assert.equal(phone.shows('tier'), 'Bronze');
    await till.earn(100);
    await until('the phone shows the tier', () => phone.shows('tier') === 'Silver');
    assert.deepEqual(await views(), ['Silver', 'Silver', 'Silver']);
    await till.change({ tiers: [{ key: 'silver', title: 'Gold', from: 100 }] });
    await until('the phone shows the new title', () => phone.shows('tier') === 'Gold');
    assert.deepEqual(await views(), ['Gold', 'Gold', 'Gold']);
    await till.change({ tiers: [] });
    await until('the phone shows the default', () => phone.shows('tier') === 'Bronze');
    assert.deepEqual(phone.complaints, []);
  });

  it('is not shown before the launch, nor where the pass has no such field', async () => {
    till = await Till.open(app, { ...club, tiers: [{ ...tiers[0], from: 0 }] }, { design, launched: false });
    assert.deepEqual(await shown(), ['silver', 'Bronze']);
    await till.change({ status: 'active' });
    assert.deepEqual(await shown(), ['silver', 'Silver']);
    const fresh = await till.card('bob');
    assert.deepEqual([fresh.fields.tier, fresh.loyalty.tier], ['Silver', { key: 'silver', title: 'Silver' }]);
    till = await Till.open(app, club, { design: { fields: [{ ...tierField, key: 'level' }] } });
    await till.earn(100);
    const { loyalty, fields } = await instance();
    assert.deepEqual([loyalty.tier.key, fields], ['silver', { level: 'Bronze' }]);
  });

  it("comes before the holder's own value, which is kept", async () => {
    const set = (tier: string) =>
      till.client.patch(`/instances/${till.ada.instanceId}/fields`, { fields: { tier } });
    await set('Founder');
    assert.deepEqual(await shown(), [null, 'Founder']);
    await till.earn(100);
    assert.deepEqual(await shown(), ['silver', 'Silver']);
    assert.equal((await set('Friend')).body.pushSkipReason, 'unchanged');
    await till.change({ tiers: [] });
    assert.deepEqual(await shown(), [null, 'Friend']);
  });

  it('moves with the account to the next card of its holder', async () => {
    await till.earn(100);
    await till.void();
    const next = await till.card('ada');
    assert.deepEqual([next.loyalty.tier.key, next.fields.tier], ['silver', 'Silver']);
  });

  it('makes no push of a change that no card shows', async () => {
    await till.change({ tiers: [tiers[0], { ...tiers[1], multiplier: 2 }] });
    const { rollout } = (await till.client.get(`/passes/${till.passId}`)).body;
    await till.change({ tiers: [tiers[0], { ...tiers[1], multiplier: 3 }] });
    assert.deepEqual((await till.client.get(`/passes/${till.passId}`)).body.rollout, rollout);
  });
});

describe('the multiplier of a tier', () => {
  it('counts what is earned from then on, exactly and rounded down', async () => {
    assert.equal(await earned(1_000), 1_000);
    assert.equal(await earned(1), 1);
    assert.equal(await earned(3), 4);
    await till.change({ tiers: [{ key: 'gold', title: 'Gold', from: 0, multiplier: 1.005 }] });
    // 1004.9999999999999 in floats.
    assert.equal(await earned(1_000), 1_005);
    assert.equal(await earned(199), 199);
    assert.equal(await earned(200), 201);
    await till.assertSound();
  });

  it('counts neither corrections nor what is given back', async () => {
    await till.earn(1_000);
    const award = await till.earn(10);
    assert.equal(award.body.points, 15);
    assert.equal((await till.adjust(10)).body.points, 10);
    assert.equal((await till.reverse(award)).body.points, -15);
  });

  it('counts before the limits, and is previewed', async () => {
    till = await Till.open(app, { ...club, limits: { perDay: 1_020 } }, { design });
    await till.earn(1_000);
    assert.equal((await till.preview({ points: 14 })).body.limitedBy, 'per_day');
    assert.deepEqual((await till.preview({ points: 13 })).body, {
      points: 19,
      balance: 1_019,
      pendingRewards: 0,
      rewardsUnlocked: 0,
    });
    const unnamed = await till.client.post('/loyalty/points/preview', { passId: till.passId, points: 13 });
    assert.equal(unnamed.body.points, 13);
    assert.equal((await till.earn(14)).body.limitedBy, 'per_day');
    assert.equal(await earned(13), 19);
  });

  it('refuses what is more than a balance holds', async () => {
    await till.earn(1_000);
    const refused = await till.earn(Number.MAX_SAFE_INTEGER - 2_000);
    assertRefused(refused, 'invalid_request', /^points: more than a balance can hold, counted 1\.5 times/);
    assert.equal((await till.holder()).balance, 1_000);
  });

  it('answers a repeat as at first, whatever became of the tier', async () => {
    await till.earn(1_000);
    const first = await till.earn(10, { externalRef: 'r' });
    await till.change({ tiers: [] });
    assert.equal((await till.earn(10, { externalRef: 'r' })).text, first.text);
  });

  it('begins with the award after the one that reaches the tier, however many come at once', async () => {
    const replies = await inParallel(30, () => till.earn(100));
    const points = replies.map(({ body }) => body.points).sort((a, b) => a - b);
    assert.deepEqual(points, [...Array(10).fill(100), ...Array(20).fill(150)]);
    await till.assertSound();
  });

  it('unlocks more rewards of stamps', async () => {
    till = await Till.open(app, {
      ...threeStamps,
      tiers: [{ key: 'gold', title: 'Gold', from: 2, multiplier: 3 }],
    });
    await till.earn(2);
    const { body } = await till.earn(2);
    assert.deepEqual([body.points, body.balance, body.pendingRewards], [6, 2, 2]);
  });
});

describe('an order in a tier', () => {
  const order = (orderId: string, amount: string) =>
    till.client.post('/orders/process', {
      passId: till.passId,
      orderId,
      customer: { id: 'ada' },
      total: { amount, currency: 'EUR' },
    });
  const refund = (orderId: string, refundId: string, amount: string) =>
    till.client.post(`/orders/${orderId}/refunds`, { refundId, amount: { amount, currency: 'EUR' } });

  it('counts what the rule makes of it, and loses by the tier of its day', async () => {
    assert.equal((await order('1', '1000.00')).body.pointsAwarded, 1_000);
    assert.equal((await order('2', '11.90')).body.pointsAwarded, 16);
    const { body } = await till.client.get('/orders/2');
    assert.deepEqual([body.points, body.multiplier, body.earn.perCurrencyUnit], [16, 1.5, 1]);
    assert.equal((await till.client.get('/orders/1')).body.multiplier, 1);
    await till.change({ tiers: [] });
    // What is left earns floor(floor(5.90) × 1.5) = 7.
    assert.equal((await refund('2', 'a', '6.00')).body.pointsTaken, 9);
    assert.equal((await refund('2', 'b', '5.90')).body.pointsTaken, 7);
    assert.equal((await till.holder()).balance, 1_000);
    await till.assertSound();
  });
});
