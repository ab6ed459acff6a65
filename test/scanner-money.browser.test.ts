import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { euros, money } from '../src/loyalty/value.fixture.ts';
import type { Json } from './client.ts';
import { assertForEverybody, consoleSettings, consoleSkip, waitForNone } from './console.ts';
import { makeCard, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';
import { atTill, readCode } from './scanner.ts';

describe('gift cards at a till', { skip: consoleSkip }, async () => {
  const app = await startTestApp(await consoleSettings());
  const { client } = app;
  const { passId } = await makePass(client, { title: 'Blue Bean Gift Card', type: 'giftCard' });
  const made = await client.post('/loyalty/programs', { ...money, passId, maxBalance: euros('150') });
  await client.patch(`/loyalty/programs/${made.body.programId}`, { status: 'active' });
  const cardOf = (name: string, value: string) =>
    makeCard(client, passId, { holder: { name }, value: euros(value) });
  const entriesOf = async ({ instanceId }: Json): Promise<unknown[]> =>
    (await client.get(`/loyalty/entries?instanceId=${instanceId}`)).body.data.map(
      ({ kind, points }: Json) => [kind, points],
    );
  const submit = (page: Page, name: string) =>
    page.locator('.bar-line').getByRole('button', { name, exact: true });

  it('show their balance, are charged and loaded, and undone', async () => {
    const card = await cardOf('Grace Hopper', '20');
    await atTill(app, async ({ page }) => {
      await readCode(page, card.barcode);
      await page.locator('.standing .figure', { hasText: '€20.00' }).waitFor();
      await waitForNone(page.getByText(/point|stamp|reward/i));
      await submit(page, 'Charge').click();
      await page.getByText('Type an amount, such as 12.50.').waitFor();
      await page.getByLabel('Amount in EUR').fill('8,40');
      await assertForEverybody(page);
      // A double tap counts once.
      await submit(page, 'Charge').dblclick();
      await page.getByText('€8.40 charged. The card holds €11.60.').waitFor();
      await page.locator('.entries li', { hasText: 'Charged' }).getByText('−€8.40').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone.').waitFor();
      await page.locator('.entries li', { hasText: 'Given back' }).getByText('+€8.40').waitFor();
      await page.getByRole('button', { name: 'Charge or load' }).click();
      await page.locator('.modes').getByRole('button', { name: 'Load' }).click();
      await page.getByLabel('Amount in EUR').fill('130.01');
      await submit(page, 'Load').click();
      await page.getByText('A card may hold €150.00 at most.').waitFor();
      await page.getByLabel('Amount in EUR').fill('130');
      await submit(page, 'Load').click();
      await page.getByText('€130.00 loaded. The card holds €150.00.').waitFor();
      await assertForEverybody(page);
      assert.deepEqual(await entriesOf(card), [
        ['earn', 13_000],
        ['reversal', 840],
        ['redeem', -840],
        ['earn', 2_000],
      ]);
    });
  });

  it('pay what they hold of a charge beyond it, and say what is left to pay', async () => {
    const card = await cardOf('Alan Turing', '5');
    await atTill(app, async ({ page, open }) => {
      await open('/scan/settings', 'This device');
      await page.getByLabel('Language').selectOption('de');
      await page.locator('h1', { hasText: 'Dieses Gerät' }).waitFor();
      await readCode(page, card.barcode);
      await page.getByLabel('Betrag in EUR').fill('7,50');
      await submit(page, 'Abbuchen').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Auf der Karte sind nur 5,00 €').waitFor();
      await dialog.getByText('Noch zu zahlen: 2,50 €').waitFor();
      await assertForEverybody(page);
      await dialog.getByRole('button', { name: 'Abbrechen' }).click();
      assert.deepEqual(await entriesOf(card), [['earn', 500]]);
      await submit(page, 'Abbuchen').click();
      await dialog.getByRole('button', { name: '5,00 € abbuchen' }).click();
      await page.locator('.done strong', { hasText: 'Noch zu zahlen: 2,50 €' }).waitFor();
      await page.getByText('5,00 € abgebucht. Auf der Karte sind 0,00 €.').waitFor();
      await assertForEverybody(page);
      // An empty card has nothing to offer.
      await readCode(page, card.barcode);
      await page.getByLabel('Betrag in EUR').fill('1');
      await submit(page, 'Abbuchen').click();
      await page.getByRole('alert').getByText('Auf der Karte sind 0,00 €: Das reicht nicht.').waitFor();
      assert.deepEqual(await entriesOf(card), [
        ['redeem', -500],
        ['earn', 500],
      ]);
    });
  });

  it('move no money without a network, and say so', async () => {
    const card = await cardOf('Barbara Liskov', '5');
    await atTill(app, async ({ page, context }) => {
      await readCode(page, card.barcode);
      await page.getByLabel('Amount in EUR').fill('2');
      await context.setOffline(true);
      await submit(page, 'Charge').click();
      await page.getByText(/money moves with a network only/).waitFor();
      await context.setOffline(false);
      await submit(page, 'Charge').click();
      await page.getByText('€2.00 charged. The card holds €3.00.').waitFor();
      assert.equal((await entriesOf(card)).length, 2);
    });
  });
});
