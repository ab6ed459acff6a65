import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { euros, Shop } from '../src/orders/shop.fixture.ts';
import type { Json } from './client.ts';
import { assertForEverybody, consoleSettings, consoleSkip, inConsole, waitForCount } from './console.ts';
import { makeCard, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';

describe('the search that is on every page', { skip: consoleSkip }, async () => {
  const app = await startTestApp(await consoleSettings());
  const { client } = app;
  const cards: Record<string, Json> = {};
  before(async () => {
    const club = await makePass(client, { title: 'Blue Bean Club' });
    const gift = await makePass(client, { title: 'Gift card', type: 'giftCard' });
    assert.equal((await client.patch('/workspace', { country: 'DE' })).status, 200);
    const holder = { name: 'Łukasz Šimić', phone: '0151 10000037', identifier: 'K-77' };
    cards.club = await makeCard(client, club.passId, { holder });
    cards.gift = await makeCard(client, gift.passId, { holder });
    cards.other = await makeCard(client, club.passId, { holder: { name: 'Jürgen Müller' } });
    await client.post(`/instances/${cards.gift?.instanceId}/void`);
  });

  const search = (page: Page) => page.getByRole('combobox', { name: 'Customer, card or order' });
  const results = (page: Page) => page.getByRole('listbox', { name: 'Found' }).getByRole('option');
  const ask = async (page: Page, text: string, count: number) => {
    await search(page).fill(text);
    await page
      .getByRole('status')
      .filter({ hasText: count === 0 ? 'Nothing found' : `${count} result` })
      .waitFor();
    await waitForCount(results(page), count);
  };

  it('finds people over all passes by any word, last digits and codes, from any page, by keys alone', () =>
    inConsole(app, 'viewer', async ({ page, open }) => {
      await open('/console/orders', 'Orders');
      await page.keyboard.press('Control+k');
      await search(page).waitFor();
      for (const [text, count] of [
        ['simic', 2],
        ['Šimić Łukasz', 2],
        ['mueller', 1],
        ['0037', 2],
        ['0151 10000037', 2],
        ['k-77', 2],
        [
          String(cards.other?.barcode)
            .toLowerCase()
            .replace(/(.{4})/, '$1 '),
          1,
        ],
        ['no such name', 0],
      ] as const)
        await ask(page, text, count);
      await assertForEverybody(page);
      await ask(page, 'simic', 2);
      const said = await results(page).allInnerTexts();
      assert.ok(
        said.some((text) => text.includes('Blue Bean Club') && !text.includes('void')),
        said.join(),
      );
      assert.ok(
        said.some((text) => text.includes('Gift card') && text.includes('void')),
        said.join(),
      );
      await page.keyboard.press('ArrowDown');
      await page.getByRole('option', { selected: true }).filter({ hasText: 'Gift card' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('option', { selected: true }).filter({ hasText: 'Blue Bean Club' }).waitFor();
      await page.keyboard.press('Enter');
      await page.locator('h1', { hasText: 'Łukasz Šimić' }).waitFor();
      assert.equal(new URL(page.url()).pathname, `/console/cards/${cards.club?.instanceId}`);
      assert.equal(await page.getByRole('dialog').count(), 0);
    }));

  it('is opened by its button, and closed by Escape', () =>
    inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        await open('/console', 'Home');
        await page.getByRole('button', { name: 'Search' }).click();
        await search(page).press('Escape');
        await waitForCount(page.getByRole('dialog'), 0);
        await page.getByRole('button', { name: 'Search' }).click();
        await ask(page, 'müller', 1);
        await results(page).click();
        await page.locator('h1', { hasText: 'Jürgen Müller' }).waitFor();
      },
      { viewport: { width: 390, height: 780 } },
    ));

  it('finds an order by its number, as it is written on a receipt', async () => {
    const shop = await Shop.open(app, euros, { title: 'Blue Bean Club' });
    await shop.process('1003');
    await inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        await open('/console/passes', 'Passes');
        await page.keyboard.press('Control+k');
        await ask(page, '#1003', 1);
        await page.keyboard.press('Enter');
        await page.locator('h1', { hasText: 'Order 1003' }).waitFor();
      },
      { client: shop.client },
    );
  });

  it('is not for staff, whose work is the scanner', () =>
    inConsole(app, 'staff', async ({ page, open }) => {
      await open('/console/cards', 'Customers');
      await page.keyboard.press('Control+k');
      assert.equal(await search(page).count(), 0);
      assert.equal(await page.getByRole('button', { name: 'Search' }).count(), 0);
    }));
});
