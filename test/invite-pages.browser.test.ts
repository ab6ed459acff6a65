import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type InviteLinks, inviteByMail, inviteLinks } from '../src/invitations/invites.fixture.ts';
import { findChromium, howToInstall, inBrowser } from './chromium.ts';
import { makePass } from './factories.ts';
import { startMailingApp } from './mailing-app.ts';
import { accessibilityProblems } from './page-checks.ts';

const isMissing = findChromium() === null;
// A machine that decides about changes must not pass them over.
if (isMissing && process.env.CI !== undefined) throw new Error(howToInstall);

describe('invitations in Chromium', { skip: isMissing && howToInstall }, async () => {
  const { app, mailbox } = await startMailingApp();
  const { client } = await app.newWorkspace();
  const { passId } = await makePass(client, {
    title: 'نادي القهوة Club with a rather longish name',
    colors: { background: '#f4e1c1', foreground: '#3b2a14', label: '#7a5c2e' },
  });
  const urlOf = (path: string) => `${app.config.publicUrl}${path}`;

  for (const [scheme, locale] of [
    ['light', 'de'],
    ['dark', 'ar'],
  ] as const) {
    it(`mail and pages can be read on a small ${scheme} screen, and their buttons work`, async () => {
      const email = `${scheme}@example.com`;
      const person = { email, name: 'عائشة Ada', locale };
      const mail = await inviteByMail({ client, mailbox }, passId, person);
      const links: InviteLinks = inviteLinks(app, mail);
      await inBrowser(
        { colorScheme: scheme, viewport: { width: 320, height: 640 } },
        async (page, complaints) => {
          await page.setContent(mail.html);
          // A mail has no landmarks.
          const problems = (await accessibilityProblems(page)).filter(
            (one) => !one.endsWith('main landmarks'),
          );
          assert.deepEqual(problems, []);

          await page.goto(urlOf(links.claim));
          await page.waitForTimeout(600);
          assert.deepEqual(await accessibilityProblems(page), []);
          assert.deepEqual(
            (await client.get(`/passes/${passId}/instances?identifier=${email}`)).body.data,
            [],
          );
          await page.click('button');
          await page.waitForURL(/\/p\//);
          const [card] = (await client.get(`/passes/${passId}/instances?identifier=${email}`)).body.data;
          assert.equal(page.url(), card.links.add);
          await page.goBack();
          await page.reload();
          await page.click('button');
          await page.waitForURL(card.links.add);

          await page.goto(urlOf(links.unsubscribe));
          assert.deepEqual(await accessibilityProblems(page), []);
          await page.click('button');
          await page.locator('button').waitFor({ state: 'detached' });
          assert.deepEqual(await accessibilityProblems(page), []);
          const other = await makePass(client);
          const repeat = await client.post(`/passes/${other.passId}/invites`, { email });
          assert.equal(repeat.body.status, 'suppressed');
          assert.deepEqual(complaints, []);
        },
      );
    });
  }
});
