import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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

/** What the tests need of an `<img>`: it fails for what cannot be shown. */
interface Picture {
  decode(): Promise<void>;
}

describe('the passes of the console in Chromium', { skip: consoleSkip }, async () => {
  checksPages('/console/passes', '/console/passes/new');
  const app = await startTestApp(await consoleSettings());

  it('shows passes as their cards, and publishes, duplicates, archives and deletes them', async () => {
    const { client } = await app.newWorkspace();
    await inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        await open('/console/passes', 'Passes');
        await page.getByText('Design your first pass').waitFor();
        await assertForEverybody(page);
        const { passId } = await makePass(client, { title: 'Red Bean Club' }, 'draft');
        await open('/console/passes', 'Passes');
        const card = page.locator('.pass-card', { hasText: 'Red Bean Club' });
        await card.locator('img.picture').waitFor();
        await card.locator('img').evaluate((image) => (image as unknown as Picture).decode());
        await card.getByRole('button', { name: 'More for Red Bean Club' }).click();
        await page.getByRole('button', { name: 'Publish' }).click();
        await card.getByText('Published').waitFor();
        await makeCard(client, passId);

        await card.getByRole('button', { name: 'More for Red Bean Club' }).click();
        await page.getByRole('button', { name: 'Duplicate' }).click();
        const copy = page.locator('.pass-card', { hasText: 'Draft' });
        await copy.waitFor();
        await card.getByText('1 card, 0 in wallets').waitFor();
        await assertForEverybody(page);

        await copy.getByRole('button', { name: /^More for/ }).click();
        await page.getByRole('button', { name: 'Delete' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
        await copy.waitFor({ state: 'detached' });

        await card.getByRole('button', { name: 'More for Red Bean Club' }).click();
        await waitForNone(page.getByRole('button', { name: 'Delete' }));
        await page.getByRole('button', { name: 'Archive' }).click();
        await assertForEverybody(page);
        await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
        await card.getByText('Archived').waitFor();
        await page.getByRole('link', { name: 'Drafts' }).click();
        await page.getByText('There is no pass with this status').waitFor();
        assert.equal((await client.get(`/passes/${passId}`)).body.status, 'archived');
      },
      { client },
    );
  });

  it('offers a viewer nothing that changes a pass', async () => {
    await makePass(app.client, { title: 'Green Bean Club' });
    await inConsole(app, 'viewer', async ({ page, open }) => {
      await open('/console/passes', 'Passes');
      await page.locator('.pass-card img').first().waitFor();
      await waitForNone(page.getByRole('button', { name: /^More for/ }));
      await page.getByRole('link', { name: 'Green Bean Club' }).click();
      await page.locator('h1:focus', { hasText: 'Green Bean Club · Design' }).waitFor();
      await page.getByRole('img', { name: 'Green Bean Club in Google Wallet' }).waitFor();
      await assertForEverybody(page);
    });
  });

  it('begins a pass with a template, or with an empty card', async () => {
    const { client } = await app.newWorkspace();
    await inConsole(
      app,
      'manager',
      async ({ page, open }) => {
        await open('/console/passes', 'Passes');
        // What the service failed to draw is asked for again.
        let failures = 0;
        await page.route('**/v1/passes/preview', (route) => {
          failures += 1;
          const json = { error: 'It failed.', code: 'internal_error', requestId: 'req_1', retryable: false };
          return failures > 10 ? route.continue() : route.fulfill({ status: 500, json });
        });
        await page.getByRole('link', { name: 'Choose a template' }).click();
        await page.getByRole('link', { name: 'Ticket' }).click();
        await page.getByRole('img', { name: 'A card of the template Concert' }).waitFor();
        await page.unrouteAll({ behavior: 'wait' });
        assert.ok(failures > 10);
        // To look at templates uploads nothing.
        const uploads = async () => (await client.get('/audit?action=uploadImage')).body.data.length;
        assert.equal(await uploads(), 0);
        await waitForCount(page.locator('.pass-card'), 2);
        await assertForEverybody(page);
        await page.getByRole('button', { name: 'Use this template Concert' }).click();
        await page.locator('h1', { hasText: 'Live at the Hall · Design' }).waitFor();
        const [pass] = (await client.get('/passes')).body.data;
        assert.deepEqual(
          [pass.type, pass.status, pass.colors.background],
          ['eventTicket', 'draft', '#17112e'],
        );
        assert.equal(pass.images.stripUrl.width, 1125);
        assert.equal(await uploads(), 1);

        await open('/console/passes/new', 'New pass');
        await page.getByLabel('Title').fill('My own');
        await page.getByLabel('Type', { exact: true }).selectOption('coupon');
        await page.getByRole('button', { name: 'Create' }).click();
        await page.locator('h1', { hasText: 'My own · Design' }).waitFor();
      },
      { client },
    );
  });
});
