import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { signInAtTill } from '../src/sign-in/people.fixture.ts';
import type { Client, Json } from './client.ts';
import {
  assertForEverybody,
  checksPages,
  consoleSettings,
  consoleSkip,
  inConsole,
  waitForNone,
  waitForValue,
} from './console.ts';
import { makeCard, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';

describe('the figures of the console', { skip: consoleSkip }, async () => {
  checksPages('/console/cards/entries');
  const app = await startTestApp({ ...(await consoleSettings()), WORKERS: 'off' });

  /** A pass with a program that runs, and a card with an award and a redemption. */
  async function makeClub(client: Client, title: string, points: number): Promise<Json> {
    const pass = await makePass(client, { title });
    const reward = { title: 'Free coffee', cost: 2 };
    const { body } = await client.post('/loyalty/programs', { passId: pass.passId, mode: 'POINTS', reward });
    await client.patch(`/loyalty/programs/${body.programId}`, { status: 'active' });
    const { passId } = pass;
    const { instanceId } = await makeCard(client, passId, { holder: { name: `Holder of ${title}` } });
    await client.post('/loyalty/points', { passId, instanceId, points });
    await client.post('/loyalty/redeem', { passId, instanceId });
    return pass;
  }

  it('open the rows that they count, and add no points to stamps', async () => {
    const { client } = await app.newWorkspace();
    const club = await makeClub(client, 'Blue Bean Club', 7);
    await makeClub(client, 'Green Leaf Club', 3);
    const stamps = await makePass(client, { title: 'Stamps' });
    const reward = { title: 'Free tea' };
    const made = { passId: stamps.passId, mode: 'STAMPS', reward, threshold: 2 };
    const { body: program } = await client.post('/loyalty/programs', made);
    await client.patch(`/loyalty/programs/${program.programId}`, { status: 'active' });
    const card = await makeCard(client, stamps.passId, { holder: { name: 'Ana Kovač' } });
    const award = await client.post('/loyalty/points', {
      passId: stamps.passId,
      instanceId: card.instanceId,
      points: 2,
    });
    assert.equal(award.status, 200);
    await inConsole(
      app,
      'viewer',
      async ({ page, open }) => {
        await open('/console', 'Home');
        const figure = (label: string) => page.locator('.tiles > div', { hasText: label }).locator('dd');
        await figure('Visits').getByText('3', { exact: true }).waitFor();
        await figure('Customers who came').getByText('0 came before (0%)').waitFor();
        await figure('Rewards waiting').getByText('1', { exact: true }).waitFor();
        await waitForNone(page.locator('.tiles a'));
        await waitForNone(page.locator('.tiles', { hasText: 'Points given' }));
        const latest = page.getByRole('region', { name: 'Latest' });
        await latest.getByRole('link', { name: 'Ana Kovač' }).first().waitFor();
        await latest.getByText('Reward unlocked · by an API key').waitFor();
        await assertForEverybody(page);

        await page.getByLabel('Pass').selectOption('Blue Bean Club');
        await figure('Points given').getByRole('link', { name: '7' }).waitFor();
        await figure('Points used').getByRole('link', { name: '2' }).waitFor();
        await assertForEverybody(page);

        await figure('Points given').getByRole('link').click();
        await page.locator('h1', { hasText: 'Points' }).waitFor();
        const rows = page.locator('tbody tr');
        await rows.nth(1).waitFor();
        assert.deepEqual(await rows.locator('td:nth-child(3)').allInnerTexts(), ['\u22122', '+7']);
        await assertForEverybody(page);
        await page.getByLabel('Kind').selectOption('Award');
        await page.waitForURL(/kind=earn/);
        await page.locator('tbody tr:only-child').waitFor();
        await page.goBack();
        await figure('Rewards redeemed').getByRole('link', { name: '1' }).click();
        await page.waitForURL(/kind=redeem/);
        await page.locator('tbody tr:only-child', { hasText: 'Reward redeemed' }).waitFor();
        await page.goBack();
        await figure('Cards issued').getByRole('link', { name: '1' }).click();
        await page.getByRole('link', { name: 'Holder of Blue Bean Club' }).waitFor();
        await assertForEverybody(page);
        await page.goBack();
        await figure('Added to a wallet').getByRole('link', { name: '0' }).click();
        await page.locator('h1', { hasText: 'Events' }).waitFor();
        await page.getByText('Nothing has happened yet').waitFor();
        await page.goBack();

        const chart = page.locator('figure', { hasText: 'Visits per day' });
        await chart.getByRole('slider', { name: 'Visits per day' }).focus();
        await chart.locator('.value', { hasText: /^1/ }).waitFor();
        await page.keyboard.press('ArrowLeft');
        await chart.locator('.value', { hasText: /^0/ }).waitFor();
        assert.match(
          (await chart.getByRole('slider').getAttribute('aria-valuetext')) ?? '',
          /: 0; The 30 days before: 0$/,
        );
        await chart.getByRole('button', { name: 'As a table' }).click();
        await assertForEverybody(page);
        await chart.getByRole('link', { name: '1' }).click();
        await page.waitForURL(/kind=earn/);
        await page.locator('tbody tr:only-child', { hasText: '+7' }).waitFor();
        assert.equal(new URL(page.url()).searchParams.get('passId'), club.passId);
      },
      { client },
    );
  });

  it('are of the chosen days, next to those before them', async () => {
    const { client } = await app.newWorkspace();
    await client.patch('/workspace', { timezone: 'Europe/Berlin' });
    const { passId } = await makeClub(client, 'Blue Bean Club', 7);
    const dayMs = 86_400_000;
    app.advance(10 * dayMs);
    const awards = async (count: number) => {
      for (let at = 0; at < count; at++) {
        const { instanceId } = await makeCard(client, passId, { holder: { name: `Guest ${at}` } });
        await client.post('/loyalty/points', { passId, instanceId, points: 123_456_789 });
      }
    };
    await awards(4);
    app.advance(7 * dayMs);
    await awards(2);
    await inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        await open('/console?days=7', 'Home');
        const figure = (label: string) => page.locator('.tiles > div', { hasText: label }).locator('dd');
        await figure('Visits').getByText('before 4').waitFor();
        await figure('Visits').locator('.less', { hasText: '50%' }).waitFor();
        await figure('Customers who came').getByText('2', { exact: true }).waitFor();
        await figure('Points given').getByRole('link', { name: '246.9M' }).waitFor();
        await assertForEverybody(page);
        await page.getByRole('button', { name: 'Today' }).click();
        await page.waitForURL(/days=1$/);
        await figure('Visits').getByText('yesterday 0').waitFor();
        await page.getByRole('button', { name: '30 days' }).click();
        await figure('Customers who came').getByText('7', { exact: true }).waitFor();
      },
      { client },
    );
  });

  it('stand next to what is missing before customers come, as the pages say that bring people', async () => {
    const { client } = await app.newWorkspace();
    const { passId } = await makePass(client, { title: 'Blue Bean Club' });
    await inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        await open('/console', 'Home');
        const list = page.getByRole('region', { name: 'Before customers come' });
        await list.getByText('iPhones refuse the cards: they are signed with a test certificate.').waitFor();
        await list.getByText('No mail leaves the service').waitFor();
        await list.getByText('Ask the person who runs this service.').first().waitFor();
        await list.getByRole('link', { name: 'Set up Google Wallet' }).waitFor();
        await list.getByRole('link', { name: 'Set up Apple Wallet' }).click();
        await page.waitForURL(/settings\/wallets\/apple$/);
        const line = 'iPhones refuse the cards at the moment. No mail leaves the service at the moment.';
        for (const place of ['join', 'invites']) {
          await open(`/console/passes/${passId}/${place}`, 'Blue Bean Club');
          await page.getByText(line).waitFor();
        }
        await page.getByRole('link', { name: 'What is missing' }).click();
        await list.waitFor();
      },
      { client },
    );
  });

  it('of the ledger name customer, staff and till, and can be asked by them', async () => {
    const { client } = await app.newWorkspace();
    const { passId } = await makeClub(client, 'Blue Bean Club', 7);
    const { instanceId } = await makeCard(client, passId, { holder: { name: 'Ana Kovač' } });
    const { browser } = await signInAtTill(app, 'staff', client, { name: 'Till by the door' });
    const award = await browser.post('/loyalty/points', { passId, instanceId, points: 5 });
    assert.equal(award.status, 200);
    await inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        await open(`/console/cards/entries?passId=${passId}`, 'Points');
        const row = page.locator('tbody tr', { hasText: '+5' });
        await row.getByRole('link', { name: 'Ana Kovač' }).waitFor();
        await row.getByText(/by A staff · Till by the door$/).waitFor();
        await page.getByLabel('Till').selectOption('Till by the door');
        await page.waitForURL(/deviceId=/);
        await page.locator('tbody tr:only-child', { hasText: '+5' }).waitFor();
        await assertForEverybody(page);
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: 'Download as CSV' }).click(),
        ]);
        const [heads, line] = readFileSync(await download.path(), 'utf8')
          .trim()
          .split('\r\n');
        assert.match(heads ?? '', /^when,what,points,balance,customer,staff,till,/);
        assert.match(
          line ?? '',
          /^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d,Award,5,5,Ana Kovač,A staff,Till by the door,/,
        );
        await page.getByLabel('Till').selectOption('All');
        await page.getByLabel('Staff').selectOption('A staff');
        await page.waitForURL(/personId=/);
        await page.locator('tbody tr:only-child', { hasText: '+5' }).waitFor();
      },
      { client },
    );
    await inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        await open(`/console/cards/entries?passId=${passId}`, 'Punkte');
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: 'Als CSV herunterladen' }).click(),
        ]);
        const text = readFileSync(await download.path(), 'utf8');
        assert.match(text, /^\ufeffWann;Was;Punkte;Stand;Kunde;Mitarbeiter;Kasse;/);
        assert.match(text, /;Gutschrift;5;5;Ana Kovač;A staff;Till by the door;/);
      },
      { client, locale: 'de-DE' },
    );
  });

  it('of cards are of a time', async () => {
    const { client } = await app.newWorkspace();
    const pass = await makePass(client, { title: 'Blue Bean Club' });
    await makeCard(client, pass.passId, { holder: { name: 'Ada Lovelace' } });
    await inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        await open('/console/cards?from=2020-01-01&to=2020-12-31', 'Customers');
        await page.getByText('No card found').waitFor();
        await waitForValue(page.getByLabel('Until'), '2020-12-31');
        await page.getByLabel('Until').fill('');
        await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
      },
      { client },
    );
  });
});
