import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { makeProgram } from '../src/loyalty/account.fixture.ts';
import type { Json } from './client.ts';
import { consoleSettings, consoleSkip, inConsole } from './console.ts';
import { makeCard } from './factories.ts';
import { startTestApp } from './harness.ts';
import { atTill, readCode } from './scanner.ts';

/** What is done all day, from the first page on, in so many clicks; what is typed does not count. */
describe('clicks', { skip: consoleSkip }, async () => {
  const app = await startTestApp(await consoleSettings());
  const { client } = app;
  const stamps = await makeProgram(
    client,
    { mode: 'STAMPS', threshold: 10, reward: { title: 'Free coffee' } },
    { design: { title: 'Coffee card' } },
  );
  const points = await makeProgram(
    client,
    { mode: 'POINTS', reward: { title: 'Cake', cost: 100 }, earn: { perCurrencyUnit: 1, currency: 'EUR' } },
    { design: { title: 'Points card' } },
  );
  let card: Json;
  before(async () => {
    card = await makeCard(client, stamps.pass.passId, { holder: { name: 'Grace Hopper' } });
    const installed = { viewer: '0e4f7a52-94b1-4f0e-9d3c-6f2f1f1f9a11', installed: true };
    await app.anyone.post(`${card.links.card}/installation`, installed);
  });
  const balanceOf = async ({ instanceId }: Json) =>
    (await client.get(`/instances/${instanceId}`)).body.loyalty.balance;

  it('a stamp at a till: 2, and an amount: 2', () =>
    atTill(app, async ({ page }) => {
      await assertClicks(page, 2, async () => {
        await readCode(page, String(card.barcode));
        await page.getByRole('button', { name: 'Add 1 stamp' }).click();
        await page.getByRole('link', { name: 'Next card' }).click();
      });
      assert.equal(await balanceOf(card), 1);
      const other = await makeCard(client, points.pass.passId, { holder: { name: 'Alan Turing' } });
      await assertClicks(page, 2, async () => {
        await readCode(page, String(other.barcode));
        await page.getByLabel('Amount in EUR').focus();
        await page.keyboard.type('12.50');
        await page.getByRole('button', { name: 'Add 12' }).click();
        await page.getByRole('link', { name: 'Next card' }).click();
      });
      assert.equal(await balanceOf(other), 12);
    }));

  it('a customer that is found: 1, and an award in the console: 3', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      const find = async () => {
        await page.getByRole('button', { name: 'Search' }).click();
        await page.locator('[role=combobox]:focus').waitFor();
        await page.keyboard.type('hopper');
        await page.getByRole('status').filter({ hasText: '1 result' }).waitFor();
        await page.keyboard.press('Enter');
        await page.locator('h1', { hasText: 'Grace Hopper' }).waitFor();
      };
      await open('/console', 'Home');
      await assertClicks(page, 1, find);
      await open('/console', 'Home');
      const had = await balanceOf(card);
      await assertClicks(page, 3, async () => {
        await find();
        await page.getByRole('button', { name: 'Award', exact: true }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Award', exact: true }).click();
        await page.locator('.figure', { hasText: String(had + 1) }).waitFor();
      });
    }));

  it('a message: 4', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      await open('/console', 'Home');
      await assertClicks(page, 4, async () => {
        await page.getByRole('link', { name: 'Passes' }).click();
        await page.getByRole('button', { name: 'More for Coffee card' }).click();
        await page.getByRole('link', { name: 'Write a message' }).click();
        await page.getByText('Goes to 1 card for 1 credit.').waitFor();
        await page.getByLabel('Message', { exact: true }).focus();
        await page.keyboard.type('Double stamps on Friday');
        await page.getByRole('button', { name: 'Send' }).click();
        await page.locator('tr', { hasText: 'Double stamps on Friday' }).waitFor();
      });
    }));

  it('a colleague with a PIN: 4', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      await open('/console', 'Home');
      await assertClicks(page, 4, async () => {
        await page.getByRole('link', { name: 'Settings' }).click();
        await page.getByRole('link', { name: 'People' }).click();
        await page.getByRole('button', { name: 'Invite someone' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.locator('input:focus').waitFor();
        for (const typed of ['Edsger Dijkstra', 'edsger@example.com']) {
          await page.keyboard.type(typed);
          await page.keyboard.press('Tab');
        }
        await dialog.getByLabel('PIN').focus();
        await page.keyboard.type('2580');
        await dialog.getByRole('button', { name: 'Send the invitation' }).click();
        await dialog.getByRole('textbox', { name: 'Pass this link on' }).waitFor();
      });
      const { data } = (await client.get('/people')).body;
      const made = data.find(({ name }: Json) => name === 'Edsger Dijkstra');
      assert.deepEqual([made.role, made.hasPin, made.pending], ['staff', true, true]);
    }));
});

/** Fails unless a task takes so many clicks. It stays within one app, whose page counts them. */
async function assertClicks(page: Page, clicks: number, act: () => Promise<void>): Promise<void> {
  await page.evaluate(`(${counting})()`);
  await act();
  assert.equal(await page.evaluate('window.clicksOfTask'), clicks);
}

/** Runs in the page, as text, since the page's own policy allows no other way in. */
const counting = `function () {
  if (window.clicksOfTask === undefined) addEventListener('pointerdown', () => (window.clicksOfTask += 1), true);
  window.clicksOfTask = 0;
}`;
