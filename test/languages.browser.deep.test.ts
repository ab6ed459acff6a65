import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { makeJoinPass } from '../src/enrolment/join.fixture.ts';
import { inviteByMail, inviteLinks } from '../src/invitations/invites.fixture.ts';
import { makePerson } from '../src/sign-in/people.fixture.ts';
import { linksOf } from '../tools/fakes/received-mail.ts';
import { findChromium, howToInstall, startChromium } from './chromium.ts';
import { makeCard, makePass } from './factories.ts';
import { startMailingApp } from './mailing-app.ts';
import { accessibilityProblems } from './page-checks.ts';

const isMissing = findChromium() === null;
// A machine that decides about changes must not pass them over.
if (isMissing && process.env.CI !== undefined) throw new Error(howToInstall);

describe('pages that are read from the right, in Chromium', { skip: isMissing && howToInstall }, async () => {
  const { app, mailbox } = await startMailingApp();
  const { client } = await app.newWorkspace();
  await client.patch('/workspace', { name: 'مقهى القمر', locale: 'ar' });
  const title = 'نادي القهوة';
  const { passId } = await makePass(client, { title, details: 'عشر قهوات، والحادية عشرة علينا' });
  const card = await makeCard(client, passId, { holder: { name: 'عائشة', locale: 'ar' } });
  const joining = await makeJoinPass(client, {}, { title });
  const closed = await makeJoinPass(client, { enabled: false }, { title });
  const mail = await inviteByMail({ client, mailbox }, passId, { email: 'aisha@example.com' });
  const links = inviteLinks(app, mail);

  /** The faults of a page's layout: it runs the other way, or over its edge, or begins at the wrong side. */
  const layoutProblems = (page: Page) =>
    page.evaluate(`(() => {
      const problems = [];
      if (getComputedStyle(document.documentElement).direction !== 'rtl') problems.push('runs from the left');
      const over = document.documentElement.scrollWidth - innerWidth;
      if (over > 0) problems.push('is ' + over + ' pixels too wide');
      const heading = [...document.querySelectorAll('h1, h2')].find((one) => one.getClientRects().length > 0 && one.offsetWidth > 1);
      const range = document.createRange();
      range.selectNodeContents(heading);
      const text = range.getBoundingClientRect();
      const box = heading.getBoundingClientRect();
      if (Math.abs(text.right - box.right) > 2) problems.push('its heading begins at the left');
      return problems;
    })()`);

  const pages: Readonly<Record<string, string>> = {
    'the page of a card': card.links.add,
    'the web card': card.links.card,
    'an invitation': links.claim,
    'the end of mails': links.unsubscribe,
    enrolment: `/join/${joining.passId}`,
    'a link that does not work': '/p/missing',
    'a page that is closed': '/join/missing',
    'a page that is not there': '/nowhere',
    'a form of a shop that is closed': `/join/${closed.passId}`,
    'the service itself': '/',
    'signing in': '/sign-in',
    'a sign-in link that is not complete': '/sign-in/link_x',
  };

  for (const [colorScheme, width] of [
    ['light', 390],
    ['dark', 1180],
  ] as const)
    it(`lie as they should, ${colorScheme}, ${width} pixels wide`, async () => {
      const browser = await startChromium({ colorScheme, locale: 'ar', viewport: { width, height: 844 } });
      try {
        const page = await browser.context.newPage();
        for (const [name, path] of Object.entries(pages)) {
          await page.goto(new URL(path, app.config.publicUrl).href);
          assert.deepEqual(await layoutProblems(page), [], name);
          assert.deepEqual(await accessibilityProblems(page), [], name);
        }
        const email = `${colorScheme}@example.com`;
        await makePerson(client, 'owner', { email, name: 'عائشة' });
        const invitation = await mailbox.mailTo(email);
        await page.goto(linksOf(invitation)[0] ?? '');
        assert.deepEqual(await layoutProblems(page), [], 'the button of a sign-in link');
        assert.deepEqual(await accessibilityProblems(page), [], 'the button of a sign-in link');
        await page.locator('form button').click();
        await page.waitForURL(/\/console/);
        await page.goto(new URL('/account', app.config.publicUrl).href);
        assert.deepEqual(await layoutProblems(page), [], 'the account');
        assert.deepEqual(await accessibilityProblems(page), [], 'the account');
        const letter = await browser.context.newPage();
        for (const { html } of [mail, invitation]) {
          await letter.setContent(html);
          assert.deepEqual(await layoutProblems(letter), [], 'a mail');
        }
      } finally {
        await browser.close();
      }
    });
});
