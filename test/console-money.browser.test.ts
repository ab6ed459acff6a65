import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { euros, money } from '../src/loyalty/value.fixture.ts';
import type { Json } from './client.ts';
import { assertForEverybody, consoleSettings, consoleSkip, inConsole, waitForNone } from './console.ts';
import { makeCard, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';

describe('gift cards in the console', { skip: consoleSkip }, async () => {
  const app = await startTestApp(await consoleSettings());
  const { client } = app;
  const { passId } = await makePass(client, { title: 'Blue Bean Gift Card', type: 'giftCard' });
  const { body: program } = await client.post('/loyalty/programs', {
    ...money,
    passId,
    maxBalance: euros('150'),
    limits: { perAward: 10_000 },
  });
  await client.patch(`/loyalty/programs/${program.programId}`, { status: 'active' });
  const cardOf = (name: string, value?: string) =>
    makeCard(client, passId, { holder: { name }, ...(value !== undefined && { value: euros(value) }) });
  const entriesOf = async ({ instanceId }: Json): Promise<Json[]> =>
    (await client.get(`/loyalty/entries?instanceId=${instanceId}`)).body.data;
  const dialog = (page: Page) => page.getByRole('dialog');
  /** Opens a dialog, fills its amount in, and sends it. */
  async function enter(page: Page, what: string | RegExp, amount: string, submit = what): Promise<void> {
    await page.getByRole('button', { name: what }).first().click();
    await dialog(page)
      .getByLabel(/^(Amount in|Betrag in) EUR$/)
      .fill(amount);
    await dialog(page).getByRole('button', { name: submit, exact: true }).click();
  }
  const holds = (page: Page, text: string) => page.locator('.balance .figure', { hasText: text }).waitFor();

  it('are loaded and charged, undone, and refunded in parts', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      const card = await cardOf('Grace Hopper');
      await open(`/console/cards/${card.instanceId}`, 'Grace Hopper');
      await holds(page, '€0.00');
      // What a card may hold, and what one load may give, are said as money.
      await enter(page, 'Load', '100.01');
      await dialog(page).getByText('At most €100.00 at once.').waitFor();
      await dialog(page).getByText('The card may hold €150.00.').waitFor();
      await dialog(page).getByLabel('Amount in EUR').fill('many');
      await dialog(page).getByRole('button', { name: 'Load', exact: true }).click();
      await dialog(page).getByText('An amount such as 12.50.').waitFor();
      await dialog(page).getByLabel('Amount in EUR').fill('100');
      // Pressed twice, it counts once.
      await dialog(page).getByRole('button', { name: 'Load', exact: true }).dblclick();
      await holds(page, '€100.00');
      await page.getByText('€100.00 loaded. The card holds €100.00.').waitFor();
      await enter(page, 'Load', '50.01');
      await dialog(page).getByText('A card may hold €150.00 at most.').waitFor();
      await page.keyboard.press('Escape');

      await enter(page, 'Charge', '100.50');
      await dialog(page).getByText('The card holds €100.00: that is not enough.').waitFor();
      await assertForEverybody(page);
      await dialog(page).getByLabel('Amount in EUR').fill('8,40');
      await dialog(page).getByLabel('Note').fill('Two cakes');
      await dialog(page).getByRole('button', { name: 'Charge', exact: true }).click();
      await holds(page, '€91.60');
      await page.locator('li', { hasText: 'Charged −€8.40' }).getByText('Two cakes').waitFor();

      await enter(page, 'Refund −€8.40', '8.41', 'Refund');
      await dialog(page).getByText('At most €8.40: no more is left of this charge.').waitFor();
      await dialog(page).getByLabel('Amount in EUR').fill('2.10');
      await dialog(page).getByRole('button', { name: 'Refund', exact: true }).click();
      await holds(page, '€93.70');
      await page.locator('li', { hasText: 'Given back +€2.10' }).waitFor();
      await assertForEverybody(page);
      // What was given back in part is undone by giving back the rest.
      await waitForNone(page.getByRole('button', { name: 'Undo Charged' }));
      await page.getByRole('button', { name: 'Refund −€8.40' }).click();
      await dialog(page).getByText('€6.30 of this charge is left to give back').waitFor();
      assert.equal(await dialog(page).getByLabel('Amount in EUR').inputValue(), '6.30');
      await dialog(page).getByRole('button', { name: 'Refund', exact: true }).click();
      await holds(page, '€100.00');
      await waitForNone(page.getByRole('button', { name: /^Refund/ }));
      await page.getByRole('button', { name: 'Undo Loaded' }).click();
      await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click();
      await holds(page, '€0.00');
      await page.locator('li', { hasText: 'Undone −€100.00' }).waitFor();
      assert.deepEqual(
        (await entriesOf(card)).map(({ kind, points }) => [kind, points]),
        [
          ['reversal', -10_000],
          ['reversal', 630],
          ['reversal', 210],
          ['redeem', -840],
          ['earn', 10_000],
        ],
      );
      for (const word of [/point/i, /stamp/i, /reward/i])
        await waitForNone(page.locator('main').getByText(word));
    }));

  it('cannot have a load undone that was spent, and say what they hold', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      const card = await cardOf('Alan Turing', '20');
      await client.post('/value/charge', { passId, instanceId: card.instanceId, amount: euros('15') });
      await open(`/console/cards/${card.instanceId}`, 'Alan Turing');
      await page.getByRole('button', { name: 'Undo Loaded' }).click();
      await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click();
      await dialog(page).getByText('The card holds €5.00: that is not enough.').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Undo Charged' }).click();
      await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click();
      await holds(page, '€20.00');
    }));

  it('are charged by staff, who undo what they entered last', () =>
    inConsole(app, 'staff', async ({ page, open }) => {
      const card = await cardOf('Barbara Liskov', '20');
      await open(`/console/cards/${card.instanceId}`, 'Barbara Liskov');
      await page.keyboard.press('c');
      await dialog(page).getByLabel('Amount in EUR').fill('5');
      await dialog(page).getByRole('button', { name: 'Charge', exact: true }).click();
      await holds(page, '€15.00');
      await page.getByRole('button', { name: 'Undo' }).click();
      await dialog(page).getByText('Undo "Charged"?').waitFor();
      await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click();
      await holds(page, '€20.00');
      assert.equal((await entriesOf(card)).length, 3);
    }));

  it('show money in the lists, in the language of the reader', () =>
    inConsole(
      app,
      'viewer',
      async ({ page, open }) => {
        const card = await cardOf('Edsger Dijkstra', '4.5');
        await open(`/console/cards?passId=${passId}`, 'Kunden');
        await page.getByRole('row', { name: 'Edsger Dijkstra' }).getByText('4,50 €').waitFor();
        await assertForEverybody(page);
        await open(`/console/cards/${card.instanceId}`, 'Edsger Dijkstra');
        await holds(page, '4,50 €');
        await page.getByText('Aufgeladen +4,50 €').waitFor();
        await waitForNone(page.getByRole('button', { name: /Aufladen|Abbuchen|Rückgängig|Erstatten/ }));
        await page.goto(`${app.config.publicUrl}/console/cards/entries?passId=${passId}`);
        await page.locator('h1', { hasText: 'Einträge' }).waitFor();
        const row = page.getByRole('row', { name: 'Edsger Dijkstra' });
        await row.getByText('+4,50 €').waitFor();
        await row.getByText('Aufgeladen').waitFor();
        await assertForEverybody(page);
      },
      { locale: 'de-DE' },
    ));

  it('get a program in money, which is launched and changed', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      const { passId: own } = await makePass(client, { title: 'Harbour Gift Card', type: 'giftCard' });
      await open(`/console/passes/${own}/program`, 'Harbour Gift Card');
      await page.getByText('gift cards hold money').waitFor();
      await page.getByRole('button', { name: 'Set up a program' }).click();
      // What the type of the pass is for is chosen, and nothing expires by itself.
      await page.getByRole('button', { name: 'Money', pressed: true }).waitFor();
      assert.equal(await page.getByLabel('Currency').inputValue(), 'EUR');
      assert.equal(await page.getByLabel('Money expires after').inputValue(), '');
      await page.getByText('Laws on gift cards differ by country.').waitFor();
      await assertForEverybody(page);
      await page.getByLabel('Currency').selectOption('CHF');
      await page.getByLabel('Most that a card may hold, in CHF').fill('lots');
      await page.getByRole('button', { name: 'Make program' }).click();
      await page
        .locator('.field', { hasText: 'Most that a card' })
        .getByText('An amount such as 12.50.')
        .waitFor();
      await page.getByLabel('Most that a card may hold, in CHF').fill('150');
      await page.getByLabel('The same for staff').fill('50,00');
      await page.getByRole('button', { name: 'Make program' }).click();
      await page.getByText('Launch it, and cards can be loaded.').waitFor();
      await page.getByRole('button', { name: 'Launch' }).click();
      await dialog(page).getByText('cards are loaded and charged').waitFor();
      await dialog(page).getByRole('button', { name: 'Launch' }).click();
      await page.getByText('Cards are loaded, and holders pay with them.').waitFor();
      const read = async (): Promise<Json> => {
        const { body } = await client.get(`/passes/${own}`);
        return (await client.get(`/loyalty/programs/${body.programId}`)).body;
      };
      const { mode, status, currency, maxBalance, limits, expiry } = await read();
      assert.deepEqual(
        [mode, status, currency, maxBalance, limits.perAwardByRole.staff, expiry.months],
        ['MONEY', 'active', 'CHF', { amount: '150.00', currency: 'CHF' }, 5_000, null],
      );
      await makeCard(client, own, { value: { amount: '20', currency: 'CHF' } });
      await page.reload();
      const so = page.locator('.so-far');
      await so.getByText('On the cards').waitFor();
      await so
        .getByText(/^CHF.20\.00$/)
        .first()
        .waitFor();
      assert.equal(await page.getByLabel('The same for staff').inputValue(), '50.00');
      await page.getByLabel('Most that a card may hold, in CHF').fill('');
      await page.getByLabel('Money expires after').fill('36');
      await page.getByLabel('What cards call the balance').fill('Credit');
      await page.getByRole('button', { name: 'Save' }).click();
      await dialog(page).getByRole('button', { name: 'Save' }).click();
      await page.getByText('The program is changed.').waitFor();
      const changed = await read();
      assert.deepEqual(
        [changed.maxBalance, changed.expiry.months, changed.pointName.other],
        [null, 36, 'Credit'],
      );
      await assertForEverybody(page);
    }));

  it('are the only ones that money is offered for, and say what they hold to who reads', () =>
    inConsole(app, 'viewer', async ({ page, open }) => {
      await open(`/console/passes/${passId}/program`, 'Blue Bean Gift Card');
      await page.getByText('Cards hold money in EUR, €150.00 at most.').waitFor();
      await assertForEverybody(page);
      await inConsole(app, 'owner', async (own) => {
        const loyal = await makePass(client, { title: 'Blue Bean Club' });
        await own.open(`/console/passes/${loyal.passId}/program`, 'Blue Bean Club');
        await own.page.getByRole('button', { name: 'Set up a program' }).click();
        await own.page.getByRole('button', { name: 'Stamps', pressed: true }).waitFor();
        await waitForNone(own.page.getByRole('button', { name: 'Money', exact: true }));
      });
    }));

  it('leave the figures of points out of the first page, where there are none, and are money in its latest', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      await cardOf('Katherine Johnson', '12.5');
      await open('/console', 'Home');
      const latest = page.getByRole('region', { name: 'Latest' });
      const line = latest.locator('li', { hasText: 'Katherine Johnson' });
      await line.getByText('+€12.50').waitFor();
      await line.getByText(/^Loaded/).waitFor();
      const tiles = page.locator('.tiles');
      await tiles.getByText('Cards issued', { exact: true }).waitFor();
      await waitForNone(tiles.getByText(/Points|Stamps|Rewards|Visits/));
      await assertForEverybody(page);
      // Points of another pass are counted as ever, and money is not added to them.
      const { passId: loyal } = await makePass(client);
      const body = { passId: loyal, mode: 'POINTS', reward: { title: 'Free coffee', cost: 5 } };
      const made = await client.post('/loyalty/programs', body);
      await client.patch(`/loyalty/programs/${made.body.programId}`, { status: 'active' });
      const { instanceId } = await makeCard(client, loyal, { holder: { name: 'Grace Hopper' } });
      await client.post('/loyalty/points', { passId: loyal, instanceId, points: 7 });
      await page.reload();
      const outstanding = tiles.locator('div', {
        has: page.getByText('Points outstanding', { exact: true }),
      });
      await outstanding.locator('strong', { hasText: /^7$/ }).waitFor();
    }));

  it('take no money from a file, in which it may be euros or cents', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      await open(`/console/cards/import?passId=${passId}`, 'Import cards');
      const buffer = Buffer.from('Code;Name;Balance\r\nOLD-1;Ada Lovelace;25');
      await page.getByLabel('File').setInputFiles({ name: 'old.csv', mimeType: 'text/csv', buffer });
      await page.getByRole('button', { name: 'Read the file' }).click();
      await page.getByText('Money is not imported from a file').waitFor();
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByText('The import is done').waitFor();
      const { body } = await client.get('/instances/lookup?barcode=OLD-1');
      assert.deepEqual([body.holder.name, body.loyalty.amount], ['Ada Lovelace', euros('0.00')]);
    }));
});
