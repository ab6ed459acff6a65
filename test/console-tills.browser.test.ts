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

describe('the page of tills', { skip: consoleSkip }, async () => {
  checksPages('/console/settings/tills');
  const app = await startTestApp(await consoleSettings());
  const { client } = app;

  it('makes a till, shows its code until it is paired, and revokes it', async () => {
    const { partnerId } = (await client.post('/partners', { name: 'Harbour' })).body;
    await inConsole(app, 'manager', async ({ page, open }) => {
      await open('/console/settings/tills', 'Tills');
      await assertForEverybody(page);
      await page.getByRole('button', { name: 'New till' }).click();
      await page.getByLabel('Name').fill('Till by the door');
      await page.getByLabel('Partner').selectOption('Harbour');
      await page.getByRole('button', { name: 'Make it' }).click();
      await page.getByRole('img', { name: 'QR code that pairs the till' }).waitFor();
      await assertForEverybody(page);
      const link = await page.getByLabel('Link').inputValue();
      assert.match(link, /^http:\/\/localhost:\d+\/scan\/pair#[0-9A-Z]{4}-[0-9A-Z]{4}$/);
      const device = await startChromium({ locale: 'en-GB' });
      try {
        const there = await device.context.newPage();
        await there.goto(link);
        const code = there.getByLabel('Code');
        assert.equal(await code.inputValue(), await page.locator('.typed-code').innerText());
        assert.equal(`#${await code.inputValue()}`, new URL(link).hash);
        // As staff type it who read it from the screen of the manager.
        await code.fill((await code.inputValue()).toLowerCase().replace('-', ' '));
        await there.getByRole('button', { name: 'Pair', exact: true }).click();
        await there.getByText('No one has a PIN yet').waitFor();
      } finally {
        await device.close();
      }
      await page.getByText('"Till by the door" is paired.').waitFor();
      const [made] = (await client.get('/devices')).body.data;
      assert.deepEqual([made.name, made.partnerId, made.paired], ['Till by the door', partnerId, true]);
      await page.getByRole('button', { name: 'Revoke Till by the door' }).click();
      await page.getByRole('button', { name: 'Revoke', exact: true }).click();
      await page.getByText('No till yet').waitFor();
      assert.deepEqual((await client.get('/devices')).body.data, []);
    });
  });

  it('is to be read by viewers, who make none', () =>
    inConsole(app, 'viewer', async ({ page, open }) => {
      await open('/console/settings/tills', 'Tills');
      await waitForNone(page.getByRole('button', { name: 'New till' }));
    }));
});
