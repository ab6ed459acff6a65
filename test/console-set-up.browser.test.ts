import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { firstOwner, mailedProof, makePerson } from '../src/sign-in/people.fixture.ts';
import { Mailbox } from '../tools/fakes/mailbox.ts';
import {
  assertForEverybody,
  consoleSettings,
  consoleSkip,
  inBrowserOf,
  type OpenBrowser,
} from './console.ts';
import { startTestApp, type TestApp } from './harness.ts';

const password = 'correct horse battery';

/** A built-in authenticator that always takes its user as verified. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Follows a link that signs in, in a new browser. */
async function arriveBy(
  app: TestApp,
  link: string,
  act: (browser: OpenBrowser) => Promise<void>,
  locale = 'en-GB',
) {
  const viewport = { width: 1280, height: 800 };
  await inBrowserOf(
    app,
    async (browser) => {
      await browser.page.goto(`${app.config.publicUrl}${link}`);
      await browser.page.locator('button').click();
      await act(browser);
    },
    { viewport, locale },
  );
}

describe('the first owner in Chromium', { skip: consoleSkip }, async () => {
  const app = await startTestApp({ WORKERS: 'off', ...(await consoleSettings()) });

  it('is asked for a way back in before anything else, and gets back in by a password', async () => {
    const { link, client, personId } = await firstOwner(app);
    await arriveBy(app, link, async ({ page, open }) => {
      await page.locator('h1', { hasText: 'So that you get back in' }).waitFor();
      await assertForEverybody(page);
      assert.equal(await page.locator('nav').count(), 0);
      app.advance(660_000);
      await page.getByLabel('Your name').fill('Ada Lovelace');
      await page.getByRole('textbox', { name: 'Your e-mail address' }).fill('ada@bluebean.example');
      await page.getByLabel('With your e-mail address and a password.').check();
      await page.getByLabel('New password').fill('Ada Lovelace 1');
      await page.getByRole('button', { name: 'Save and go on' }).click();
      await page.locator('.problem').waitFor();
      await page.getByLabel('New password').fill(password);
      await page.getByRole('button', { name: 'Save and go on' }).click();
      await page.locator('h1', { hasText: 'Home' }).waitFor();
      assert.equal(await page.getByText('You could not sign in again').count(), 0);
      // What opens doors asks for the password, and goes on.
      await open('/console/settings/people', 'People');
      await page.getByRole('button', { name: 'Invite someone' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Grace');
      await page.getByRole('dialog').getByLabel('E-mail address').fill('grace@bluebean.example');
      await page.getByRole('button', { name: 'Send the invitation' }).click();
      await page.getByLabel('Your password').fill(password);
      await page.getByRole('button', { name: 'Sign in and go on' }).click();
      await page.getByText('Grace is invited.').waitFor();
      await open('/console/settings/account', 'Your account');
      await page.getByText(`punchcard set-address ${personId}`).waitFor();
      await page.getByLabel('Name', { exact: true }).first().fill('Ada King');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
    });
    const person = (await client.get(`/people/${personId}`)).body;
    assert.deepEqual([person.name, person.email], ['Ada King', 'ada@bluebean.example']);
  });

  it('may put it off, is reminded on the first page, and sets a passkey up where a sign-in is asked for', async () => {
    const { link } = await firstOwner(app);
    await arriveBy(app, link, async ({ page, open }) => {
      await addAuthenticator(page);
      await page.getByRole('button', { name: 'Later' }).click();
      await page.locator('h1', { hasText: 'Home' }).waitFor();
      await page.getByText('You could not sign in again').waitFor();
      await open('/console/settings/account', 'Your account');
      await page.locator('.notice', { hasText: 'You could not sign in again' }).waitFor();
      const visit = await page.context().newPage();
      await visit.goto(`${app.config.publicUrl}/console`);
      await visit.locator('h1', { hasText: 'So that you get back in' }).waitFor();
      await visit.close();
      app.advance(660_000);
      await open('/console/developers', 'API keys');
      await page.getByRole('button', { name: 'New key' }).first().click();
      const dialog = page.getByRole('dialog').last();
      await dialog.getByLabel('Name').fill('Till');
      await dialog.getByRole('button', { name: 'Make key' }).click();
      const again = page.getByRole('dialog').filter({ hasText: 'Sign in again' });
      await again.getByText('you have nothing to sign in with yet').waitFor();
      await again.getByLabel('Your name').fill('Ada Lovelace');
      await again.getByRole('textbox', { name: 'Your e-mail address' }).fill('ada@greenbean.example');
      await again.getByRole('button', { name: 'Save and go on' }).click();
      await again.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await page.locator('tr', { hasText: 'Till' }).waitFor();
    });
  });

  it('is asked in German, too', async () => {
    const { link } = await firstOwner(app);
    const asked = async ({ page }: OpenBrowser) => {
      await page.locator('h1', { hasText: 'Damit Sie wieder hereinkommen' }).waitFor();
      await assertForEverybody(page);
    };
    await arriveBy(app, link, asked, 'de-DE');
  });

  it('has the scanner in the navigation, and staff land there', async () => {
    const { client } = await app.newWorkspace();
    const owner = await makePerson(client, 'owner');
    await arriveBy(app, new URL(owner.link).pathname, async ({ page }) => {
      await page.locator('nav').getByRole('link', { name: 'Scanner' }).click();
      await page.waitForURL(`${app.config.publicUrl}/scan`);
    });
    const viewer = await makePerson(client, 'viewer');
    await arriveBy(app, new URL(viewer.link).pathname, async ({ page }) => {
      await page.locator('nav').getByRole('link', { name: 'Customers' }).waitFor();
      assert.equal(await page.getByRole('link', { name: 'Scanner' }).count(), 0);
    });
    const staff = await makePerson(client, 'staff');
    await arriveBy(app, new URL(staff.link).pathname, async ({ page, open }) => {
      await page.waitForURL(`${app.config.publicUrl}/scan`);
      await open('/console', 'Welcome');
      await page.getByRole('link', { name: 'Open the scanner' }).click();
      await page.waitForURL(`${app.config.publicUrl}/scan`);
    });
  });

  it('finds the doors on the page of the service', async () => {
    await inBrowserOf(
      app,
      async ({ page, open }) => {
        await open('/', 'Punchcard');
        await page.getByRole('link', { name: 'Open the scanner' }).waitFor();
        await page.getByRole('link', { name: 'Sign in' }).click();
        await page.waitForURL(/\/sign-in/);
      },
      { viewport: { width: 390, height: 780 } },
    );
  });
});

describe('the address of an owner in Chromium', { skip: consoleSkip }, async () => {
  const mailbox = await Mailbox.start();
  after(() => mailbox.close());
  const settings = { SMTP_URL: mailbox.url, MAIL_FROM: 'cards@shop.example' };
  const app = await startTestApp({ WORKERS: 'off', ...(await consoleSettings()), ...settings });

  it('is confirmed by the link of a mail, and another one takes its place', async () => {
    const { link } = await firstOwner(app);
    await arriveBy(app, link, async ({ page, open }) => {
      await page.getByLabel('Your name').fill('Ada Lovelace');
      await page.getByRole('textbox', { name: 'Your e-mail address' }).fill('ada@bluebean.example');
      await page.getByLabel('With your e-mail address and a password.').check();
      await page.getByLabel('New password').fill(password);
      await page.getByRole('button', { name: 'Save and go on' }).click();
      await page.locator('h1', { hasText: 'Home' }).waitFor();
      await open('/console/settings/account', 'Your account');
      await page.getByText('ada@bluebean.example is not confirmed yet.').waitFor();
      const confirm = async (email: string) => {
        const token = await mailedProof(mailbox, email);
        await open(`/console/settings/account?address=${encodeURIComponent(token)}`, 'Your account');
        await page.getByRole('button', { name: 'Confirm the address' }).click();
        await page.getByText('The address is confirmed.').waitFor();
      };
      await confirm('ada@bluebean.example');
      await assertForEverybody(page);
      await page.getByLabel('E-mail address').fill('ada@greenbean.example');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('A link is on its way to ada@greenbean.example.').waitFor();
      await confirm('ada@greenbean.example');
      await page.getByText('You sign in as ada@greenbean.example.').waitFor();
    });
  });
});
