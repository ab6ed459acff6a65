import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { startReceiver, startWebhookApp } from '../src/webhooks/webhooks.fixture.ts';
import { assertForEverybody, consoleSettings, consoleSkip, inConsole } from './console.ts';
import { makeCard, makePass } from './factories.ts';

describe('the pages for developers', { skip: consoleSkip }, async () => {
  const receiver = await startReceiver();
  const app = await startWebhookApp(await consoleSettings());
  const { client } = app;
  const dialog = (page: Page) => page.getByRole('dialog');

  it('make a key that works, exchange its secret, revoke it', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      await open('/console/developers', 'API keys');
      await page.getByRole('button', { name: 'New key' }).click();
      await dialog(page).getByLabel('Name').fill('Till 7');
      await dialog(page).getByRole('button', { name: 'Make key' }).click();
      const secretIn = async () => {
        const field = dialog(page).getByLabel('The secret of the key');
        await field.waitFor();
        const secret = await field.inputValue();
        await dialog(page).getByRole('button', { name: 'Close' }).click();
        return secret;
      };
      const first = await secretIn();
      assert.equal((await client.as(first).get('/me')).status, 200);
      await page.getByRole('button', { name: 'New secret Till 7' }).click();
      await dialog(page).getByRole('button', { name: 'New secret' }).click();
      const second = await secretIn();
      assert.notEqual(second, first);
      assert.equal((await client.as(second).get('/me')).status, 200);
      await assertForEverybody(page);
      await page.getByRole('button', { name: 'Revoke Till 7' }).click();
      await dialog(page).getByRole('button', { name: 'Revoke' }).click();
      await page.locator('tr', { hasText: 'Till 7' }).getByText('Revoked').waitFor();
    }));

  it('make a webhook, test it, and show what became of it', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      await open('/console/developers/webhooks', 'Webhooks');
      await page.getByText('No webhooks yet').waitFor();
      await page.getByRole('button', { name: 'New webhook' }).click();
      await dialog(page).getByLabel('Address').fill(receiver.url);
      await dialog(page).getByLabel('Kinds of events').fill('no.such.kind');
      await dialog(page).getByRole('button', { name: 'Make webhook' }).click();
      await dialog(page)
        .getByRole('alert')
        .locator('strong')
        .or(dialog(page).locator('.problem'))
        .first()
        .waitFor();
      await dialog(page).getByLabel('Kinds of events').fill('instance.issued');
      await dialog(page).getByRole('button', { name: 'Make webhook' }).click();
      await dialog(page).getByLabel('The secret of the webhook').waitFor();
      await dialog(page).getByRole('button', { name: 'Close' }).click();
      await page.getByRole('link', { name: receiver.url }).click();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.locator('tr', { hasText: 'webhook.test' }).waitFor();
      await assertForEverybody(page);
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('button', { name: 'Resume' }).waitFor();
    }));

  it('show events and requests, and what came of one', () =>
    inConsole(app, 'viewer', async ({ page, open }) => {
      const pass = await makePass(client);
      await makeCard(client, pass.passId, { holder: { name: 'Ada' } });
      await open('/console/developers/events', 'Events');
      await page.getByRole('row', { name: /^instance\.issued/ }).waitFor();
      await assertForEverybody(page);
      await page
        .getByRole('row', { name: /^instance\.issued/ })
        .getByRole('link')
        .click();
      await page.locator('h1', { hasText: 'What came of this request' }).waitFor();
      await page.locator('li', { hasText: 'instance.issued' }).waitFor();
      await assertForEverybody(page);
      await open('/console/developers/requests', 'Requests');
      await assertForEverybody(page);
    }));
});
