import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { startProvider } from '../src/sign-in/oidc.fixture.ts';
import { makePerson } from '../src/sign-in/people.fixture.ts';
import { findChromium, howToInstall, startChromium } from './chromium.ts';
import { startTestApp } from './harness.ts';
import { accessibilityProblems } from './page-checks.ts';
import { freePort } from './service-process.ts';

const isMissing = findChromium() === null;
// A machine that decides about changes must not pass them over.
if (isMissing && process.env.CI !== undefined) throw new Error(howToInstall);

/** Browsers trust localhost, and say Sec-Fetch-Site there; to a name of the network over plain http they do not. */
const lanName = 'till.lan';
const password = 'correct horse battery';

/** A built-in authenticator that has a passkey for every site and always takes its user as verified. */
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

describe('signing in with Chromium over plain http', { skip: isMissing && howToInstall }, async () => {
  const port = await freePort();
  const { provider } = await startProvider();
  const app = await startTestApp({
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    ...provider.settings,
  });

  async function inBrowser(
    colorScheme: 'light' | 'dark',
    act: (page: Page) => Promise<void>,
    expected: RegExp[] = [],
  ): Promise<void> {
    const viewport = { width: 390, height: 700 };
    const browser = await startChromium({ colorScheme, viewport, lanName, ignoreHTTPSErrors: true });
    try {
      const page = await browser.context.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => complaints.push(message.text()));
      await act(page);
      assert.equal(complaints.length, expected.length, complaints.join('\n'));
      expected.forEach((text, at) => {
        assert.match(complaints[at] ?? '', text);
      });
    } finally {
      await browser.close();
    }
  }

  for (const [host, scheme] of [
    ['localhost', 'light'],
    [lanName, 'dark'],
  ] as const) {
    it(`works at ${host}: the button of a link, a password, signing out`, async () => {
      const { link, email } = await makePerson(app.client, 'owner', { name: 'عائشة Ada' });
      await inBrowser(scheme, async (page) => {
        const here = `http://${host}:${port}`;
        await page.goto(`${here}/console`);
        assert.equal(page.url(), `${here}/sign-in`);
        assert.deepEqual(await accessibilityProblems(page), []);
        await page.fill('#email', 'nobody@example.com');
        await page.click('button');
        await page.waitForSelector('h1:has-text("Look into your mail")');
        assert.deepEqual(await accessibilityProblems(page), []);
        await page.goto(`${here}${new URL(link).pathname}`);
        assert.deepEqual(await accessibilityProblems(page), []);
        await page.click('button');
        await page.waitForSelector('#app h1');
        assert.equal(page.url(), `${here}/console`);
        const [cookie] = await page.context().cookies();
        assert.deepEqual([cookie?.name, cookie?.httpOnly, cookie?.sameSite], ['punchcard', true, 'Lax']);
        await page.goto(`${here}/console/settings/account`);
        await page.getByLabel('New password').fill(password);
        await page.getByRole('button', { name: 'Set the password' }).click();
        await page.getByText('Your password is set.').waitFor();
        await page.getByRole('button', { name: 'Menu' }).click();
        await page.locator('.who').click();
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.waitForURL(`${here}/sign-in`);
        assert.deepEqual(await page.context().cookies(), []);
        await page.fill('#email', email);
        await page.fill('#password', password);
        await page.click('button');
        await page.waitForURL(`${here}/console`);
        await page.goto(`${here}/account`);
        assert.deepEqual(await accessibilityProblems(page), []);
        if (host === lanName)
          await page.waitForSelector('#passkeys-problem:has-text("Passkeys need https or localhost")');
      });
    });
  }

  it('has the form again after a wrong password, and goes on to the page that was asked for', async () => {
    const { link, email } = await makePerson(app.client, 'owner', { name: 'Grace' });
    await inBrowser(
      'dark',
      async (page) => {
        const here = `http://localhost:${port}`;
        await page.goto(`${here}${new URL(link).pathname}`);
        await page.click('button');
        await page.waitForURL(`${here}/console`);
        await page.goto(`${here}/console/settings/account`);
        await page.getByLabel('New password').fill(password);
        await page.getByRole('button', { name: 'Set the password' }).click();
        await page.getByText('Your password is set.').waitFor();
        await page.context().clearCookies();
        await page.goto(`${here}/sign-in?next=/console/orders`);
        await page.fill('#email', email);
        await page.fill('#password', 'wrong horse battery');
        await page.click('button');
        await page.getByRole('alert').getByText('That does not sign you in').waitFor();
        assert.deepEqual(await accessibilityProblems(page), []);
        assert.equal(await page.locator('#email').inputValue(), email);
        assert.equal(await page.locator('#password').inputValue(), '');
        await page.fill('#password', password);
        await page.click('button');
        await page.waitForURL(`${here}/console/orders`);
      },
      [/401/],
    );
  });

  it('works with a passkey: adding one, signing in with it alone, removing it', async () => {
    const { link } = await makePerson(app.client, 'owner', { name: 'Ada' });
    await inBrowser(
      'light',
      async (page) => {
        const here = `http://localhost:${port}`;
        await addAuthenticator(page);
        await page.goto(`${here}${new URL(link).pathname}`);
        await page.click('button');
        await page.waitForURL(`${here}/console`);
        await page.goto(`${here}/account`);
        await page.fill('#passkey-name', 'Telephone <b>');
        await page.click('#passkey-add');
        await page.waitForSelector('li:has-text("Telephone <b>")');
        assert.deepEqual(await accessibilityProblems(page), []);
        await page.click('#passkey-add');
        await page.waitForSelector('#passkeys-problem:has-text("You have a passkey here already")');
        await page.click('button:has-text("Sign out")');
        await page.waitForURL(`${here}/sign-in`);
        await page.goto(`${here}/sign-in?next=/console/settings/account`);
        assert.deepEqual(await accessibilityProblems(page), []);
        await page.click('#passkey-sign-in');
        await page.waitForURL(`${here}/console/settings/account`);
        await page.goto(`${here}/account`);
        await page.click('button:has-text("Remove")');
        await page.waitForSelector('li:has-text("Telephone")', { state: 'detached' });
        await page.click('button:has-text("Sign out")');
        await page.click('#passkey-sign-in');
        await page.waitForSelector('#passkeys-problem:has-text("This passkey does not sign you in")');
      },
      [/401/],
    );
  });

  it('works with a provider, whose page leads back', async () => {
    const { email } = await makePerson(app.client, 'owner', { name: 'Ada' });
    provider.account = { sub: 'ada', email, email_verified: true };
    await inBrowser('light', async (page) => {
      const here = `http://localhost:${port}`;
      await page.goto(`${here}/sign-in?next=/console/settings/account`);
      assert.deepEqual(await accessibilityProblems(page), []);
      await page.click(`a:has-text("Sign in with ${provider.server.domain}")`);
      await page.waitForSelector('#app h1');
      assert.equal(page.url(), `${here}/console/settings/account`);
    });
  });

  it('works without scripts, and says nothing of passkeys there', async () => {
    const { link } = await makePerson(app.client, 'owner');
    const browser = await startChromium({ javaScriptEnabled: false });
    try {
      const page = await browser.context.newPage();
      await page.goto(`http://localhost:${port}${new URL(link).pathname}`);
      await page.click('button');
      await page.waitForSelector('p:has-text("The console needs JavaScript.")');
      await page.goto(`http://localhost:${port}/account`);
      await page.waitForSelector('h1:has-text("Signed in")');
      assert.equal(await page.locator('#passkeys').isVisible(), false);
      await page.click('button:has-text("Sign out")');
      await page.waitForSelector('h1:has-text("Sign in")');
      assert.equal(await page.locator('#passkeys').isVisible(), false);
    } finally {
      await browser.close();
    }
  });
});
