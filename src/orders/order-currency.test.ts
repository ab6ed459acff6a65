import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { assertRefused, type Json } from '../../test/client.ts';
import { inParallel, makeCard, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { decodeId } from '../kit/ids.ts';
import { clock, connectShop, newOrder, send } from '../stores/stores.fixture.ts';
import { processStoreWebhooks } from './from-stores/process-store-webhooks.job.ts';
import { Shop } from './shop.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
clock.now = () => app.running.app.now();
const ctx = { app: app.running.app, requestId: 'job' };

const perEuro = { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 }, earn: { perCurrencyUnit: 1 } };
const yen = (amount: string) => ({ total: { amount, currency: 'JPY' } });
const setEarn = (shop: Shop, earn: object) =>
  shop.client.patch(`/loyalty/programs/${shop.programId}`, { earn });

async function processWebhooks(): Promise<void> {
  while (await processStoreWebhooks(ctx)) {}
}

describe('an order in another currency', () => {
  it('is refused with the rate to set, leaves nothing behind, and earns by it afterwards', async () => {
    const shop = await Shop.open(app, perEuro);
    const noRate =
      /^total\.currency: the program counts in EUR and has no rate for JPY\. .*\{"earn":\{"rates":\{"JPY":/;
    assertRefused(await shop.process('1', yen('1000')), 'invalid_request', noRate);
    assert.equal((await shop.cards()).length, 0);
    assertRefused(await shop.client.get('/orders/1'), 'order_not_found');
    await setEarn(shop, { rates: { JPY: '0.0061' } });
    const { body } = await shop.process('1', yen('1000'));
    assert.deepEqual([body.pointsAwarded, body.issued], [6, true]);
    const order = await shop.order('1');
    assert.deepEqual(order.earn, {
      perCurrencyUnit: 1,
      currency: 'EUR',
      rates: { JPY: '0.0061' },
      perOrder: 0,
      minOrder: null,
    });
    await shop.assertSound();
  });

  it('loses by the rate that it earned by, in its own currency', async () => {
    const shop = await Shop.open(app, { ...perEuro, earn: { perCurrencyUnit: 1, rates: { JPY: '0.01' } } });
    await shop.process('1', yen('10000'));
    assert.equal(await shop.balance(), 100);
    await setEarn(shop, { currency: 'USD', rates: { JPY: '0.5' } });
    assertRefused(await shop.refund('1', 'euros', '10.00'), 'invalid_request', /placed in JPY/);
    assert.equal((await shop.refund('1', 'a', '2550', 'JPY')).body.pointsTaken, 26);
    assert.equal((await shop.refund('1', 'b', '50', 'JPY')).body.pointsTaken, 0);
    assert.equal((await shop.cancel('1')).body.pointsTaken, 74);
    assert.equal(await shop.balance(), 0);
    await shop.assertSound();
  });

  it('earns where the program counts orders and no money', async () => {
    const stamps = { mode: 'STAMPS', reward: { title: 'Coffee' }, threshold: 3 };
    const shop = await Shop.open(app, stamps);
    assert.equal((await shop.process('1', yen('1000'))).body.pointsAwarded, 1);
    assert.equal((await shop.process('2')).body.pointsAwarded, 1);
  });

  it('is refused alone among others that come at once', async () => {
    const shop = await Shop.open(app, perEuro);
    const replies = await inParallel(40, (index) =>
      shop.process(`${index}`, { customer: { id: `c${index % 5}` }, ...(index % 4 === 0 && yen('1000')) }),
    );
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 30, 400: 10 });
    await shop.assertSound();
  });

  it('is previewed like it would earn', async () => {
    const shop = await Shop.open(app, perEuro);
    const preview = () =>
      shop.client.post('/loyalty/points/preview', { passId: shop.passId, ...yen('1000') });
    assertRefused(await preview(), 'invalid_request', /no rate for JPY/);
    await setEarn(shop, { rates: { JPY: '0.0061' } });
    assert.equal((await preview()).body.points, 6);
    assert.deepEqual(await shop.cards(), []);
  });
});

describe('an order that a store reports in another currency', () => {
  it('waits, and is settled once when the program has a rate', async () => {
    const shop = await Shop.open(app, perEuro);
    const { storeId, domain } = await connectShop(shop.client, { passId: shop.passId });
    const elsewhere = await Shop.open(app, perEuro);
    const other = await connectShop(elsewhere.client, { passId: elsewhere.passId });
    for (const [client, id] of [
      [shop.client, storeId],
      [elsewhere.client, other.storeId],
    ] as const) {
      await send(client, id, newOrder('1', yen('1000')));
      await send(client, id, newOrder('2'));
    }
    await processWebhooks();
    const state = async (): Promise<Json> => (await shop.client.get(`/stores/${storeId}`)).body;
    assert.deepEqual([(await state()).waitingWebhooks, (await state()).problem.code], [1, 'invalid_request']);
    assert.equal(await shop.balance(encodeURIComponent(`${domain}/7`)), 10);
    await setEarn(shop, { rates: { JPY: '0.0061' } });
    await processWebhooks();
    assert.deepEqual([(await state()).waitingWebhooks, (await state()).problem], [0, null]);
    assert.equal(await shop.balance(encodeURIComponent(`${domain}/7`)), 16);
    // Another workspace's waits on.
    const { waitingWebhooks } = (await elsewhere.client.get(`/stores/${other.storeId}`)).body;
    assert.equal(waitingWebhooks, 1);
    await shop.assertSound();
  });
});

describe('programs and orders of the version before', () => {
  const backfill = async () => {
    const file = new URL('../../db/migrations/0029_currencies_rewards_tiers.sql', import.meta.url);
    const [update = ''] = (await readFile(file, 'utf8')).split(';\n');
    await app.sql(update);
  };
  const forget = (shop: Shop) =>
    app.sql("update programs set earn = earn - 'currency' - 'rates' where program_id = $1", [
      decodeId('prog', shop.programId),
    ]);
  const currencyOf = async ({ client, programId }: Shop) =>
    (await client.get(`/loyalty/programs/${programId}`)).body.earn.currency;

  it('count any currency one for one, as they did, and refunds go by that', async () => {
    const shop = await Shop.open(app, perEuro);
    await forget(shop);
    assert.equal((await shop.process('1', yen('1000'))).body.pointsAwarded, 1_000);
    assert.equal((await shop.order('1')).earn.currency, null);
    await backfill();
    assert.equal((await shop.refund('1', 'r', '400', 'JPY')).body.pointsTaken, 400);
    await shop.assertSound();
  });

  it('get the currency of their least order, else the one that they were used with, else the one of the workspace', async () => {
    const least = await Shop.open(app, {
      ...perEuro,
      earn: { currency: 'USD', minOrder: { amount: '5.00', currency: 'USD' } },
    });
    const used = await Shop.open(app, perEuro);
    const idle = await Shop.open(app, perEuro);
    await idle.client.patch('/workspace', { currency: 'CHF' });
    for (const shop of [least, used, idle]) await forget(shop);
    await used.process('1');
    for (const orderId of ['2', '3']) await used.process(orderId, yen('1000'));
    await backfill();
    assert.deepEqual(
      [await currencyOf(least), await currencyOf(used), await currencyOf(idle)],
      ['USD', 'JPY', 'CHF'],
    );
    const { body } = await used.client.get(`/loyalty/programs/${used.programId}`);
    assert.deepEqual(body.earn.rates, {});
  });

  it('gain a currency with the next change, where a process of that version has written them since', async () => {
    const shop = await Shop.open(app, perEuro);
    await forget(shop);
    assert.equal(await currencyOf(shop), null);
    await shop.client.patch(`/loyalty/programs/${shop.programId}`, { pointName: { one: 'bean' } });
    assert.equal(await currencyOf(shop), 'EUR');
    assert.ok(await makeCard(shop.client, shop.passId));
  });
});
