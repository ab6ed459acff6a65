import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { findChromium, howToInstall, startChromium } from './chromium.ts';
import { startTestApp } from './harness.ts';
import { accessibilityProblems } from './page-checks.ts';

const isMissing = findChromium() === null;
// A machine that decides about changes must not pass them over.
if (isMissing && process.env.CI !== undefined) throw new Error(howToInstall);

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const desktop = { viewport: { width: 1440, height: 900 } };

describe('/docs in Chromium', { skip: isMissing && howToInstall }, async () => {
  const app = await startTestApp({ WORKERS: 'off', RATE_LIMIT_PER_SECOND: '10000' });
  const opened: (() => Promise<void>)[] = [];
  after(async () => {
    for (const close of opened) await close();
  });

  /** A page, and what it complains about or asks of other hosts. */
  async function open(options: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }> {
    const chromium = await startChromium(options);
    opened.push(() => chromium.close());
    const page = await chromium.context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(app.url)) complaints.push(request.url());
    });
    return { page, complaints };
  }

  const paths = [
    '/docs',
    '/docs/createProgram',
    '/docs/loyalty',
    '/docs/errors',
    '/docs/till',
    '/docs/search?q=card',
  ];

  for (const [device, size] of Object.entries({ phone, desktop })) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`can be read on a ${device}, ${colorScheme}`, async () => {
        const { page, complaints } = await open({ ...size, colorScheme });
        for (const path of paths) {
          await page.goto(`${app.url}${path}`);
          for (const details of await page.locator('main details').all())
            await details.evaluate((element) => element.setAttribute('open', ''));
          assert.deepEqual(await accessibilityProblems(page), [], path);
        }
        // The browser asks for it by itself, and there is none.
        assert.deepEqual(
          complaints.filter((line) => !/favicon|404/.test(line)),
          [],
        );
      });
    }
  }

  it('shows the example in the language that is chosen, and finds what is asked, without a script', async () => {
    const { page } = await open({ ...desktop, javaScriptEnabled: false });
    await page.goto(`${app.url}/docs/earnPoints`);
    const shown = () => page.locator('.example pre:visible').getAttribute('data-language');
    assert.equal(await shown(), 'curl');
    await page.getByText('Python', { exact: true }).click();
    assert.equal(await shown(), 'Python');
    await page.getByRole('searchbox').fill('redeemReward');
    await page.getByRole('searchbox').press('Enter');
    await page.waitForURL(/\/docs\/search\?/);
    await page.getByRole('link', { name: 'Redeem a reward' }).click();
    await page.waitForURL('**/docs/redeemReward');
    await page.locator('h1', { hasText: 'Redeem a reward' }).waitFor();
  });

  it('opens its menu on a phone without a script', async () => {
    const { page } = await open({ ...phone, javaScriptEnabled: false });
    await page.goto(`${app.url}/docs`);
    assert.equal(await page.getByRole('navigation').isVisible(), false);
    await page.getByRole('link', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Till integration' }).first().click();
    await page.locator('h1', { hasText: 'Till integration' }).waitFor();
  });
});
