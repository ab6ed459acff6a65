import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { makeJoinPass, proofLink } from '../src/enrolment/join.fixture.ts';
import { findChromium, howToInstall, inBrowser } from './chromium.ts';
import type { Json } from './client.ts';
import { startMailingApp } from './mailing-app.ts';
import { accessibilityProblems } from './page-checks.ts';

const isMissing = findChromium() === null;
// A machine that decides about changes must not pass them over.
if (isMissing && process.env.CI !== undefined) throw new Error(howToInstall);

describe('enrolment in Chromium', { skip: isMissing && howToInstall }, async () => {
  const { app, mailbox } = await startMailingApp();
  const { client } = await app.newWorkspace();
  const pass = await makeJoinPass(
    client,
    { domainAllow: ['shop.example'] },
    { colors: { background: '#10324a', foreground: '#ffffff', label: '#c8d7e0' } },
  );
  const urlOf = (path: string) => `${app.config.publicUrl}${path}`;

  const inWindow = (
    { width = 390, ...look }: BrowserContextOptions & { readonly width?: number },
    act: Parameters<typeof inBrowser>[1],
  ) => inBrowser({ ...look, viewport: { width, height: 844 } }, act);

  async function fillIn(page: Page, more: { email?: string } = {}): Promise<void> {
    await page.locator('[name=name]').fill('Ada');
    if (more.email !== undefined) await page.locator('[name=email]').fill(more.email);
    await page.locator('[name=consent_terms]').check();
    await page.locator('form.join button').click();
  }

  const cards = async (): Promise<Json[]> => (await client.get(`/passes/${pass.passId}/instances`)).body.data;

  for (const javaScriptEnabled of [true, false]) {
    it(`gives a card to who fills in the form, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      await inWindow({ javaScriptEnabled, locale: 'de-DE' }, async (page, complaints) => {
        await page.goto(urlOf(`/join/${pass.passId}`));
        await fillIn(page);
        await page.waitForURL(/\/p\/[\w-]{64}$/);
        assert.equal(page.url(), (await cards())[0]?.links.add);
        assert.deepEqual(complaints, []);
      });
    });
  }

  it('shows what was mistyped at its field, and goes on with what was entered', async () => {
    const asked = await makeJoinPass(client, { fields: [{ key: 'name', required: true }, { key: 'phone' }] });
    for (const javaScriptEnabled of [true, false])
      await inWindow({ javaScriptEnabled, locale: 'de-DE', colorScheme: 'dark' }, async (page) => {
        await page.goto(urlOf(`/join/${asked.passId}`));
        await page.locator('[name=phone]').fill('abc');
        await fillIn(page);
        await page.getByText('Das ist keine Telefonnummer').waitFor();
        if (javaScriptEnabled) assert.deepEqual(await accessibilityProblems(page), []);
        assert.equal(await page.locator('[name=name]').inputValue(), 'Ada');
        assert.ok(await page.locator('[name=consent_terms]').isChecked());
        await page.locator('[name=phone]').fill('+49 30 23125 018');
        await page.locator('form.join button').click();
        await page.waitForURL(/\/p\/[\w-]{64}$/);
      });
  });

  it('works for the page before it sends it, so that many of one address get through', async () => {
    await inWindow({}, async (page) => {
      for (let sent = 0; sent < 8; sent++) {
        await page.goto(urlOf(`/join/${pass.passId}`));
        await fillIn(page);
        await page.waitForURL(/\/p\/[\w-]{64}$/);
      }
    });
  });

  it('leads by way of a mail to the card', async () => {
    const email = 'ada@example.com';
    await inWindow({ colorScheme: 'dark', locale: 'ar' }, async (page, complaints) => {
      await page.goto(urlOf(`/join/${pass.passId}`));
      assert.deepEqual(await accessibilityProblems(page), []);
      await fillIn(page, { email });
      await page.getByText('تفقّد بريدك').first().waitFor();
      assert.deepEqual(await accessibilityProblems(page), []);
      const mail = await mailbox.mailTo(email);
      assert.match(mail.html, /dir="rtl"/);
      await page.goto(urlOf(proofLink(app, mail)));
      assert.deepEqual(await accessibilityProblems(page), []);
      await page.locator('form.join button').click();
      await page.waitForURL(/\/p\/[\w-]{64}$/);
      assert.deepEqual(complaints, []);
    });
  });

  for (const width of [320, 1280])
    it(`fits a screen of ${width} pixels`, async () => {
      await inWindow({ width }, async (page) => {
        await page.goto(urlOf(`/join/${pass.passId}`));
        const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.ok(Number(over) <= 0, `${over} pixels too wide`);
        assert.deepEqual(await accessibilityProblems(page), []);
      });
    });

  const ours = 'https://cards.example';

  /** A page of a shop with the one line in it; the service is behind https, too. */
  async function openShop(page: Page, host: string): Promise<void> {
    await page.route(`${ours}/**`, async (route) => {
      const url = route.request().url().replace(ours, app.config.publicUrl);
      const response = await route.fetch({ url, maxRedirects: 0 });
      const { location = '', ...headers } = response.headers();
      const moved = location.replace(app.config.publicUrl, ours);
      await route.fulfill({ response, headers: { ...headers, ...(moved !== '' && { location: moved }) } });
    });
    const line = `<script src="${ours}/join/${pass.passId}/scripts/frame.js"></script>`;
    await page.route(`https://${host}/**`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><title>Club</title><p>Ours</p>${line}`,
      }),
    );
    await page.goto(`https://${host}/club`);
  }

  it('is shown in the page of a shop that may, by one line, and leads out of the frame', async () => {
    await inWindow({}, async (page) => {
      await openShop(page, 'shop.example');
      const frame = page.frameLocator('iframe');
      await frame.locator('[name=name]').fill('Ada');
      assert.equal(await page.locator('iframe').getAttribute('title'), 'Club');
      await page.waitForFunction("document.querySelector('iframe').style.height !== '46rem'");
      await frame.locator('[name=consent_terms]').check();
      // No server has that name: that the window asks for the card is all that can be seen here.
      const card = page.waitForRequest(/\/p\/[\w-]{64}$/);
      await frame.locator('form.join button').click();
      assert.equal((await card).frame(), page.mainFrame());
    });
  });

  it('is shown in no other', async () => {
    await inWindow({}, async (page) => {
      const refused = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
      await openShop(page, 'evil.example');
      await refused;
      assert.equal(await page.frameLocator('iframe').locator('form').count(), 0);
    });
  });
});
