import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Client, Json } from '../../test/client.ts';
import { startTestApp } from '../../test/harness.ts';
import { makeAuthority } from '../../tools/fakes/authority.ts';
import { endlessBucket, ShopifyStore } from '../../tools/fakes/shopify-store.ts';
import { trustAuthority } from '../../tools/fakes/store-server.ts';
import { WooCommerceStore } from '../../tools/fakes/woocommerce-store.ts';
import { makeProgram } from '../loyalty/account.fixture.ts';
import { processStoreWebhooks } from '../orders/from-stores/process-store-webhooks.job.ts';
import { reconcileStores } from '../orders/from-stores/reconcile-stores.job.ts';
import { clock, connectShop, connectStore, newOrder, send, webhookSecret } from './stores.fixture.ts';

const authority = makeAuthority();
after(trustAuthority(authority));
const app = await startTestApp({ WORKERS: 'off', FETCH_ALLOW_CIDRS: '127.0.0.1/32' });
const ctx = { app: app.running.app, requestId: 'job' };
const now = () => app.running.app.now();
clock.now = now;
const shops: { close(): Promise<void> }[] = [];
after(() => Promise.all(shops.map((shop) => shop.close())));

async function processWebhooks(): Promise<void> {
  while (await processStoreWebhooks(ctx)) {}
}

/** Reads the store through, a quarter of an hour later, and processes waiting webhooks. */
async function reconcile(): Promise<void> {
  app.advance(16 * 60_000);
  while (await reconcileStores(ctx)) {}
  await processWebhooks();
}

const points = { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 }, earn: { perCurrencyUnit: 1 } };

interface Opened {
  readonly client: Client;
  readonly passId: string;
  readonly storeId: string;
  state(): Promise<Json>;
  orders(): Promise<Json[]>;
}

async function opened(connect: (client: Client, passId: string) => Promise<Json>): Promise<Opened> {
  const { client } = await app.newWorkspace();
  const { pass } = await makeProgram(client, points);
  const { storeId } = await connect(client, pass.passId);
  return {
    client,
    passId: pass.passId,
    storeId,
    state: async () => (await client.get(`/stores/${storeId}`)).body,
    orders: async () => (await client.get('/orders')).body.data,
  };
}

async function openWoo(): Promise<Opened & { shop: WooCommerceStore }> {
  const shop = await WooCommerceStore.start({ authority, customers: 5, now, webhookSecret });
  shops.push(shop);
  const { consumerKey, consumerSecret, domain } = shop;
  const store = await opened((client, passId) =>
    connectStore(client, {
      platform: 'woocommerce',
      domain,
      credentials: { consumerKey, consumerSecret },
      passId,
    }),
  );
  await shop.subscribe(`${app.url}/stores/${store.storeId}/webhooks`);
  return { ...store, shop };
}

async function openShopify(): Promise<Opened & { shop: ShopifyStore }> {
  const shop = await ShopifyStore.start({
    authority,
    customers: 5,
    now,
    webhookSecret,
    bucket: endlessBucket,
  });
  shops.push(shop);
  const { accessToken, domain } = shop;
  const store = await opened((client, passId) =>
    connectStore(client, { platform: 'shopify', domain, credentials: { accessToken }, passId }),
  );
  shop.webhooks.subscribe(`${app.url}/stores/${store.storeId}/webhooks`);
  return { ...store, shop };
}

const isWell = { problem: null, waitingWebhooks: 0, givenUpWebhooks: 0, status: 'connected' };

async function assertWell({ state }: Opened): Promise<void> {
  const { problem, waitingWebhooks, givenUpWebhooks, status } = await state();
  assert.deepEqual({ problem, waitingWebhooks, givenUpWebhooks, status }, isWell);
}

describe("Shopify's test notification", () => {
  it('of each topic is answered 200, and is neither an order nor a fault', async () => {
    const store = await openShopify();
    const { webhookTopics } = await store.state();
    for (const topic of ['orders/create', ...webhookTopics]) store.shop.sendTest(topic);
    for (const { status } of await store.shop.webhooks.deliver()) assert.equal(status, 200);
    await processWebhooks();
    assert.deepEqual(await store.orders(), []);
    await assertWell(store);
  });

  it('is none of an order where a proxy has passed it on without its headers', async () => {
    const store = await openShopify();
    for (const topic of ['orders/paid', 'orders/updated', 'orders/cancelled', 'refunds/create'])
      store.shop.sendTest(topic);
    for (const { headers, ...sample } of store.shop.webhooks.pending.splice(0)) {
      const { 'X-Shopify-Test': _, ...others } = headers;
      assert.equal((await store.shop.webhooks.send({ ...sample, headers: others })).status, 200);
    }
    await processWebhooks();
    assert.deepEqual(await store.orders(), []);
    await assertWell(store);
  });

  it('does not hide a demand that is made to this store', async () => {
    const store = await openShopify();
    store.shop.redactCustomer(store.shop.customerAt(0).id);
    const [demand] = store.shop.webhooks.pending.splice(0);
    assert.ok(demand !== undefined);
    await store.shop.webhooks.send({ ...demand, headers: { ...demand.headers, 'X-Shopify-Test': 'true' } });
    await processWebhooks();
    const { body } = await store.client.get(`/stores/${store.storeId}/privacy-requests`);
    assert.equal(body.data.length, 1);
  });
});

it('orders with ids beyond 2^53 are counted apart, each under its own digits', async () => {
  const store = await openShopify();
  const ids = ['9007199254740992', '9007199254740993', '820982911946154508'];
  const order = store.shop.placeOrder({
    total: '20.00',
    paid: true,
    customerId: store.shop.customerAt(0).id,
  });
  store.shop.webhooks.pending.splice(0);
  for (const id of ids) {
    const { body, ...webhook } = store.shop.makeWebhook('orders/paid', {
      ...store.shop.payloadOf(order),
      id: '#',
    });
    await store.shop.webhooks.send({ ...webhook, body: Buffer.from(body.toString().replace('"#"', id)) });
  }
  await processWebhooks();
  const listed = (await store.orders()).map(({ orderId, points: earned }) => [orderId, earned]);
  assert.deepEqual(listed.sort(), ids.map((id) => [id, 20]).sort());
  await assertWell(store);
});

describe('an order of WooCommerce that a plugin has spoilt', () => {
  it('counts for what it means, and an unpaid one for nothing', async () => {
    const store = await openWoo();
    store.shop.plugin = (payload) => ({
      ...payload,
      currency: String(payload.currency).toLowerCase(),
      date_paid_gmt: payload.date_paid_gmt ?? '',
      date_modified_gmt: null,
      meta_data: '',
      refunds: {},
    });
    const customerId = store.shop.customerAt(0).id;
    const paid = store.shop.placeOrder({ total: '20.00', paid: true, customerId });
    const unpaid = store.shop.placeOrder({ total: '30.00', paid: false, customerId });
    await store.shop.webhooks.deliver();
    await processWebhooks();
    await reconcile();
    const earned = new Map((await store.orders()).map(({ orderId, points: had }) => [orderId, had]));
    assert.equal(earned.get(String(paid.id)), 20);
    assert.equal(earned.get(String(unpaid.id)) ?? 0, 0);
    await assertWell(store);
  });

  it('and cannot be read is listed with its number and the reason, until it can be read', async () => {
    const store = await openWoo();
    store.shop.plugin = (payload) => ({ ...payload, currency: 'BTC' });
    const customerId = store.shop.customerAt(0).id;
    const order = store.shop.placeOrder({ total: '20.00', paid: true, customerId });
    await store.shop.webhooks.deliver();
    await processWebhooks();
    const { problem, status } = await store.state();
    assert.deepEqual([problem.code, status], ['webhooks_given_up', 'connected']);
    assert.match(problem.message, new RegExp(`order ${order.id}\\): .*"BTC" is no currency of ISO 4217`));
    // The merchant removes the plugin: no member has to report that.
    store.shop.plugin = (payload) => payload;
    await reconcile();
    assert.deepEqual(
      (await store.orders()).map(({ orderId, points: earned }) => [orderId, earned]),
      [[String(order.id), 20]],
    );
    await assertWell(store);
  });

  it('is listed too where only reading it through has met it, once, along with the others of the page', async () => {
    const store = await openWoo();
    const customerId = store.shop.customerAt(0).id;
    const [odd, good] = [0, 1].map(() => store.shop.placeOrder({ total: '20.00', paid: true, customerId }));
    assert.ok(odd !== undefined && good !== undefined);
    store.shop.webhooks.pending.splice(0);
    store.shop.plugin = (payload) => (payload.id === odd.id ? { ...payload, line_items: 'x' } : payload);
    await reconcile();
    await reconcile();
    const { problem, givenUpWebhooks } = await store.state();
    assert.equal(givenUpWebhooks, 1);
    assert.match(problem.message, new RegExp(`order ${odd.id}\\)`));
    assert.deepEqual(
      (await store.orders()).map(({ orderId }) => orderId),
      [String(good.id)],
    );
    // A change of the store's settings reads again what was kept; as it stands, it still cannot be read.
    assert.equal(
      (await store.client.patch(`/stores/${store.storeId}`, { passId: store.passId })).status,
      200,
    );
    await processWebhooks();
    assert.equal((await store.state()).givenUpWebhooks, 1);
    store.shop.plugin = (payload) => payload;
    store.shop.complete(odd.id);
    await store.shop.webhooks.deliver();
    await processWebhooks();
    assert.equal((await store.orders()).length, 2);
    await assertWell(store);
  });
});

it('an order of a custom shop says what is wrong with it, until the shop has sent it correctly', async () => {
  const store = await opened((client, passId) => connectShop(client, { passId }));
  await send(store.client, store.storeId, newOrder('7-1', { total: { amount: '1.234', currency: 'EUR' } }));
  await processWebhooks();
  assert.match((await store.state()).problem.message, /order 7-1\): 1\.234 has more decimals than EUR/);
  app.advance(1_000);
  await send(store.client, store.storeId, newOrder('7-1'));
  await processWebhooks();
  await assertWell(store);
});
