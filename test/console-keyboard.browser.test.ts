import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { consoleSettings, consoleSkip, inConsole } from './console.ts';
import { makePass } from './factories.ts';
import { startTestApp } from './harness.ts';
import { walkFirstDay } from './walk/first-day.ts';
import { KeyboardWalker } from './walk/keyboard.ts';
import { withDay } from './walk/open-day.ts';

describe("a merchant's first day by keyboard alone", { skip: consoleSkip }, () => {
  it('comes to everything by Tab, sees where it is, and loses its place nowhere', () =>
    withDay((page) => new KeyboardWalker(page), walkFirstDay));

  it('leaves dialogs and menus by Escape, and is where it was', async () => {
    const app = await startTestApp(await consoleSettings());
    const { passId } = await makePass(app.client, { title: 'Blue Bean Club' });
    await inConsole(app, 'owner', async ({ page, open }) => {
      const walker = new KeyboardWalker(page);
      for (const [path, heading, button] of [
        ['/console/cards', 'Customers', 'New card'],
        ['/console/settings/people', 'People', 'Invite someone'],
        [`/console/passes/${passId}/invites`, 'Blue Bean Club · Invites', 'Invite someone'],
      ] as const) {
        await open(path, heading);
        await walker.press('button', button);
        await page.locator('dialog:focus-within').waitFor();
        await walker.escape();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.locator('button:focus', { hasText: button }).waitFor();
      }
      await open('/console/passes', 'Passes');
      await walker.press('button', 'More for Blue Bean Club');
      await walker.press('button', 'Duplicate');
      await walker.hear('is a new draft.');
      assert.notEqual(await walker.focus(), '');
      await walker.press('button', 'More for Blue Bean Club');
      await page.locator('.menu:popover-open').waitFor();
      await walker.escape();
      await page.locator('button:focus[aria-label="More for Blue Bean Club"]').waitFor();
    });
  });
});
