import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Client, Json } from '../../../test/client.ts';
import { startTestApp } from '../../../test/harness.ts';
import { assertInvariants } from '../../../test/invariants.ts';
import { makeAuthority } from '../../../tools/fakes/authority.ts';
import { endlessBucket, ShopifyStore } from '../../../tools/fakes/shopify-store.ts';
import { trustAuthority } from '../../../tools/fakes/store-server.ts';
import { WooCommerceStore } from '../../../tools/fakes/woocommerce-store.ts';
import { leaseDue } from '../../engine/queue.sql.ts';
import { decodeId } from '../../kit/ids.ts';
import { makeProgram } from '../../loyalty/account.fixture.ts';
import { connectStore, webhookSecret } from '../../stores/stores.fixture.ts';
import { dueStores } from '../../stores/stores.sql.ts';
import { processStoreWebhooks } from './process-store-webhooks.job.ts';
import { reconcileStores } from './reconcile-stores.job.ts';

const authority = makeAuthority();
after(trustAuthority(authority));
const app = await startTestApp({ WORKERS: 'off', FETCH_ALLOW_CIDRS: '127.0.0.1/32' });
const ctx = { app: app.running.app, requestId: 'job' };
const now = () => app.running.app.now();
const minute = 60_000;
const shops: { close(): Promise<void> }[] = [];
after(() => Promise.all(shops.map((shop) => shop.close())));

async function run(job: typeof reconcileStores): Promise<void> {
  while (await job(ctx)) {}
}

/** Reads the stores that are due after so many minutes, and processes waiting webhooks. */
async function reconcile(minutes = 16): Promise<void> {
  app.advance(minutes * minute);
  await run(reconcileStores);
  await run(processStoreWebhooks);
}

const points = { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 }, earn: { perCurrencyUnit: 1 } };

interface Opened<Shop> {
  readonly shop: Shop;
  readonly client: Client;
  readonly passId: string;
  readonly programId: string;
  readonly storeId: string;
  balances(): Promise<Record<string, number>>;
  state(): Promise<Json>;
}

async function opened<Shop extends ShopifyStore | WooCommerceStore>(
  shop: Shop,
  platform: string,
  credentials: object,
): Promise<Opened<Shop>> {
  shops.push(shop);
  const { client } = await app.newWorkspace();
  const { pass, program } = await makeProgram(client, points);
  const { passId } = pass;
  const { storeId } = await connectStore(client, { platform, domain: shop.domain, credentials, passId });
  shop.webhooks.subscribe(`${app.url}/stores/${storeId}/webhooks`);
  return {
    shop,
    client,
    passId,
    programId: program.programId,
    storeId,
    async balances() {
      const { body } = await client.get(`/passes/${passId}/instances?limit=100`);
      return Object.fromEntries(
        body.data.map(({ holder, loyalty }: Json) => [
          holder.identifier.replace(`${shop.domain}/`, ''),
          loyalty.balance,
        ]),
      );
    },
    state: async () => (await client.get(`/stores/${storeId}`)).body,
  };
}

async function openShopify(options: object = {}): Promise<Opened<ShopifyStore>> {
  const made = { authority, customers: 50, now, webhookSecret, bucket: endlessBucket };
  const shop = await ShopifyStore.start({ ...made, ...options });
  return opened(shop, 'shopify', { accessToken: shop.accessToken });
}

async function openWoo(): Promise<Opened<WooCommerceStore>> {
  const shop = await WooCommerceStore.start({ authority, customers: 50, now, webhookSecret });
  const { consumerKey, consumerSecret } = shop;
  return opened(shop, 'woocommerce', { consumerKey, consumerSecret });
}

describe('orders whose webhooks never came', () => {
  for (const [platform, open] of [
    ['Shopify', openShopify],
    ['WooCommerce', openWoo],
  ] as const) {
    it(`are found in ${platform}, with whatever became of them`, async () => {
      const { shop, balances, state } = await open();
      const [ada, bob, eve, guest] = [0, 1, 2, 3].map((at) => shop.customerAt(at).id) as [
        number,
        number,
        number,
        number,
      ];
      const plan = { total: '20.00', paid: true };
      shop.placeOrder({ ...plan, customerId: ada });
      const refunded = shop.placeOrder({ ...plan, customerId: bob });
      shop.refund(refunded.id, { amount: '5.00' });
      const cancelled = shop.placeOrder({ ...plan, customerId: eve });
      shop.cancel(cancelled.id);
      shop.placeOrder({ ...plan, paid: false, customerId: guest });
      await reconcile();
      assert.deepEqual(await balances(), { [ada]: 20, [bob]: 15, [eve]: 0 });
      app.advance(minute);
      shop.refund(refunded.id, { amount: '5.00' });
      shop.placeOrder({ ...plan, customerId: ada });
      await reconcile();
      assert.deepEqual(await balances(), { [ada]: 40, [bob]: 10, [eve]: 0 });
      const { reconciledAt, problem, waitingWebhooks } = await state();
      assert.ok(now().getTime() - Date.parse(reconciledAt) < minute);
      assert.deepEqual([problem, waitingWebhooks], [null, 0]);
      // The webhooks come after all, all of them, in no order, twice.
      await shop.deliver({ order: 'shuffled', times: 2, parallel: 8 });
      await run(processStoreWebhooks);
      assert.deepEqual(await balances(), { [ada]: 40, [bob]: 10, [eve]: 0 });
      await assertInvariants(app.sql);
    });
  }
});

const watermarkOf = async (storeId: string): Promise<number> => {
  const [row] = await app.sql<{ watermark: Date }>('select watermark from stores where store_id = $1', [
    decodeId('store', storeId),
  ]);
  return row?.watermark.getTime() ?? 0;
};

describe('a turn', () => {
  it('is over only when every page was read, and else begins anew', async () => {
    const { shop, storeId, balances, state } = await openShopify();
    for (let count = 0; count < 230; count++)
      shop.placeOrder({ total: '1.00', paid: true, customerId: shop.customerAt(count % 50).id });
    const before = await watermarkOf(storeId);
    const asked = shop.requests.length;
    let page = 0;
    // The second page never comes.
    shop.fail({ matching: /orders/, times: 1, outcome: { delayMs: 0 } });
    shop.fail({ matching: /orders/, times: 1, outcome: 'cut' });
    await reconcile();
    page = shop.requests.length - asked;
    assert.equal(page, 2);
    assert.equal(await watermarkOf(storeId), before);
    assert.equal((await state()).problem.code, 'store_unavailable');
    assert.equal((await state()).reconciledAt, null);
    await reconcile(1.1);
    assert.ok((await watermarkOf(storeId)) > before + 16 * minute);
    assert.equal((await state()).problem, null);
    const found = await balances();
    assert.equal(
      Object.values(found).reduce((sum, balance) => sum + balance, 0),
      230,
    );
  });

  it('asks after longer and longer pauses where the store is down, and says so', async () => {
    const { shop, state, balances, storeId } = await openShopify();
    shop.fail({ times: 1_000, outcome: { status: 503 } });
    const pauses: number[] = [];
    app.advance(2 * minute);
    for (let turn = 0; turn < 9; turn++) {
      await run(reconcileStores);
      const [row] = await app.sql<{ at: Date }>('select reconcile_at as at from stores where store_id = $1', [
        decodeId('store', storeId),
      ]);
      const pauseMs = (row?.at.getTime() ?? 0) - now().getTime();
      pauses.push(Math.round(pauseMs / minute));
      app.advance(pauseMs);
    }
    assert.deepEqual(pauses, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
    assert.deepEqual((await state()).problem.code, 'store_unavailable');
    shop.placeOrder({ total: '7.00', paid: true, customerId: shop.customerAt(0).id });
    shop.recover();
    await reconcile(61);
    assert.deepEqual(await balances(), { [shop.customerAt(0).id]: 7 });
    assert.equal((await state()).problem, null);
  });

  it('is tried again as soon as the credentials are changed', async () => {
    const { shop, client, storeId, state, balances } = await openShopify();
    await client.patch(`/stores/${storeId}`, { credentials: { accessToken: 'shpat_wrong' } });
    shop.placeOrder({ total: '7.00', paid: true, customerId: shop.customerAt(0).id });
    await reconcile(0);
    assert.equal((await state()).problem.code, 'store_unauthorized');
    const test = await client.post(`/stores/${storeId}/test`);
    assert.deepEqual([test.body.ok, test.body.reason], [false, 'store_unauthorized']);
    assert.ok(!test.text.includes('shpat_wrong'));
    await reconcile(10);
    assert.equal((await state()).reconciledAt, null, 'it was asked too soon');
    await client.patch(`/stores/${storeId}`, { credentials: { accessToken: shop.accessToken } });
    assert.equal((await state()).problem, null);
    await reconcile(0);
    assert.deepEqual(await balances(), { [shop.customerAt(0).id]: 7 });
    assert.deepEqual((await client.post(`/stores/${storeId}/test`)).body.shop, { name: 'Blue Bean' });
  });

  it('is tried again as soon as a test finds that the store answers', async () => {
    const { shop, client, storeId, state, balances } = await openShopify();
    shop.fail({ times: 1_000, outcome: { status: 503 } });
    for (let turn = 0; turn < 3; turn++) await reconcile(5);
    assert.equal((await state()).problem.code, 'store_unavailable');
    shop.placeOrder({ total: '7.00', paid: true, customerId: shop.customerAt(0).id });
    shop.recover();
    await reconcile(0);
    assert.deepEqual(await balances(), {}, 'it was asked too soon');
    assert.equal((await client.post(`/stores/${storeId}/test`)).body.ok, true);
    await reconcile(0);
    assert.deepEqual(await balances(), { [shop.customerAt(0).id]: 7 });
    assert.equal((await state()).problem, null);
  });

  it('that was killed is taken over within a minute', async () => {
    const { shop, balances } = await openShopify();
    shop.placeOrder({ total: '7.00', paid: true, customerId: shop.customerAt(0).id });
    app.advance(2 * minute);
    const lease = { now: now(), until: new Date(now().getTime() + 45_000), most: 1 };
    const taken = await leaseDue({ app: ctx.app, queue: dueStores }, lease);
    assert.equal(taken.length, 1);
    await reconcile(0);
    assert.deepEqual(await balances(), {});
    await reconcile(1);
    assert.deepEqual(await balances(), { [shop.customerAt(0).id]: 7 });
  });

  it('is had by one worker, however many look for it', async () => {
    const { shop } = await openShopify();
    app.advance(2 * minute);
    await Promise.all(Array.from({ length: 6 }, () => reconcileStores(ctx)));
    assert.equal(shop.requests.length, 1);
  });

  it('comes every quarter of an hour, and not to a disconnected store', async () => {
    const { shop, client, storeId } = await openShopify();
    const turns: number[] = [];
    for (const minutes of [2, 14, 1.1, 14, 1.1]) {
      await reconcile(minutes);
      turns.push(shop.requests.length);
    }
    assert.deepEqual(turns, [1, 1, 2, 2, 3]);
    await client.delete(`/stores/${storeId}`);
    await reconcile(60);
    assert.equal(shop.requests.length, 3);
  });
});

it('an order that is refused waits, and is awarded once however often it is read', async () => {
  const { shop, client, programId, balances, state } = await openShopify();
  await client.patch(`/loyalty/programs/${programId}`, { status: 'paused' });
  shop.placeOrder({ total: '7.00', paid: true, customerId: shop.customerAt(0).id });
  for (const _ of [1, 2, 3]) await reconcile();
  const { waitingWebhooks, problem, reconciledAt } = await state();
  assert.deepEqual([waitingWebhooks, problem.code], [1, 'program_inactive']);
  assert.ok(reconciledAt);
  await client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
  await reconcile(6 * 60 + 1);
  assert.deepEqual(await balances(), { [shop.customerAt(0).id]: 7 });
  assert.equal((await state()).waitingWebhooks, 0);
  await assertInvariants(app.sql);
});

it('an app that was removed in the store is disconnected, and what came before counts', async () => {
  const { shop, balances, state, client, storeId } = await openShopify();
  shop.placeOrder({ total: '7.00', paid: true, customerId: shop.customerAt(0).id });
  shop.uninstall();
  const sent = await shop.deliver();
  assert.ok(sent.every(({ status }) => status === 200));
  await run(processStoreWebhooks);
  assert.deepEqual(await balances(), { [shop.customerAt(0).id]: 7 });
  const { status, problem } = await state();
  assert.deepEqual([status, problem.code], ['disconnected', 'app_uninstalled']);
  const { body } = await client.get(`/stores/${storeId}/privacy-requests`);
  assert.deepEqual(body.data, []);
  const [row] = await app.sql('select credentials from stores where store_id = $1', [
    decodeId('store', storeId),
  ]);
  assert.deepEqual(row, { credentials: null });
  const audited = await app.sql('select actor from audit_log where target = $1 and action = $2', [
    storeId,
    'disconnectStore',
  ]);
  assert.deepEqual(audited, [{ actor: storeId }]);
});

it('a late webhook of a removal is nothing to an app that is installed again', async () => {
  const { shop, client, storeId, state, balances } = await openShopify();
  const event = { id: 548_380_009, domain: shop.domain, myshopify_domain: shop.domain };
  await shop.webhooks.send(shop.makeWebhook('app/uninstalled', event));
  shop.fail({ outcome: { status: 503 } });
  await run(processStoreWebhooks);
  const { status, problem } = await state();
  assert.deepEqual([status, problem.code], ['connected', 'store_unavailable']);
  app.advance(2 * minute);
  await run(processStoreWebhooks);
  assert.deepEqual([(await state()).status, (await state()).problem], ['connected', null]);
  shop.placeOrder({ total: '7.00', paid: true, customerId: shop.customerAt(0).id });
  await reconcile();
  assert.deepEqual(await balances(), { [shop.customerAt(0).id]: 7 });
  assert.equal((await client.delete(`/stores/${storeId}`)).status, 204);
});
