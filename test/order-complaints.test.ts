import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { processStoreWebhooks } from '../src/orders/from-stores/process-store-webhooks.job.ts';
import { reconcileStores } from '../src/orders/from-stores/reconcile-stores.job.ts';
import { euros, Shop } from '../src/orders/shop.fixture.ts';
import { makeAuthority } from '../tools/fakes/authority.ts';
import { ShopifyStore } from '../tools/fakes/shopify-store.ts';
import { trustAuthority } from '../tools/fakes/store-server.ts';
import { WooCommerceStore } from '../tools/fakes/woocommerce-store.ts';
import { assertRefused } from './client.ts';
import { inParallel, tally } from './factories.ts';
import { startTestApp } from './harness.ts';

/** What users of other loyalty systems have complained of about orders and webhooks, each with a test that it cannot happen here. */
const authority = makeAuthority();
after(trustAuthority(authority));
const app = await startTestApp({ WORKERS: 'off', FETCH_ALLOW_CIDRS: '127.0.0.1/32' });
const twin = await app.twin();
const now = () => app.running.app.now();
const ctx = { app: app.running.app, requestId: 'job' };
const customer = { email: 'ada@example.com' };

async function processWebhooks(): Promise<void> {
  while (await processStoreWebhooks(ctx)) {}
}

/** Shops send times in whole seconds, so that each step is in one of its own. */
const later = () => app.advance(2_000);

/** A merchant with a program, and an online shop that reports its orders. */
async function openOnline<Fake extends ShopifyStore | WooCommerceStore>(
  shop: Fake,
  program: object = euros,
): Promise<{
  merchant: Shop;
  shop: Fake;
  hear: (times?: number) => Promise<void>;
  balance: () => Promise<number>;
}> {
  after(() => shop.close());
  const merchant = await Shop.open(app, program);
  const keys = shop instanceof ShopifyStore ? { accessToken: shop.accessToken } : keysOf(shop);
  const { status, body, text } = await merchant.client.post('/stores', {
    platform: shop instanceof ShopifyStore ? 'shopify' : 'woocommerce',
    domain: shop.domain,
    credentials: keys,
    webhookSecret: shop.webhookSecret,
    passId: merchant.passId,
  });
  assert.equal(status, 201, text);
  shop.webhooks.subscribe(body.webhookUrl.replace('https://cards.example.test', app.url));
  later();
  return {
    merchant,
    shop,
    async hear(times = 1) {
      const sent = await shop.deliver({ times });
      for (const { status: answered, topic } of sent) assert.equal(answered, 200, topic);
      await processWebhooks();
    },
    balance: async () => (await merchant.cards())[0]?.loyalty.balance,
  };
}

const keysOf = ({ consumerKey, consumerSecret }: WooCommerceStore) => ({ consumerKey, consumerSecret });
const shopify = async (program?: object) =>
  openOnline(await ShopifyStore.start({ authority, now, customers: 10 }), program);
const woocommerce = async (program?: object) =>
  openOnline(await WooCommerceStore.start({ authority, now }), program);

describe('“Points were awarded again …', () => {
  it('… when the order event was replayed”', async () => {
    const { merchant, shop, hear } = await shopify();
    shop.placeOrder({ ...customer, total: '10.00', paid: true });
    await hear(3);
    for (const { topic, body, headers } of [...shop.webhooks.sent])
      await shop.webhooks.send({ topic, body, headers });
    await processWebhooks();
    assert.deepEqual(await merchant.story(), ['earn +25 = 25']);
  });

  it('… when the status was set to completed twice”', async () => {
    const { merchant, shop, hear } = await woocommerce();
    const { id } = shop.placeOrder({ ...customer, total: '10.00', paid: true });
    for (const status of ['completed', 'processing', 'completed', 'on-hold', 'completed'] as const) {
      later();
      shop.setStatus(id, status);
      await hear(2);
    }
    assert.deepEqual(await merchant.story(), ['earn +25 = 25']);
  });

  it('… for each shipment of a split order”', async () => {
    const { merchant, shop, hear } = await shopify();
    const order = shop.placeOrder({ ...customer, total: '10.00', paid: true });
    await hear();
    for (let parcel = 1; parcel <= 3; parcel++) {
      later();
      shop.webhooks.queue(
        shop.makeWebhook('orders/updated', { ...shop.payloadOf(order), note: `parcel ${parcel}` }),
      );
      await hear();
    }
    assert.deepEqual(await merchant.story(), ['earn +25 = 25']);
  });

  it('… by a double click, by two tabs, or by a retry of the network at another process”', async () => {
    const merchant = await Shop.open(app);
    const elsewhere = twin.as(merchant.client.secret);
    const order = {
      passId: merchant.passId,
      orderId: '1001',
      customer: { id: 'ada' },
      total: { amount: '10.00', currency: 'EUR' },
    };
    const replies = await inParallel(50, (at) =>
      (at % 2 === 0 ? merchant.client : elsewhere).post('/orders/process', order),
    );
    assert.deepEqual(tally(replies.map(({ text }) => text)), { [replies[0]?.text ?? '']: 50 });
    assert.deepEqual(await merchant.story(), ['earn +25 = 25']);
    await merchant.assertSound();
  });

  it('… by the till and by the webhook, which knew nothing of each other”', async () => {
    const { merchant, shop, hear } = await shopify();
    const { body } = await merchant.client.get('/stores');
    const { id } = shop.placeOrder({ ...customer, total: '10.00', paid: true });
    const call = () => merchant.process(String(id), { customer, storeId: body.data[0].storeId });
    const [first] = await Promise.all([call(), hear()]);
    await hear();
    assert.equal(first?.body.pointsAwarded, 25);
    assert.deepEqual((await call()).text, first?.text);
    assert.deepEqual(await merchant.story(), ['earn +25 = 25']);
  });
});

describe('“A failure …', () => {
  const order = (merchant: Shop) => ({
    passId: merchant.passId,
    orderId: '1001',
    customer: { id: 'ada' },
    total: { amount: '10.00', currency: 'EUR' },
  });

  for (const [errcode, what] of [
    ['40001', 'a serialization failure'],
    ['40P01', 'a deadlock'],
    ['55P03', 'a lock that was not free'],
  ] as const) {
    it(`… of the database, ${what}, was shown as a refusal, or was kept and replayed for ever”`, async () => {
      const merchant = await Shop.open(app);
      await app.sql(`create function fail_orders() returns trigger language plpgsql
        as $$ begin raise exception 'planted' using errcode = '${errcode}'; end $$`);
      await app.sql(
        'create trigger failing before insert on orders for each row execute function fail_orders()',
      );
      try {
        const failed = await merchant.client.impatient.post('/orders/process', order(merchant));
        if (errcode === '55P03') assertRefused(failed, 'overloaded');
        else assertRefused(failed, 'internal_error', /Retry/, { retryable: true });
      } finally {
        await app.sql('drop trigger failing on orders');
        await app.sql('drop function fail_orders');
      }
      assert.deepEqual(await merchant.cards(), []);
      assert.equal((await merchant.client.post('/orders/process', order(merchant))).body.pointsAwarded, 25);
      assert.deepEqual(await merchant.story(), ['earn +25 = 25']);
      await merchant.assertSound();
    });
  }

  // test/crash/short.test.ts has “… left an order ‘in progress’ that blocked every retry for days”.
});

describe('“A refund …', () => {
  it('… kept the points: buy, refund, buy, refund”', async () => {
    const { merchant, shop, hear, balance } = await shopify();
    for (let turn = 0; turn < 5; turn++) {
      later();
      const { id } = shop.placeOrder({ ...customer, total: '10.00', paid: true });
      await hear();
      assert.equal(await balance(), 25);
      later();
      shop.refund(id);
      await hear(2);
      assert.equal(await balance(), 0);
    }
    await merchant.assertSound();
  });

  it('… charged points that were spent again and again”', async () => {
    const { merchant, shop, hear, balance } = await shopify();
    const { id } = shop.placeOrder({ ...customer, total: '10.00', paid: true });
    await hear();
    const target = { passId: merchant.passId, identifier: customer.email };
    assert.equal((await merchant.client.post('/loyalty/redeem', target)).status, 200);
    later();
    shop.refund(id);
    await hear(3);
    assert.equal(await balance(), -10);
    await merchant.assertSound();
  });

  it('… of an order with points earned and points spent was miscalculated, in full and in part”', async () => {
    const { merchant, shop, hear, balance } = await shopify();
    const { id } = shop.placeOrder({ ...customer, lines: [{ price: '5.00', quantity: 2 }], paid: true });
    await hear();
    await merchant.client.post('/loyalty/redeem', { passId: merchant.passId, identifier: customer.email });
    later();
    shop.refund(id, { lines: [{ line: 0, quantity: 1 }] });
    await hear();
    assert.equal(await balance(), 5);
    later();
    shop.refund(id);
    await hear();
    assert.equal(await balance(), -10);
    const story = await merchant.story();
    assert.deepEqual(story, ['earn +25 = 25', 'redeem -10 = 15', 'reversal -10 = 5', 'reversal -15 = -10']);
  });

  it('… was impossible for what was deleted: the points stayed”', async () => {
    const { merchant, shop, hear, balance } = await woocommerce();
    const { id } = shop.placeOrder({ ...customer, total: '10.00', paid: true });
    await hear();
    later();
    shop.trash(id);
    await hear(2);
    assert.equal(await balance(), 0);
    await merchant.assertSound();
  });

  it('… was impossible for what was deleted in the shop’s own list”', async () => {
    const { merchant, shop, hear, balance } = await shopify();
    const order = shop.placeOrder({ ...customer, total: '10.00', paid: true });
    await hear();
    later();
    shop.webhooks.queue(shop.makeWebhook('orders/delete', { id: order.id }));
    await hear(2);
    assert.equal(await balance(), 0);
    await merchant.assertSound();
  });

  it('… was possible in full only, and went by the settings of today”', async () => {
    const { merchant, shop, hear, balance } = await woocommerce();
    const { id } = shop.placeOrder({ ...customer, lines: [{ price: '5.00', quantity: 2 }], paid: true });
    await hear();
    await merchant.client.patch(`/loyalty/programs/${merchant.programId}`, { earn: { perCurrencyUnit: 50 } });
    later();
    shop.refund(id, { lines: [{ line: 0, quantity: 1 }] });
    await hear();
    assert.equal(await balance(), 15);
  });
});

describe('“Webhooks …', () => {
  it('… came twice”, “… came out of order”', async () => {
    const { merchant, shop, balance } = await shopify();
    for (const order of ['reversed', 'shuffled'] as const) {
      later();
      const { id } = shop.placeOrder({ ...customer, lines: [{ price: '5.00', quantity: 2 }], paid: true });
      later();
      shop.edit(id, { add: [{ price: '7.00', quantity: 1 }] });
      later();
      shop.refund(id, { lines: [{ line: 0, quantity: 1 }] });
      await shop.deliver({ order, times: 2, seed: 7 });
      await processWebhooks();
    }
    assert.equal(await balance(), 30);
    await merchant.assertSound();
  });

  it('… came late, with settings and card changed since”', async () => {
    const { merchant, shop, hear } = await shopify();
    const { id } = shop.placeOrder({ ...customer, lines: [{ price: '5.00', quantity: 2 }], paid: true });
    await hear();
    later();
    shop.refund(id, { lines: [{ line: 0, quantity: 1 }] });
    app.advance(20 * 86_400_000);
    const { programId, client } = merchant;
    await client.patch(`/loyalty/programs/${programId}`, { earn: { perCurrencyUnit: 50 } });
    const [first] = await merchant.cards();
    await client.post(`/instances/${first?.instanceId}/void`);
    const { body: second } = await client.post(`/passes/${merchant.passId}/instances`, {
      holder: first?.holder,
    });
    await hear();
    const balances = (await merchant.cards()).map(({ instanceId, loyalty }) => [instanceId, loyalty.balance]);
    assert.deepEqual(balances, [
      [second.instanceId, 15],
      [first?.instanceId, 0],
    ]);
    await merchant.assertSound();
  });

  it('… never came”', async () => {
    const { merchant, shop, balance } = await shopify();
    const first = shop.placeOrder({ ...customer, lines: [{ price: '5.00', quantity: 2 }], paid: true });
    later();
    shop.refund(first.id, { lines: [{ line: 0, quantity: 1 }] });
    later();
    shop.placeOrder({ ...customer, total: '3.00', paid: true });
    shop.webhooks.pending.splice(0);
    app.advance(16 * 60_000);
    while (await reconcileStores(ctx)) {}
    await processWebhooks();
    assert.equal(await balance(), 15 + 11);
    // A second reconciliation changes nothing.
    app.advance(16 * 60_000);
    while (await reconcileStores(ctx)) {}
    assert.equal(await balance(), 26);
    await merchant.assertSound();
  });
});
