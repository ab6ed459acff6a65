import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  assertForEverybody,
  checksPages,
  consoleSettings,
  consoleSkip,
  inConsole,
  waitForNone,
  waitForValue,
} from './console.ts';
import { makePass } from './factories.ts';
import { startTestApp } from './harness.ts';

describe('the settings in Chromium', { skip: consoleSkip }, async () => {
  checksPages('/console/settings/credits', '/console/settings/audit', '/console/settings/wallets');
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
      await open('/console/settings/wallets', 'Wallets');
      await assertForEverybody(page);
    }));

  it('show who changed what, with a filter that is in the address', () =>
    inConsole(app, 'owner', async ({ page, person, open }) => {
      await open('/console/settings', 'Workspace');
      await page.getByLabel('Name').fill('Green Bean');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      await open('/console/settings/audit', 'Audit log');
      await page.locator('tr', { hasText: 'invited a person' }).first().waitFor();
      await page.getByLabel('Action').selectOption({ label: 'changed the workspace' });
      await page.waitForURL(/[?]action=updateWorkspace$/);
      await page.locator('tr', { hasText: 'invited a person' }).first().waitFor({ state: 'detached' });
      await page.reload();
      const row = page.locator('tbody tr', { hasText: 'Ada Lovelace' });
      await row.waitFor();
      await waitForValue(page.getByLabel('Action'), 'updateWorkspace');
      await row.getByRole('button', { name: 'Show' }).click();
      await page.getByRole('dialog').getByText(person.personId).waitFor();
      await page.getByRole('dialog').getByText('Green Bean').waitFor();
      await assertForEverybody(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Show all' }).click();
      await page.locator('tr', { hasText: 'invited a person' }).first().waitFor();
      // The cards of one import are one line, with those that the first page of lines does not have.
      const { client } = app;
      const { passId } = await makePass(client, { title: 'Imported Club' });
      for (let from = 0; from < 300; from += 100) {
        const instances = Array.from({ length: 100 }, (_, at) => ({
          holder: { identifier: `i${from + at}` },
        }));
        await client.post(`/passes/${passId}/instances/batch`, { instances });
      }
      await client.patch(`/passes/${passId}`, { title: 'Imported Circle' });
      await page.reload();
      await page.getByText('issued 300 cards').first().waitFor();
      await page
        .locator('tr', { hasText: 'changed a pass' })
        .getByRole('link', { name: 'Imported Circle' })
        .first()
        .waitFor();
    }));

  it('choose zone, country, language and currency by their names', async () => {
    const { client } = await app.newWorkspace();
    await inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        await open('/console/settings', 'Workspace');
        await page.getByLabel('Name').fill('Green Bean');
        // Where this device is, at a press.
        await page.getByRole('button', { name: 'This device is in Asia/Tokyo: use it' }).click();
        await page.getByLabel('Country').selectOption('Japan');
        await page.getByLabel('Language of cards').selectOption('Japanese');
        await page.getByLabel('Currency').selectOption('Japanese Yen (JPY)');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Saved.').waitFor();
        const { body } = await client.get('/workspace');
        const { timezone, country, locale, currency } = body;
        assert.deepEqual([timezone, country, locale, currency], ['Asia/Tokyo', 'JP', 'ja', 'JPY']);
        await assertForEverybody(page);
      },
      { client, timezoneId: 'Asia/Tokyo' },
    );
  });

  it('bind staff to a partner, and let them go when their role changes', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      const { client } = app;
      const harbour = (await client.post('/partners', { name: 'Harbour' })).body;
      const airport = (await client.post('/partners', { name: 'Airport' })).body;
      const dialog = page.getByRole('dialog');
      await open('/console/settings/people', 'People');
      await page.getByRole('button', { name: 'Invite someone' }).click();
      await dialog.getByLabel('Name').fill('Grace Hopper');
      await dialog.getByLabel('E-mail address').fill('grace@example.com');
      await dialog.getByLabel('Partner').selectOption('Harbour');
      await assertForEverybody(page);
      await dialog.getByRole('button', { name: 'Send the invitation' }).click();
      const row = page.locator('tr', { hasText: 'Grace Hopper' });
      await row.getByText('only Harbour').waitFor();
      const grace = async () => {
        const { data } = (await client.get('/people')).body;
        return data.find(({ name }: { name: string }) => name === 'Grace Hopper');
      };
      const { personId, partnerId } = await grace();
      assert.equal(partnerId, harbour.partnerId);
      await dialog.getByRole('textbox', { name: 'Pass this link on' }).waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await row.getByRole('button', { name: 'Change' }).click();
      await client.patch(`/people/${personId}`, { partnerId: airport.partnerId });
      await dialog.getByLabel('PIN').fill('1357');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await row.getByText('only Airport').waitFor();
      await row.getByRole('button', { name: 'Change' }).click();
      await dialog.getByLabel('Role').selectOption('manager');
      await waitForNone(dialog.getByLabel('Partner'));
      await dialog.getByRole('button', { name: 'Save' }).click();
      await row.getByText('Manager').waitFor();
      assert.deepEqual([(await grace()).role, (await grace()).partnerId], ['manager', null]);
    }));

  it('add, name and remove a passkey, which asks for a new sign-in where the last is old', () =>
    inConsole(app, 'staff', async ({ page, open }) => {
      const session = await page.context().newCDPSession(page);
      await session.send('WebAuthn.enable');
      const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      const dialog = page.getByRole('dialog');
      await open('/console/settings/account', 'Your account');
      await page.getByText('You have no passkey yet').waitFor();
      await assertForEverybody(page);
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await dialog.getByLabel('Name').fill('Telephone');
      await dialog.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByText('Telephone signs you in from now on.').waitFor();
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await dialog.getByLabel('Name').fill('The same');
      await dialog.getByRole('button', { name: 'Add a passkey' }).click();
      await dialog.getByText('You have a passkey here already.').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Rename Telephone' }).click();
      await dialog.getByLabel('Name').fill('Old telephone');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.locator('tr', { hasText: 'Old telephone' }).waitFor();
      await assertForEverybody(page);
      await page.getByRole('button', { name: 'Remove Old telephone' }).click();
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await page.getByText('You have no passkey yet').waitFor();
      await session.send('WebAuthn.clearCredentials', { authenticatorId });
      app.advance(601_000);
      const add = async (name: string) => {
        await page.getByRole('button', { name: 'Add a passkey' }).click();
        await dialog.getByLabel('Name').fill(name);
        await dialog.getByRole('button', { name: 'Add a passkey' }).click();
      };
      // A first one needs no sign-in that nothing could be done with; any other does.
      await add('First');
      await page.getByText('First signs you in from now on.').waitFor();
      await add('Late');
      const again = dialog.filter({ has: page.locator('h2', { hasText: 'Sign in again' }) });
      await again.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await dialog.getByText('You have a passkey here already.').waitFor();
    }));
});
