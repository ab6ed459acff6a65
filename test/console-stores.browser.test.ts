import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { processStoreWebhooks } from '../src/orders/from-stores/process-store-webhooks.job.ts';
import { makeAuthority } from '../tools/fakes/authority.ts';
import { ShopifyStore } from '../tools/fakes/shopify-store.ts';
import { trustAuthority } from '../tools/fakes/store-server.ts';
import { WooCommerceStore } from '../tools/fakes/woocommerce-store.ts';
import type { Client } from './client.ts';
import {
  assertForEverybody,
  checksPages,
  consoleSettings,
  consoleSkip,
  inConsole,
  waitForNone,
  waitForValue,
} from './console.ts';
import { makePass } from './factories.ts';
import { startTestApp } from './harness.ts';

describe('the pages of stores', { skip: consoleSkip }, async () => {
  checksPages('/console/stores', '/console/stores/connect', '/console/stores/:storeId');
  const authority = makeAuthority();
  after(trustAuthority(authority));
  const settings = { ...(await consoleSettings()), WORKERS: 'off', FETCH_ALLOW_CIDRS: '127.0.0.1/32' };
  const app = await startTestApp(settings);
  const shopify = await ShopifyStore.start({ authority, name: 'Blue Bean Coffee' });
  const woocommerce = await WooCommerceStore.start({ authority });
  after(() => Promise.all([shopify.close(), woocommerce.close()]));
  const dialog = (page: Page) => page.getByRole('dialog');
  const connect = (page: Page) => page.getByRole('button', { name: 'Connect and test' }).click();

  /** A workspace with a pass whose program counts two points for each euro. */
  async function makeShop(): Promise<Client> {
    const { client } = await app.newWorkspace();
    const { passId } = await makePass(client, { title: 'Blue Bean Club' });
    const { body } = await client.post('/loyalty/programs', {
      passId,
      mode: 'POINTS',
      reward: { title: 'Free coffee', cost: 50 },
      earn: { perCurrencyUnit: 2 },
    });
    await client.patch(`/loyalty/programs/${body.programId}`, { status: 'active' });
    return client;
  }

  it('connect a Shopify step by step, and show the order that arrives', async () => {
    const client = await makeShop();
    await inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        await open('/console/stores', 'Stores');
        await page.getByText('No store is connected').waitFor();
        await assertForEverybody(page);
        await page.getByRole('link', { name: 'Connect a store' }).click();
        await page.getByRole('heading', { name: 'What does your shop run on?' }).waitFor();
        await assertForEverybody(page);
        await page.getByRole('link', { name: 'Shopify' }).click();
        await page.getByRole('heading', { name: 'Let us read your Shopify' }).waitFor();
        const domain = page.getByLabel('Address of the shop');
        await domain.fill('https://bluebean.com/admin');
        await page.getByLabel('Access token').fill(shopify.accessToken);
        await page.getByLabel('Secret that signs messages').fill(shopify.webhookSecret);
        await connect(page);
        await page.getByText('This is not the address of such a shop').waitFor();
        await domain.and(page.locator('[aria-invalid="true"]')).waitFor();
        await assertForEverybody(page);
        await domain.fill(`https://${shopify.domain}/admin`);
        await connect(page);
        await page.getByText('The shop answers, as Blue Bean Coffee.').waitFor();
        const url = await page.getByLabel('Address for messages').inputValue();
        await assertForEverybody(page);
        shopify.webhooks.subscribe(url);
        await page.getByRole('link', { name: 'Done: to the store' }).click();
        await page.getByRole('heading', { name: shopify.domain }).waitFor();
        await assertForEverybody(page);

        const { id } = shopify.placeOrder({
          email: 'ada@example.com',
          lines: [{ price: '10.00', quantity: 2 }],
        });
        shopify.pay(id);
        await shopify.webhooks.deliver();
        while (await processStoreWebhooks({ app: app.running.app, requestId: 'job' })) {}
        const [order] = (await client.get('/orders')).body.data;
        assert.deepEqual([order.orderId, order.points], [String(id), 40]);
      },
      { client },
    );
  });

  it('say which access a WooCommerce refuses, and take another', async () => {
    const client = await makeShop();
    await inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        await open('/console/stores/connect?platform=woocommerce', 'Connect a store');
        await page.getByLabel('Address of the shop').fill(woocommerce.domain);
        await page.getByLabel('Consumer key').fill(woocommerce.consumerKey);
        await page.getByLabel('Consumer secret').fill('cs:wrong');
        await page.getByLabel('Who of your customers').selectOption('attested');
        await page.getByLabel('Who vouches').fill('Ada Lovelace');
        await connect(page);
        await page.getByText('Something is wrong here: copy it again').waitFor();
        await page.getByLabel('Consumer secret').fill('cs_wrong');
        await connect(page);
        await page.getByText('The shop refuses the access').waitFor();
        // Nothing says that it is connected before it can be read.
        await page.getByRole('heading', { name: /cannot be read yet$/ }).waitFor();
        await page.locator('[aria-current="step"]', { hasText: 'Access' }).waitFor();
        await waitForNone(page.getByRole('link', { name: 'Done: to the store' }));
        await assertForEverybody(page);
        await page.getByRole('button', { name: 'Change the access' }).click();
        await dialog(page).getByLabel('Consumer key').fill(woocommerce.consumerKey);
        await dialog(page).getByLabel('Consumer secret').fill(woocommerce.consumerSecret);
        await dialog(page).getByRole('button', { name: 'Save' }).click();
        await page.getByText(`The shop answers, as ${woocommerce.domain}.`).waitFor();
        await page.getByRole('heading', { name: `${woocommerce.domain} is connected` }).waitFor();
        await page.locator('[aria-current="step"]', { hasText: 'Messages' }).waitFor();
        // The secret that was made is shown as long as this page is open.
        const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
        assert.match(secret, /^[0-9a-f]{48}$/);
        const [store] = (await client.get('/stores')).body.data;
        assert.equal(store.consent.attestedBy, 'Ada Lovelace');

        await open('/console/stores/connect?platform=woocommerce', 'Connect a store');
        await page.getByLabel('Address of the shop').fill(woocommerce.domain);
        await page.getByLabel('Consumer key').fill('ck_1');
        await page.getByLabel('Consumer secret').fill('cs_1');
        await connect(page);
        await page.getByText('This store is connected already.').waitFor();
        await page.getByLabel('Address of the shop').and(page.locator('[aria-invalid="true"]')).waitFor();
      },
      { client },
    );
  });

  it('say that no shop answers at an address, and begin again with another', async () => {
    const client = await makeShop();
    await inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        await open('/console/stores/connect?platform=shopify', 'Connect a store');
        await page.getByLabel('Address of the shop').fill('127.0.0.1:1');
        await page.getByLabel('Access token').fill(shopify.accessToken);
        await page.getByLabel('Secret that signs messages').fill(shopify.webhookSecret);
        await connect(page);
        await page.getByText('The shop does not answer.').waitFor();
        await page.getByRole('button', { name: 'Start again with another address' }).click();
        // What was typed is still there.
        await waitForValue(page.getByLabel('Access token'), shopify.accessToken);
        await page.getByLabel('Address of the shop').fill(shopify.domain);
        await connect(page);
        await page.getByText('The shop answers, as Blue Bean Coffee.').waitFor();
        const { data } = (await client.get('/stores')).body;
        assert.deepEqual(
          data.map(({ domain, status }: { domain: string; status: string }) => [domain, status]),
          [
            [shopify.domain, 'connected'],
            ['127.0.0.1:1', 'disconnected'],
          ],
        );
      },
      { client },
    );
  });

  it('test, change and disconnect, also where another person was faster', async () => {
    const client = await makeShop();
    const { body: store } = await client.post('/stores', {
      platform: 'custom',
      domain: 'a-shop-whose-name-is-long-enough-to-break.every-layout.of-every-page.example',
      webhookSecret: '0123456789abcdef',
    });
    await inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        await open(`/console/stores/${store.storeId}`, store.domain);
        await assertForEverybody(page);
        await page.getByRole('button', { name: 'Test' }).click();
        await page.getByText('Nothing is asked of this shop').waitFor();
        await page.getByRole('button', { name: 'Change' }).click();
        await dialog(page).getByLabel('Orders earn on the cards of').selectOption('Blue Bean Club');
        await dialog(page).getByRole('button', { name: 'Save' }).click();
        await page.getByRole('link', { name: 'Blue Bean Club' }).waitFor();

        await page.getByRole('button', { name: 'More for this store' }).click();
        await page.getByRole('button', { name: 'Disconnect' }).click();
        await dialog(page).getByText('Cards, points and orders stay.').waitFor();
        await client.delete(`/stores/${store.storeId}`);
        await dialog(page).getByRole('button', { name: 'Disconnect' }).click();
        await dialog(page).getByText('There is no such store, or it is disconnected.').waitFor();
        await page.reload();
        await page.getByText('This store is disconnected').waitFor();
        await waitForNone(page.getByRole('button', { name: 'Change' }));
        await assertForEverybody(page);
        await page.getByRole('link', { name: 'Connect again' }).click();
        await waitForValue(page.getByLabel('Address of the shop'), store.domain);
      },
      { client },
    );
  });

  it('are read by viewers and not by staff, and list many in German too', async () => {
    const client = await makeShop();
    const shop = { platform: 'custom', webhookSecret: '0123456789abcdef' };
    for (let at = 1; at <= 60; at += 1)
      await client.post('/stores', { ...shop, domain: `shop-${at}.example` });
    await inConsole(
      app,
      'viewer',
      async ({ page, open }) => {
        await open('/console/stores', 'Shops');
        await page.getByRole('button', { name: 'Mehr anzeigen' }).click();
        await page.getByRole('link', { name: 'shop-1.example', exact: true }).waitFor();
        await waitForNone(page.getByRole('link', { name: 'Shop verbinden' }));
        await assertForEverybody(page);
        await page.getByRole('link', { name: 'shop-1.example', exact: true }).click();
        await page.getByRole('heading', { name: 'Über diesen Shop' }).waitFor();
        await waitForNone(page.getByRole('button', { name: 'Ändern' }));
        await assertForEverybody(page);
      },
      { client, locale: 'de-DE' },
    );
    await inConsole(
      app,
      'staff',
      async ({ open }) => open('/console/stores', 'This page is not for your role'),
      { client },
    );
  });
});
