import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
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

  it('write a message as phones show it, see for how many, send it, and take it back', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      const consents = [{ key: 'news', text: 'News by message', required: false }];
      const { passId } = await makePass(client, {
        title: 'Red Bean Club',
        join: { enabled: true, consents },
      });
      const card = await makeCard(client, passId);
      await open(`/console/passes/${passId}/messages`, 'Red Bean Club · Messages');
      await page.getByText('No messages yet').waitFor();
      const write = () => page.getByRole('link', { name: 'New message' }).click();
      await write();
      await page.getByText('No card in a wallet is like that.').waitFor();
      await page.getByRole('link', { name: 'Cancel' }).click();
      const viewer = '0e4f7a52-94b1-4f0e-9d3c-6f2f1f1f9a10';
      const token = new URL(card.links.add).pathname;
      const installed = await app.anyone.post(`${token}/card/installation`, { viewer, installed: true });
      assert.equal(installed.status, 204, installed.text);
      await write();
      await page.getByText('Goes to 1 card for 1 credit.').waitFor();
      await page.getByLabel('Message', { exact: true }).fill('Double points on Friday');
      await page.locator('.lock', { hasText: 'Double points on Friday' }).waitFor();
      await page.getByLabel('Agreed to: News by message').check();
      await page.getByText('No card in a wallet is like that.').waitFor();
      await page.getByLabel('Everyone with the card in a wallet').check();
      await page.getByText('Goes to 1 card for 1 credit.').waitFor();
      await assertForEverybody(page);
      await page.getByRole('button', { name: 'Send' }).click();
      const row = page.locator('tr', { hasText: 'Double points on Friday' });
      await row.getByText('1 of 1 delivered').waitFor();
      await assertForEverybody(page);
      await row.getByRole('button', { name: 'Take back: Double points on Friday' }).click();
      await dialog(page).getByText('Notifications that phones have shown already stay.').waitFor();
      await dialog(page).getByRole('button', { name: 'Take back' }).click();
      await row.getByText('Off the cards').waitFor();
      await write();
      await page.getByLabel('Message', { exact: true }).fill('Later');
      await page.getByLabel('Goes out').fill('2030-07-01T09:30');
      await page.getByRole('button', { name: 'Schedule' }).click();
      const later = page.locator('tr', { hasText: 'Later' });
      await later.getByText('Scheduled').waitFor();
      const planned = async () => (await client.get(`/passes/${passId}/messages`)).body.data[0];
      // The clocks of the workspace count, those of UTC here.
      assert.equal((await planned()).sendAt, '2030-07-01T09:30:00.000Z');
      await client.patch('/workspace', { timezone: 'Europe/Berlin' });
      await page.reload();
      await later.getByRole('link', { name: 'Change' }).click();
      assert.equal(await page.getByLabel('Goes out').inputValue(), '2030-07-01T11:30');
      await page.getByLabel('Goes out').fill('2030-12-01T09:30');
      await page.getByRole('button', { name: 'Save' }).click();
      await later.waitFor();
      assert.equal((await planned()).sendAt, '2030-12-01T08:30:00.000Z');
    }));
});
