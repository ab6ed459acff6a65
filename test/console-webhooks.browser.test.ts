import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  deliveriesOf,
  makeWebhook,
  startReceiver,
  startWebhookApp,
} from '../src/webhooks/webhooks.fixture.ts';
import {
  assertForEverybody,
  checksPages,
  consoleSettings,
  consoleSkip,
  inConsole,
  waitForNone,
} from './console.ts';
import { makePass } from './factories.ts';

describe('the pages of webhooks', { skip: consoleSkip }, async () => {
  checksPages(
    '/console/developers/webhooks',
    '/console/developers/webhooks/:webhookId',
    '/console/developers/webhooks/:webhookId/deliveries/:deliveryId',
  );
  const app = await startWebhookApp(await consoleSettings());
  const { client } = app;
  const dialog = (page: Page) => page.getByRole('dialog');

  it('make one, say at its field what is refused, test it, and change it', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      const receiver = await startReceiver();
      const pass = await makePass(client, { title: 'Club' });
      await open('/console/developers/webhooks', 'Webhooks');
      await page.getByText('No webhooks yet').waitFor();
      await page.getByRole('button', { name: 'New webhook' }).click();
      await dialog(page).getByLabel('Address').fill('http://10.0.0.1/hook');
      await dialog(page).getByRole('button', { name: 'Make webhook' }).click();
      await dialog(page).locator('[name="url"][aria-invalid="true"]').waitFor();
      await dialog(page).getByLabel('Address').fill(receiver.url);
      await dialog(page).getByLabel('Events').selectOption('some');
      await dialog(page).getByRole('button', { name: 'Make webhook' }).click();
      await dialog(page).getByText('Choose at least one.').waitFor();
      await dialog(page).getByRole('checkbox', { name: 'instance.issued' }).check();
      await assertForEverybody(page);
      await dialog(page).getByRole('button', { name: 'Make webhook' }).click();
      await dialog(page).getByLabel('The secret of the webhook').waitFor();
      await dialog(page).getByRole('button', { name: 'Close' }).click();
      await page.getByRole('link', { name: receiver.url }).click();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.locator('tr', { hasText: 'webhook.test' }).getByText('Delivered').waitFor();
      await assertForEverybody(page);

      await page.getByRole('button', { name: 'Change' }).click();
      await dialog(page).getByLabel('Passes').selectOption('some');
      await dialog(page).getByRole('checkbox', { name: 'Club' }).check();
      await dialog(page).getByRole('checkbox', { name: 'points.* (all)' }).check();
      await dialog(page).getByLabel('What is sent').selectOption('thin');
      await dialog(page).getByLabel('Description').fill('The shop');
      await dialog(page).getByRole('button', { name: 'Save' }).click();
      await page.getByText('instance.issued, points.*').waitFor();
      const [hook] = (await client.get('/webhooks')).body.data;
      assert.deepEqual(
        [hook.types, hook.passIds, hook.payload, hook.description],
        [['instance.issued', 'points.*'], [pass.passId], 'thin', 'The shop'],
      );
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('button', { name: 'Resume' }).waitFor();
      await page.getByRole('button', { name: 'More for this webhook' }).click();
      await page.getByRole('button', { name: 'Send again what failed' }).click();
      await dialog(page).getByRole('button', { name: 'Send again what failed' }).click();
      await dialog(page).getByText('The webhook is paused or disabled. Resume it first.').waitFor();
      await dialog(page).getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'More for this webhook' }).click();
      await page.getByRole('button', { name: 'New secret' }).click();
      await dialog(page).getByRole('button', { name: 'New secret' }).click();
      await dialog(page).getByLabel('The secret of the webhook').waitFor();
      await dialog(page).getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'More for this webhook' }).click();
      await page.getByRole('button', { name: 'Delete' }).click();
      await dialog(page).getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No webhooks yet').waitFor();
    }));

  it('filter what was sent, show one with its attempts, and send it again', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      const receiver = await startReceiver();
      receiver.answering = 500;
      const { webhookId } = await makeWebhook(client, receiver.url, { types: ['pass.created'] });
      await makePass(client, { title: 'First' });
      await makePass(client, { title: 'Second' });
      await deliveriesOf(
        client,
        webhookId,
        (all) => all.length === 2 && all.every(({ attempts }) => attempts.length > 0),
      );
      // Automatic retries fail for the first alone.
      receiver.answering = (response, { body }) =>
        response.writeHead(body.includes('First') ? 500 : 204).end();
      await open(`/console/developers/webhooks/${webhookId}`, '127.0.0.1');
      await page.locator('tbody tr').nth(1).waitFor();
      await page.getByLabel('Event', { exact: true }).selectOption('points.awarded');
      await page.getByText('No deliveries match').waitFor();
      await page.waitForURL(/type=points.awarded/);
      await page.getByLabel('Event', { exact: true }).selectOption('pass.created');
      await page.getByLabel('From').fill('2020-01-01');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.locator('tbody tr').nth(1).waitFor();
      await page.locator('tbody tr').first().getByRole('button').click();
      await page.locator('tbody tr').first().getByText('Delivered').waitFor();
      await page.getByLabel('Result').selectOption('delivered');
      await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'pass.created' }).click();
      await page.locator('h1', { hasText: 'pass.created' }).waitFor();
      await page.locator('.attempts').getByText('500').first().waitFor();
      await page.locator('.attempts').getByText('204').first().waitFor();
      await page.locator('pre', { hasText: 'Second' }).waitFor();
      await assertForEverybody(page);
      await page.locator('.facts').getByRole('link').first().click();
      await page.locator('h1', { hasText: 'What came of this request' }).waitFor();
    }));

  it('show a viewer everything, and nothing to change', () =>
    inConsole(app, 'viewer', async ({ page, open }) => {
      const { webhookId } = await makeWebhook(client, (await startReceiver()).url);
      await open(`/console/developers/webhooks/${webhookId}`, '127.0.0.1');
      await page.getByText('No deliveries match').waitFor();
      await waitForNone(page.getByRole('button', { name: 'Send a test' }));
      await client.delete(`/webhooks/${webhookId}`);
      await page.reload();
      await page.getByText('There is no such webhook.').waitFor();
    }));
});
