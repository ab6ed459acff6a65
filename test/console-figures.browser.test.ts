import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runJob } from '../src/statistics/statistics.fixture.ts';
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

  it('open the rows that they count', async () => {
    const { client } = await app.newWorkspace();
    const club = await makeClub(client, 'Blue Bean Club', 7);
    await makeClub(client, 'Green Leaf Club', 3);
    app.advance(2_000);
    await runJob(app, 'followLogs');
    await inConsole(
      app,
      'viewer',
      async ({ page, open }) => {
        await open('/console', 'Home');
        const figure = (label: string) => page.locator('.figures > div', { hasText: label }).locator('dd');
        await page.getByText('Choose one to see its figures alone.').waitFor();
        await figure('Points given').filter({ hasText: /^10$/ }).waitFor();
        await waitForNone(page.locator('.figures a'));
        await page.getByLabel('Pass').selectOption('Blue Bean Club');
        await figure('Points given').getByRole('link', { name: '7' }).waitFor();
        await assertForEverybody(page);

        await figure('Points given').getByRole('link').click();
        await page.locator('h1', { hasText: 'Points' }).waitFor();
        const rows = page.locator('tbody tr');
        await rows.nth(1).waitFor();
        assert.deepEqual(await rows.locator('td:nth-child(2)').allInnerTexts(), ['-2', '+7']);
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

        await page.getByRole('heading', { name: 'Awards per day' }).waitFor();
        const chart = page.locator('figure', { hasText: 'Awards per day' });
        await chart.getByText('As a table').click();
        await chart.getByRole('link', { name: '1' }).click();
        await page.waitForURL(/kind=earn/);
        await page.locator('tbody tr:only-child', { hasText: '+7' }).waitFor();
        assert.equal(new URL(page.url()).searchParams.get('passId'), club.passId);
      },
      { client },
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
        await open('/console/cards?from=2020-01-01&to=2020-12-31', 'Cards');
        await page.getByText('No card found').waitFor();
        await waitForValue(page.getByLabel('Until'), '2020-12-31');
        await page.getByLabel('Until').fill('');
        await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
      },
      { client },
    );
  });
});
