import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  assertForEverybody,
  checksPages,
  consoleSettings,
  consoleSkip,
  inConsole,
  waitForCount,
  waitForNone,
} from './console.ts';
import { makeCard, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';
import { until } from './wallets.ts';

describe('the pages for developers', { skip: consoleSkip }, async () => {
  checksPages(
    '/console/developers',
    '/console/developers/events',
    '/console/developers/requests',
    '/console/developers/requests/:requestId',
  );
  const app = await startTestApp(await consoleSettings());
  const { client } = app;
  const dialog = (page: Page) => page.getByRole('dialog');

  /** The secret that a dialog shows once; closes it. */
  async function secretIn(page: Page): Promise<string> {
    const field = dialog(page).getByLabel('The secret of the key');
    await field.waitFor();
    const secret = await field.inputValue();
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    return secret;
  }

  /** Chooses from the menu of a key. */
  async function choose(page: Page, key: string, what: string): Promise<void> {
    await page.getByRole('button', { name: `More for ${key}` }).click();
    await page.getByRole('button', { name: what, exact: true }).click();
    await dialog(page).waitFor();
  }

  it('make a key for some passes, change it, exchange its secret, and revoke it saying what stops', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      const [club, other] = [
        await makePass(client, { title: 'Club' }),
        await makePass(client, { title: 'Other' }),
      ];
      await open('/console/developers', 'API keys');
      await page.getByRole('button', { name: 'New key' }).click();
      await dialog(page).getByLabel('Name').fill('Till 7');
      await dialog(page).getByLabel('Access').selectOption('read');
      await dialog(page).getByLabel('Passes').selectOption('some');
      await dialog(page).getByRole('button', { name: 'Make key' }).click();
      await dialog(page).getByText('Choose at least one.').waitFor();
      await dialog(page).getByRole('checkbox', { name: 'Club' }).check();
      await dialog(page).getByLabel('Requests a second').fill('25');
      await dialog(page).getByLabel('Last day').fill('2020-01-31');
      await dialog(page).getByRole('button', { name: 'Make key' }).click();
      await dialog(page).getByText('This is past.').waitFor();
      await dialog(page).getByLabel('Last day').fill('2099-01-31');
      await assertForEverybody(page);
      await dialog(page).getByRole('button', { name: 'Make key' }).click();
      const first = await secretIn(page);
      const me = (await client.as(first).get('/me')).body;
      assert.deepEqual([me.access, me.passIds, me.rateLimit], ['read', [club.passId], 25]);
      const row = page.locator('tr', { hasText: 'Till 7' });
      await row.getByText('1 pass · 25 requests a second').waitFor();
      await row.getByText('until 31 Jan 2099').waitFor();
      assert.equal((await client.as(first).get(`/passes/${other.passId}`)).status, 403);

      await choose(page, 'Till 7', 'Change');
      await dialog(page).getByLabel('Passes').selectOption('all');
      await dialog(page).getByRole('button', { name: 'Save' }).click();
      await page.getByText('Till 7 is changed.').waitFor();
      await row.getByText('All passes · 25 requests a second').waitFor();
      assert.equal((await client.get(`/api-keys/${me.keyId}`)).body.expiresAt.slice(0, 10), '2099-01-31');

      await choose(page, 'Till 7', 'New secret');
      await dialog(page).getByLabel('The old secret works on for').selectOption('0');
      await dialog(page).getByRole('button', { name: 'New secret' }).click();
      const second = await secretIn(page);
      assert.equal((await client.as(second).get('/me')).status, 200);
      assert.equal((await client.as(first).get('/me')).status, 401);
      const refused = await client.as(second).patch('/workspace', { name: 'Not allowed' });
      const logged = `/requests/${refused.headers.get('x-request-id')}`;
      await until('it is in the log', async () => (await client.get(logged)).status === 200);

      await page.reload();
      await choose(page, 'Till 7', 'Revoke');
      await dialog(page).getByText('It was used last on').waitFor();
      await dialog(page).getByText('updateWorkspace').waitFor();
      await dialog(page).getByRole('button', { name: 'Revoke' }).click();
      await row.getByText('Revoked').waitFor();
      assert.equal((await client.as(second).get('/me')).status, 401);
    }));

  it('keep what others have changed since, and the last key', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      const { body: key } = await client.post('/api-keys', { name: 'Shared', access: 'full' });
      await open('/console/developers', 'API keys');
      await choose(page, 'Shared', 'Change');
      await client.patch(`/api-keys/${key.keyId}`, { rateLimit: 7 });
      await dialog(page).getByLabel('Name').fill('Renamed');
      await dialog(page).getByRole('button', { name: 'Save' }).click();
      await page.locator('tr', { hasText: 'Renamed' }).getByText('7 requests a second').waitFor();
      await client.delete(`/api-keys/${key.keyId}`);
      await choose(page, 'Renamed', 'New secret');
      await dialog(page).getByRole('button', { name: 'New secret' }).click();
      await dialog(page).getByText('There is no such key, or it has ended.').waitFor();
    }));

  it('show requests by each filter, which is in the address', () =>
    inConsole(app, 'viewer', async ({ page, open }) => {
      const { body: key } = await client.post('/api-keys', { name: 'Web shop', access: 'full' });
      const shop = client.as(key.secret);
      const pass = await makePass(client);
      const card = await makeCard(client, pass.passId);
      await shop.patch(`/passes/${pass.passId}`, { unknown: true });
      await shop.delete(`/webhooks/hook_0`);
      await open('/console/developers/requests', 'Requests');
      await page.getByLabel('Answer').selectOption('400');
      await page.getByLabel('Key').selectOption('Web shop');
      await page.waitForURL(/status=400&keyId=key_/);
      await page
        .locator('tr', { hasText: `PATCH /passes/${pass.passId}` })
        .getByText('invalid_request')
        .waitFor();
      await waitForCount(page.locator('tbody tr'), 1);
      await assertForEverybody(page);
      await page.getByRole('button', { name: 'Show all' }).click();
      await page.getByLabel('Code').fill('webhook_not_found');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.locator('tbody tr', { hasText: 'Web shop' }).first().waitFor();
      await page.getByRole('button', { name: 'Show all' }).click();
      await page.getByLabel('Card').fill(card.instanceId);
      await page.getByLabel('From').fill('2020-01-01');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.locator('tbody tr', { hasText: 'POST /passes/' }).first().waitFor();
      await page.getByLabel('To').fill('2020-01-02');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByText('No requests match').waitFor();
      await page.getByLabel('Card').fill('not a card');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.locator('main').getByRole('alert').or(page.getByText('No requests match')).waitFor();
    }));

  it('show events of several kinds, follow them as they happen, pause and go on', () =>
    inConsole(app, 'viewer', async ({ page, open }) => {
      const pass = await makePass(client);
      await makeCard(client, pass.passId, { holder: { name: 'Ada' } });
      await open('/console/developers/events', 'Events');
      await page.getByRole('button', { name: 'All kinds' }).click();
      await dialog(page).getByRole('checkbox', { name: 'instance.issued' }).check();
      await dialog(page).getByRole('checkbox', { name: 'instance.voided' }).check();
      await assertForEverybody(page);
      await dialog(page).getByRole('button', { name: 'Show these' }).click();
      await page.waitForURL(/type=instance.issued%2Cinstance.voided/);
      await page.getByLabel('Pass').selectOption(pass.passId);
      const rows = page.locator('tbody tr');
      await page
        .getByRole('row', { name: /^pass\./ })
        .first()
        .waitFor({ state: 'detached' });
      await waitForCount(rows, 1);
      await page.getByRole('button', { name: 'Follow live' }).click();
      const second = await makeCard(client, pass.passId, { holder: { identifier: 'grace' } });
      await rows.nth(1).waitFor();
      await client.post(`/instances/${second.instanceId}/void`, {});
      await page.getByRole('row', { name: /^instance\.voided/ }).waitFor();
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByText('Paused.').waitFor();
      await makeCard(client, pass.passId, { holder: { identifier: 'joan' } });
      await waitForCount(rows, 3);
      await page.getByRole('button', { name: 'Follow live' }).click();
      await rows.nth(3).waitFor();
      await assertForEverybody(page);
      await rows.first().getByText('What it says').click();
      await rows
        .first()
        .getByRole('link', { name: /^req|^[0-9a-f]/ })
        .first()
        .click();
      await page.locator('h1', { hasText: 'What came of this request' }).waitFor();
      await page.locator('li', { hasText: 'instance.issued' }).waitFor();
      await assertForEverybody(page);
    }));

  it('show what was just done as curl that works, with its secrets masked', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      await open('/console/settings', 'Workspace');
      await page.getByLabel('Name').fill(`Bea's "Bean"`);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      await page.locator('.who').click();
      await page.locator('#account-menu').getByRole('button', { name: 'As curl' }).click();
      const written = dialog(page).locator('details[open] pre');
      const curl = await written.innerText();
      assert.match(curl, /^curl -X PATCH 'http:\/\/localhost:\d+\/v1\/workspace' \\\n/);
      assert.match(curl, /Authorization: Bearer \$PUNCHCARD_KEY/);
      assert.ok(curl.includes(`"name": "Bea'\\''s \\"Bean\\""`), curl);
      await assertForEverybody(page);
      await dialog(page).getByText('TypeScript').click();
      assert.match(await written.innerText(), /await punchcard\.workspace\.update\(\{\n {2}name: "Bea's/);
      await dialog(page).getByRole('link', { name: 'What came of this request' }).first().click();
      await page.locator('h1', { hasText: 'What came of this request' }).waitFor();
      await waitForNone(dialog(page));
      await page.locator('.who').click();
      await page.locator('#account-menu').getByRole('button', { name: 'As curl' }).click();
      await dialog(page).getByText('GET /v1/trace/').waitFor();
      await page.keyboard.press('Escape');
    }));

  it('are not for staff, and nor is curl', () =>
    inConsole(app, 'staff', async ({ page, open }) => {
      await open('/console/developers', 'This page is not for your role');
      await page.locator('.who').click();
      await page.getByText('Sign out').waitFor();
      await waitForNone(page.getByRole('button', { name: 'As curl' }));
    }));

  it('offer a manager no keys to make', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      await open('/console/developers', 'API keys');
      await page.locator('tbody tr').first().waitFor();
      await waitForNone(page.getByRole('button', { name: 'New key' }));
      await waitForNone(page.getByRole('button', { name: /^More for/ }));
    }));

  it('speak German, and fit', () =>
    inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        for (const [path, heading] of [
          ['/console/developers', 'API-Schlüssel'],
          ['/console/developers/events', 'Ereignisse'],
          ['/console/developers/requests', 'Aufrufe'],
          ['/console/settings/wallets/apple', 'Ihr eigenes Zertifikat von Apple'],
          ['/console/settings/wallets/google', 'Ihr eigenes Konto bei Google Wallet'],
        ] as const) {
          await open(path, heading);
          await assertForEverybody(page);
        }
        await page.locator('.who').click();
        await page.locator('#account-menu').getByRole('button', { name: 'Als curl' }).click();
        await dialog(page).getByText('GET /v1/workspace/wallets').waitFor();
        await assertForEverybody(page);
      },
      { locale: 'de-DE' },
    ));
});
