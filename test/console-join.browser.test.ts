import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { readBarcodesIn } from '../src/rendering/read-barcode.fixture.ts';
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

describe('the page on which people enrol', { skip: consoleSkip }, async () => {
  checksPages('/console/passes/:passId/join');
  const app = await startTestApp(await consoleSettings());
  const { client } = app;
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const joinOf = async (passId: string) => (await client.get(`/passes/${passId}`)).body.join;
  const fields = [{ key: 'tier', label: 'Favourite', value: null, section: 'secondary' }];

  it('is set up, drawn while one types, opened, and taken along', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      const hours = { key: 'hours', label: 'Open daily', value: '7 am – 6 pm', section: 'auxiliary' };
      const { passId } = await makePass(client, { title: 'Blue Bean Club', fields: [...fields, hours] });
      await open(`/console/passes/${passId}/join`, 'Blue Bean Club · Join page');
      await page.getByText('The page opens when you save').waitFor();
      await waitForNone(page.getByText('The page is closed'));
      // What the shop says on all cards is no question to a customer.
      await waitForNone(button(page, 'Ask for: Open daily'));
      await page.getByLabel('Headline').fill('Ten stamps, one coffee');
      const drawn = page.getByRole('figure', { name: 'What people see' });
      await drawn.getByText('Ten stamps, one coffee').waitFor();
      await button(page, 'Do not ask for: Name').click();
      await button(page, 'Ask for: Favourite').click();
      await page.getByLabel('Other words for it').nth(1).fill('Which coffee?');
      await drawn.getByText('Which coffee?').waitFor();
      await page.getByLabel('Has to be filled in').first().check();
      await button(page, 'Add a consent').click();
      await page.getByLabel('Text 1').fill('Blue Bean may write to me.');
      await drawn.getByText('Blue Bean may write to me.').waitFor();
      await page.getByLabel('Proof of the address').selectOption('email');
      await page.getByLabel('New cards a day').fill('500');
      await page.getByLabel('Websites that may show').fill('www.bluebean.example\n*.Bluebean.example');
      await button(page, 'Save').click();
      await page.getByText('The join page is changed.').waitFor();
      const { url, ...made } = await joinOf(passId);
      assert.deepEqual(made, {
        enabled: true,
        fields: [
          { key: 'email', required: true, label: null },
          { key: 'tier', required: false, label: 'Which coffee?' },
        ],
        headline: 'Ten stamps, one coffee',
        text: null,
        image: null,
        consents: [{ key: 'consent_1', text: 'Blue Bean may write to me.', required: false }],
        proof: 'email',
        limitPerDay: 500,
        domainAllow: ['www.bluebean.example', '*.bluebean.example'],
      });
      await waitForValue(page.getByLabel('Address of the page'), url);
      await waitForValue(
        page.getByLabel('In your own website'),
        `<script src="${url}/scripts/frame.js" data-title="Blue Bean Club"></script>`,
      );
      await assertForEverybody(page);
      const saved = page.waitForEvent('download');
      await button(page, 'Save QR code as PNG').click();
      const picture = await readFile(await (await saved).path());
      assert.deepEqual(
        (await readBarcodesIn(picture)).map(({ text }) => text),
        [url],
      );
      const poster = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Poster to print' }).click();
      assert.match((await readFile(await (await poster).path())).toString('latin1', 0, 8), /^%PDF-/);
      const opened = page.waitForEvent('popup');
      await page.getByRole('link', { name: 'Look at the page' }).click();
      const shown = await opened;
      await shown.locator('h1', { hasText: 'Ten stamps, one coffee' }).waitFor();
      await shown.getByText('Which coffee?').waitFor();
    }));

  it('says at the field what is wrong, and keeps what was typed', () =>
    inConsole(app, 'owner', async ({ page, open }) => {
      const { passId } = await makePass(client, { title: 'Red Bean Club', fields });
      await open(`/console/passes/${passId}/join`, 'Red Bean Club · Join page');
      const problem = (name: string) => page.locator('.field', { has: page.locator(`[name="${name}"]`) });
      await page.getByLabel('Websites that may show').fill('https://www.bluebean.example');
      await button(page, 'Save').click();
      await problem('join.domainAllow').getByText('Write the host alone').waitFor();
      await page.locator('[name="join.domainAllow"]:focus').waitFor();
      await page.getByLabel('Websites that may show').fill('www.bluebean.example');
      await page.getByLabel('Proof of the address').selectOption('email');
      await button(page, 'Save').click();
      await problem('join.proof').getByText('has to ask for an e-mail address').waitFor();
      assert.equal(await joinOf(passId), null);
      // In the meantime the pass has lost a field.
      await button(page, 'Ask for: Favourite').click();
      await page.getByLabel('Proof of the address').selectOption('none');
      await client.patch(`/passes/${passId}`, { fields: [] });
      await button(page, 'Save').click();
      await problem('join.fields[2]').locator('.problem').waitFor();
      await button(page, 'Do not ask for: Favourite').click();
      await button(page, 'Save').click();
      await page.getByText('The join page is changed.').waitFor();
      assert.deepEqual((await joinOf(passId)).domainAllow, ['www.bluebean.example']);
    }));

  it('is put in order by keys, closed again, and shown to who may only look', async () => {
    const join = { enabled: true, fields: [{ key: 'name' }, { key: 'email' }, { key: 'phone' }] };
    const { passId } = await makePass(client, { title: 'Green Bean Club', join });
    await inConsole(app, 'viewer', async ({ page, open }) => {
      await open(`/console/passes/${passId}/join`, 'Green Bean Club · Join page');
      await page.getByRole('img', { name: 'QR code that leads to the page' }).waitFor();
      await waitForNone(page.getByText('Add the host of your website'));
      await waitForNone(button(page, 'Save'));
      await assertForEverybody(page);
    });
    await inConsole(app, 'manager', async ({ page, open }) => {
      await open(`/console/passes/${passId}/join`, 'Green Bean Club · Join page');
      await button(page, 'Move up: Telephone number').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('status').getByText('Telephone number is now 2 of 3.').waitFor();
      await page.locator('[aria-label="Move up: Telephone number"]:focus').waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('status').getByText('Telephone number is now 1 of 3.').waitFor();
      // The focus stays on the moved field.
      await page.locator('[aria-label="Move up: Telephone number"]:focus').waitFor();
      await page.getByLabel('People can get a card by themselves').uncheck();
      await button(page, 'Save').click();
      await page.getByText('The page is closed').waitFor();
      const saved = await joinOf(passId);
      assert.equal(saved.enabled, false);
      assert.deepEqual(
        saved.fields.map(({ key }: { key: string }) => key),
        ['phone', 'name', 'email'],
      );
      const draft = await makePass(client, { title: 'Draft Club', join }, 'draft');
      await open(`/console/passes/${draft.passId}/join`, 'Draft Club · Join page');
      await page.getByText('opens as soon as the pass is published').waitFor();
    });
  });
});
