import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { euros, Shop } from '../src/orders/shop.fixture.ts';
import {
  assertForEverybody,
  checksPages,
  consoleSettings,
  consoleSkip,
  inConsole,
  waitForCount,
  waitForNone,
} from './console.ts';
import { startTestApp } from './harness.ts';

const longName = 'An order with a number of its own that is far longer than usual ones / and a slash #1 ?x=y';

describe('the pages of orders', { skip: consoleSkip }, async () => {
  checksPages('/console/orders', '/console/orders/:orderId');
  const app = await startTestApp(await consoleSettings());
  const dialog = (page: Page) => page.getByRole('dialog');
  const figure = (page: Page, text: string) => page.locator('.figures dd', { hasText: text }).waitFor();

  it('show what an order has earned, and refund it in part and in full', async () => {
    const shop = await Shop.open(app, euros, { title: 'Blue Bean Club' });
    const items = [
      { sku: 'ETH', name: 'Ethiopia, 250 g', quantity: 1, total: { amount: '10.00', currency: 'EUR' } },
    ];
    await shop.process('1795819151917', {
      number: '#1001',
      customer: { id: 'ada', name: 'Ada Lovelace' },
      items,
    });
    await inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        await open('/console/orders', 'Orders');
        await page.getByRole('row', { name: /#1001.*Ada Lovelace/ }).waitFor();
        await page.getByRole('link', { name: '#1001' }).click();
        await page.locator('h1', { hasText: 'Order #1001' }).waitFor();
        await figure(page, '25');
        await page.getByRole('cell', { name: 'Ethiopia, 250 g' }).waitFor();
        await page.getByText('2 points for each EUR, 5 points for the order').waitFor();
        await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
        await assertForEverybody(page);

        await page.getByRole('button', { name: 'Refund' }).click();
        await dialog(page).getByText('All 25 points are taken back.').waitFor();
        const amount = dialog(page).getByLabel('Amount in EUR');
        const send = () => dialog(page).getByRole('button', { name: 'Refund' }).click();
        await amount.fill('four');
        await send();
        await dialog(page).getByText('An amount such as 12.50.').waitFor();
        await amount.fill('4.001');
        await send();
        await dialog(page).getByText('At most 2 decimals.').waitFor();
        // Another person was faster: what is left is less.
        await shop.refund('1795819151917', 'elsewhere', '2.00');
        await amount.fill('9,50');
        await dialog(page).getByText('25 points at most').waitFor();
        await send();
        await dialog(page).getByText('This is more than is left of the order.').waitFor();
        await dialog(page).getByText('€8.00 are left of it').waitFor();
        await amount.fill('3,00');
        await send();
        await page.getByText('6 points were taken back. The balance is 15.').waitFor();
        await figure(page, '€5.00');
        await page.getByRole('row', { name: /elsewhere/ }).waitFor();
        await page.getByRole('row', { name: /Refunded here by hand/ }).waitFor();
        assert.deepEqual(await shop.story(), ['earn +25 = 25', 'reversal -4 = 21', 'reversal -6 = 15']);

        await page.getByRole('button', { name: 'Refund' }).click();
        // Pressed twice, it counts once.
        await dialog(page).getByRole('button', { name: 'Refund' }).dblclick();
        await page.getByText('15 points were taken back. The balance is 0.').waitFor();
        await page.getByText('no money is left of it').waitFor();
        await waitForNone(page.getByRole('button', { name: 'Refund' }));
        assert.equal((await shop.order('1795819151917')).refunds.length, 3);
        await assertForEverybody(page);
      },
      { client: shop.client },
    );
  });

  it('cancel one, also where another person was faster, and take back a cancellation that came early', async () => {
    const shop = await Shop.open(app);
    await shop.process('2001');
    await shop.process('2002');
    await shop.cancel('2003', { early: true });
    await inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        const askToCancel = async () => {
          await page.getByRole('button', { name: 'More for this order' }).click();
          await page.getByRole('button', { name: 'Cancel this order' }).click();
          await dialog(page).getByText('All 25 points that it has earned are taken back').waitFor();
        };
        const cancel = () => dialog(page).getByRole('button', { name: 'Cancel this order' }).click();
        await open('/console/orders/2001', 'Order 2001');
        await askToCancel();
        await cancel();
        await page.getByText('25 points were taken back. The balance is 25.').waitFor();
        await page.getByText('It earns nothing, since it is cancelled.').waitFor();
        await open('/console/orders/2002', 'Order 2002');
        await askToCancel();
        await shop.cancel('2002');
        await cancel();
        await page.getByText('It earns nothing, since it is cancelled.').waitFor();
        assert.equal(await shop.balance(), 0);

        await open('/console/orders/2003', 'Order 2003');
        await page.getByText('Nothing but a cancellation or a refund is known').waitFor();
        await assertForEverybody(page);
        await page.getByRole('button', { name: 'Take the cancellation back' }).click();
        await dialog(page).getByRole('button', { name: 'Take the cancellation back' }).click();
        await page.getByText('The cancellation is taken back.').waitFor();
        await page.getByRole('link', { name: '2002' }).waitFor();
        await waitForCount(page.getByRole('link', { name: '2003' }), 0);
        await open('/console/orders/no-such-order', 'Order no-such-order');
        await page.getByText('There is no such order.').waitFor();
      },
      { client: shop.client },
    );
  });

  it('filter by what is in the address, page, find by number, and save what is filtered', async () => {
    const shop = await Shop.open(app, euros, { title: 'Blue Bean Club' });
    const { body: store } = await shop.client.post('/stores', {
      platform: 'custom',
      domain: 'shop.example',
      webhookSecret: '0123456789abcdef',
    });
    for (let at = 1; at <= 100; at += 1) await shop.process(`n-${at}`, { customer: { id: `c-${at}` } });
    await shop.process('=1+1', { customer: { id: 'formula' } });
    await shop.process(longName, { storeId: store.storeId });
    await shop.cancel('n-7');
    const [card] = (await shop.client.get(`/passes/${shop.passId}/instances?identifier=c-7`)).body.data;
    await inConsole(
      app,
      'viewer',
      async ({ page, open }) => {
        const rows = page.getByRole('table').locator('.main').getByRole('link');
        await open('/console/orders', 'Orders');
        await rows.first().waitFor();
        await waitForCount(rows, 50);
        await page.getByRole('button', { name: 'Show more' }).click();
        await rows.nth(99).waitFor();
        await assertForEverybody(page);
        const saved = page.waitForEvent('download');
        await page.getByRole('button', { name: 'Download as CSV' }).click();
        const text = await readFile(await (await saved).path(), 'utf8');
        assert.equal(text.trimEnd().split('\r\n').length, 103);
        assert.match(text, /\r\n'=1\+1,,Blue Bean Club,inst_\w+,processed,10\.00,EUR,0\.00,25,,/);

        await page.getByLabel('State').selectOption('Cancelled');
        await page.waitForURL(/status=cancelled/);
        await page.getByRole('link', { name: 'n-7', exact: true }).waitFor();
        await waitForCount(rows, 1);
        await open(`/console/orders?instanceId=${card.instanceId}`, 'Orders');
        await page.getByRole('link', { name: 'n-7', exact: true }).waitFor();
        await waitForCount(rows, 1);
        await page.getByRole('button', { name: 'Show those of all cards' }).click();
        await rows.nth(49).waitFor();
        await page.getByLabel('Known since').fill('2020-01-01');
        await page.getByLabel('Until').fill('2020-01-31');
        await page.getByRole('button', { name: 'Apply' }).click();
        await page.getByText('No orders match').waitFor();
        await assertForEverybody(page);
        await open(`/console/orders?storeId=${store.storeId}&from=2020-01-01`, 'Orders');
        await page.getByRole('link', { name: longName }).waitFor();
        await waitForCount(rows, 1);

        const find = page.getByLabel('Order number');
        await find.fill('nothing');
        await page.getByRole('button', { name: 'Find' }).click();
        await page.getByText('There is no such order.').waitFor();
        await find.and(page.locator('[aria-invalid="true"]')).waitFor();
        // Found in whichever store it is.
        await find.fill(longName);
        await page.getByRole('button', { name: 'Find' }).click();
        await page.locator('h1', { hasText: longName }).waitFor();
        // What the customer says: of several stores, all that have given it.
        await shop.process('1795819151999', { storeId: store.storeId, number: '#1003' });
        await open('/console/orders', 'Orders');
        await find.fill('1003');
        await page.getByRole('button', { name: 'Find' }).click();
        await page.locator('h1', { hasText: 'Order #1003' }).waitFor();
        await shop.process('another', { number: '1003' });
        await open('/console/orders', 'Orders');
        await find.fill('1003');
        await page.getByRole('button', { name: 'Find' }).click();
        await page.getByText('Orders with the number 1003.').waitFor();
        await page.getByRole('table').getByRole('row').nth(2).waitFor();
        await page.getByRole('link', { name: '#1003' }).click();
        await page.locator('h1', { hasText: 'Order #1003' }).waitFor();
        await waitForNone(page.getByRole('button', { name: 'Refund' }));
        await assertForEverybody(page);
      },
      { client: shop.client },
    );
  });

  it('are there in German, say what to do while there is none, and are not for staff', async () => {
    const { client } = await app.newWorkspace();
    await inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        await open('/console/orders', 'Bestellungen');
        await page.getByText('Es gibt noch keine Bestellung').waitFor();
        await page.locator('main').getByRole('link', { name: 'Shop verbinden' }).waitFor();
        await assertForEverybody(page);
      },
      { client, locale: 'de-DE' },
    );
    await inConsole(app, 'staff', ({ open }) => open('/console/orders', 'not for your role'), { client });
  });
});
