import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { assertForEverybody, consoleSettings, consoleSkip, inConsole } from './console.ts';
import { startTestApp } from './harness.ts';

describe('the settings in Chromium', { skip: consoleSkip }, async () => {
  const app = await startTestApp(await consoleSettings());

  it('show credits with what each entry was for', () =>
    inConsole(app, 'viewer', async ({ page, open }) => {
      const { client } = app;
      const { workspaceId } = (await client.get('/workspace')).body;
      const credits = { amount: 25, externalRef: 'INV-7', note: 'Invoice <7>' };
      const added = await app.operator.post(`/operator/workspaces/${workspaceId}/credits`, credits);
      await open('/console/settings/credits', 'Credits');
      await page.locator('tr', { hasText: 'Invoice <7>' }).getByText('+25').waitFor();
      const shown = new Intl.NumberFormat('en-GB').format(added.body.balance);
      assert.equal(await page.locator('.figures dd').first().innerText(), shown);
      await assertForEverybody(page);
    }));

  it('show who changed what, with a filter that stands in the address', () =>
    inConsole(app, 'owner', async ({ page, person, open }) => {
      await open('/console/settings', 'Workspace');
      await page.getByLabel('Name').fill('Green Bean');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      await open('/console/settings/audit', 'Audit log');
      await page.getByLabel('Action').fill('updateWorkspace');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.waitForURL(/\?action=updateWorkspace$/);
      await page.locator('tr', { hasText: 'createPerson' }).first().waitFor({ state: 'detached' });
      await page.reload();
      const row = page.locator('tbody tr', { hasText: 'Ada Lovelace' });
      await row.waitFor();
      assert.equal(await page.getByLabel('Action').inputValue(), 'updateWorkspace');
      await row.getByRole('button', { name: 'Show' }).click();
      await page.getByRole('dialog').getByText(person.personId).waitFor();
      await page.getByRole('dialog').getByText('Green Bean').waitFor();
      await assertForEverybody(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Show all' }).click();
      await page.locator('tr', { hasText: 'createPerson' }).first().waitFor();
    }));

  it('make a signing request, and say what is wrong with a certificate', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      await open('/console/settings/wallets', 'Wallets');
      await assertForEverybody(page);
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Make a signing request' }).click();
      const path = await (await download).path();
      assert.match(await readFile(path, 'utf8'), /^-----BEGIN CERTIFICATE REQUEST-----/);
      const file = { name: 'pass.p12', mimeType: 'application/x-pkcs12', buffer: Buffer.from('nothing') };
      await page.getByLabel('Or a .p12 file').setInputFiles(file);
      await page.getByRole('button', { name: 'Sign with it' }).click();
      await page.locator('[aria-invalid="true"], [role="alert"] .notice').first().waitFor();
    }));
});
