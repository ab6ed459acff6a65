import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startChromium } from './chromium.ts';
import {
  assertForEverybody,
  checksPages,
  consoleSettings,
  consoleSkip,
  inConsole,
  waitForNone,
} from './console.ts';
import { startTestApp } from './harness.ts';

describe("the operator's pages in Chromium", { skip: consoleSkip }, async () => {
  checksPages('/console/operator', '/console/operator/workspaces/:workspaceId', '/console/operator/service');
  const app = await startTestApp(await consoleSettings());
  const { operatorToken } = app.running.app;

  it('ask for the token, not for a session, and keep it to the tab', async () => {
    const browser = await startChromium({ locale: 'en-GB' });
    try {
      const page = await browser.context.newPage();
      await page.goto(`${app.config.publicUrl}/console/operator`);
      await assertForEverybody(page);
      await page.getByLabel('Operator token').fill('not the token of this installation');
      await page.getByRole('button', { name: 'Go on' }).click();
      await page.locator('[name="token"][aria-invalid="true"]').waitFor();
      await page.getByLabel('Operator token').fill(operatorToken);
      await page.getByRole('button', { name: 'Go on' }).click();
      await page.locator('tr', { hasText: 'Default' }).waitFor();
      await assertForEverybody(page);
      await page.reload();
      await page.locator('tr', { hasText: 'Default' }).waitFor();
      assert.deepEqual(await page.context().cookies(), []);
      const other = await browser.context.newPage();
      await other.goto(`${app.config.publicUrl}/console/operator`);
      await other.getByLabel('Operator token').waitFor();
      await page.getByRole('button', { name: 'Forget the token' }).click();
      await page.getByLabel('Operator token').waitFor();
      await page.goto(`${app.config.publicUrl}/console`);
      assert.equal(new URL(page.url()).pathname, '/sign-in');
    } finally {
      await browser.close();
    }
  });

  it('make a workspace, top it up, change its plan, and suspend it', () =>
    inConsole(app, 'viewer', async ({ page, open }) => {
      await waitForNone(page.locator('.nav a', { hasText: 'Operator' }));
      await open('/console/operator', 'Workspaces');
      await page.getByLabel('Operator token').fill(operatorToken);
      await page.getByRole('button', { name: 'Go on' }).click();
      await page.getByRole('button', { name: 'New workspace' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Tea House');
      await page.getByLabel("Owner's name").fill('Ada');
      await page.getByLabel("Owner's e-mail address").fill('ada@tea.example');
      await page.getByLabel('Credits').fill('7');
      await assertForEverybody(page);
      await page.getByRole('button', { name: 'Make it' }).click();
      await page.getByText('Pass this link on to Ada').waitFor();
      const link = await page.getByRole('textbox', { name: 'Sign-in link' }).inputValue();
      await waitForNone(page.getByRole('textbox', { name: 'A key with full access' }));
      await page.getByRole('button', { name: 'Show the API key' }).click();
      const key = await page.getByRole('textbox', { name: 'A key with full access' }).inputValue();
      const tea = app.client.with({ authorization: `Bearer ${key}` });
      assert.equal((await tea.get('/me')).body.workspace.credits, 7);
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Tea House' }).click();
      await page.locator('h1', { hasText: 'Tea House' }).waitFor();
      const ada = page.locator('tr', { hasText: 'ada@tea.example' });
      await ada.getByText('Invited', { exact: true }).waitFor();
      await ada.getByRole('button', { name: 'Invite again' }).click();
      const dialog = page.getByRole('dialog');
      assert.notEqual(await dialog.getByRole('textbox', { name: 'Sign-in link' }).inputValue(), link);
      await page.keyboard.press('Escape');
      // She follows her first link, and is there.
      const browser = await startChromium({ locale: 'en-GB' });
      try {
        const hers = await browser.context.newPage();
        await hers.goto(link);
        await hers.getByRole('button').first().click();
        await hers.waitForURL('**/console**');
      } finally {
        await browser.close();
      }
      await page.reload();
      await ada.getByText('Joined').waitFor();
      await assertForEverybody(page);
      await page.getByLabel('Credits').fill('40');
      await page.getByLabel('Reference').fill('INV-1');
      await page.getByRole('button', { name: 'Add credits' }).click();
      await page.getByText('Added. 47 are free to spend.').waitFor();
      await page.getByLabel('Plan').selectOption('pro');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      const { plan, credits } = (await tea.get('/me')).body.workspace;
      assert.deepEqual([plan, credits], ['pro', 47]);
      await page.getByRole('button', { name: 'Suspend' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
      await page.getByText('This workspace is suspended').waitFor();
      await page.getByRole('button', { name: 'Let it go on' }).click();
      await page.getByText('This workspace is suspended').waitFor({ state: 'detached' });
    }));

  it('show how the service is, and examine a card', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      const pass = (await app.client.post('/passes', { title: 'Club', type: 'loyalty' })).body;
      await app.client.patch(`/passes/${pass.passId}`, { status: 'published' });
      const card = (
        await app.client.post(`/passes/${pass.passId}/instances`, { holder: { identifier: 'a' } })
      ).body;
      await open('/console/operator', 'Workspaces');
      await page.getByLabel('Operator token').fill(operatorToken);
      await page.getByRole('button', { name: 'Go on' }).click();
      await page.getByRole('link', { name: 'Service' }).click();
      const ready = page.locator('.facts > div', { hasText: 'Takes requests' });
      assert.equal(await ready.locator('.badge').innerText(), 'yes');
      const certificate = page.locator('.facts > div', { hasText: 'Certificate for Apple Wallet' });
      assert.match(await certificate.locator('.badge').innerText(), /^\d+ days left$/);
      await page.getByLabel('Id of the card').fill('inst_0');
      await page.getByRole('button', { name: 'Examine' }).click();
      await page.getByText('There is no such card.').waitFor();
      await page.getByLabel('Id of the card').fill(card.instanceId);
      await page.getByRole('button', { name: 'Examine' }).click();
      await page.locator('[aria-live] .notice').first().waitFor();
      await assertForEverybody(page);
    }));
});
