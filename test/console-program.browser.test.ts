import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { photo } from '../src/passes/images/pictures.fixture.ts';
import { assertForEverybody, checksPages, consoleSettings, consoleSkip, inConsole } from './console.ts';
import { makeCard, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';

describe('the program of a pass and its messages', { skip: consoleSkip }, async () => {
  checksPages('/console/passes/:passId/program', '/console/passes/:passId/messages');
  const app = await startTestApp(await consoleSettings());
  const { client } = app;
  const dialog = (page: Page) => page.getByRole('dialog');

  it('make a program of stamps, launch it, change a rule, pause it', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      const { passId } = await makePass(client, { title: 'Blue Bean Club' });
      await open(`/console/passes/${passId}/program`, 'Blue Bean Club · Program');
      await page.getByRole('button', { name: 'Set up a program' }).click();
      await page.getByLabel('Reward', { exact: true }).fill('Free coffee');
      await page.getByLabel('Stamps for a reward').fill('8');
      await page.getByRole('button', { name: 'Make program' }).click();
      await page.getByText('With 8 of them: Free coffee.').waitFor();
      await page.getByRole('button', { name: 'Launch' }).click();
      await dialog(page).getByRole('button', { name: 'Launch' }).click();
      await page.locator('.badge', { hasText: 'Running' }).waitFor();
      await page.getByLabel('At most so many awards a day').fill('3');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The program is changed.').waitFor();
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.locator('.badge', { hasText: 'Paused' }).waitFor();
      await assertForEverybody(page);
      const { data } = (await client.get('/loyalty/programs?limit=100')).body;
      const [made] = data.filter((one: { passId: string }) => one.passId === passId);
      assert.deepEqual(
        [made.mode, made.threshold, made.status, made.limits.perDay],
        ['STAMPS', 8, 'paused', 3],
      );
    }));

  it('ask before stamps take the place of a picture, and leave the choice in the design', async () => {
    const { client } = await app.newWorkspace();
    const png = await photo(750, 288).png().toBuffer();
    const upload = await client.post('/images', png, { headers: { 'content-type': 'image/png' } });
    const { passId } = await makePass(client, { title: 'Bean Club', stripUrl: upload.body.url });
    const program = { passId, mode: 'STAMPS', threshold: 5, reward: { title: 'Free coffee' } };
    const { programId } = (await client.post('/loyalty/programs', program)).body;
    const draws = async () => (await client.get(`/loyalty/programs/${programId}`)).body.drawsStamps;
    await inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        await open(`/console/passes/${passId}/program`, 'Bean Club · Program');
        await page.getByRole('button', { name: 'Launch' }).click();
        await dialog(page).getByText('Your picture makes way for the stamps').waitFor();
        await assertForEverybody(page);
        await dialog(page).getByLabel('Draw the stamps on the card').uncheck();
        await dialog(page).getByRole('button', { name: 'Launch' }).click();
        await page.locator('.badge', { hasText: 'Running' }).waitFor();
        assert.equal(await draws(), false);
        await open(`/console/passes/${passId}/design`, 'Bean Club · Design');
        await page.locator('.thumb.stripUrl img').waitFor();
        assert.equal(await page.getByText('Not shown', { exact: true }).count(), 0);
        await page.getByLabel('Draw the stamps on the card').check();
        await page.getByText('Not shown', { exact: true }).waitFor();
        assert.equal(await draws(), true);
        await assertForEverybody(page);
      },
      { client },
    );
  });

  it('make one of points, with an example in money', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      const { passId } = await makePass(client, { title: 'Green Bean Club' });
      await open(`/console/passes/${passId}/program`, 'Green Bean Club · Program');
      await page.getByRole('button', { name: 'Set up a program' }).click();
      await page.getByLabel('What holders collect').selectOption('POINTS');
      await page.getByLabel('Reward', { exact: true }).fill('A cake');
      await page.getByLabel('Points for each unit of currency').fill('2');
      await page.getByRole('button', { name: 'Make program' }).click();
      await page.getByText('A purchase of 12.50 earns 25 points. 100 points: A cake.').waitFor();
    }));

  it('see what a message costs, send it, and see its outcome', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      const { passId } = await makePass(client, { title: 'Red Bean Club' });
      const card = await makeCard(client, passId);
      await open(`/console/passes/${passId}/messages`, 'Red Bean Club · Messages');
      await page.getByText('No messages yet').waitFor();
      const write = async () => {
        await dialog(page).getByLabel('Message').fill('Double points on Friday');
        await dialog(page).getByRole('button', { name: 'See what it costs' }).click();
      };
      await page.getByRole('button', { name: 'New message' }).click();
      await write();
      await dialog(page).getByText('No card in a wallet is like that.').waitFor();
      const viewer = '0e4f7a52-94b1-4f0e-9d3c-6f2f1f1f9a10';
      const token = new URL(card.links.add).pathname;
      const installed = await app.anyone.post(`${token}/card/installation`, { viewer, installed: true });
      assert.equal(installed.status, 204, installed.text);
      await write();
      await dialog(page).getByText('Cards that it goes to: 1. Credits that it costs: 1.').waitFor();
      await dialog(page).getByRole('button', { name: 'Send' }).click();
      await page.locator('tr', { hasText: 'Double points on Friday' }).waitFor();
      await assertForEverybody(page);
    }));
});
