import assert from 'node:assert/strict';
import { after } from 'node:test';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { makePerson } from '../src/sign-in/people.fixture.ts';
import { type BrowserOptions, findChromium, howToInstall, openProfile, startChromium } from './chromium.ts';
import type { Client, Json } from './client.ts';
import type { TestApp } from './harness.ts';
import { accessibilityProblems } from './page-checks.ts';
import { freePort } from './service-process.ts';
import { axeInAll } from './tiers.ts';
import { until } from './wallets.ts';

/** Why tests of the console are passed over; false where they are not. A machine that decides about changes has a browser. */
export const consoleSkip = findChromium() === null && process.env.CI === undefined && howToInstall;

/** Settings of a service that a browser of this machine can sign in to. */
export async function consoleSettings(): Promise<Record<string, string>> {
  const port = await freePort();
  return { PORT: String(port), PUBLIC_URL: `http://localhost:${port}` };
}

/** A browser in which a person is signed in to the console. */
export interface OpenConsole extends OpenBrowser {
  /** The person who is signed in, as POST /people has answered. */
  readonly person: Json;
}

/** A browser that is on a page of ours. */
export interface OpenBrowser {
  readonly page: Page;
  /** Opens an address, and waits for its page to be there. */
  open(path: string, heading: string): Promise<void>;
}

/** Acts with a profile of its own. Fails for what it complains of, but for refusals of the API and what is `expected`. */
export async function inBrowserOf(
  { config: { publicUrl } }: TestApp,
  act: (browser: OpenBrowser) => Promise<void>,
  { expected, ...options }: BrowserOptions & { readonly expected?: RegExp | undefined },
): Promise<void> {
  const places = { locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options };
  const browser = await (options.flags === undefined ? openProfile(places) : startChromium(places));
  const complaints: string[] = [];
  try {
    const page = await browser.context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      const isExpected = message.location().url.includes('/v1/') || expected?.test(message.text());
      if (!isExpected) complaints.push(message.text());
    });
    await act({
      page,
      async open(path, heading) {
        await page.goto(`${publicUrl}${path}`);
        await page.locator('h1', { hasText: heading }).waitFor();
      },
    });
  } finally {
    await browser.close();
  }
  assert.deepEqual(complaints, []);
}

/**
 * Signs a person with that role in the workspace of a key in, in a browser of their own, and acts there. Fails for what the
 * browser complains of, but for refusals of the API and what is `expected`.
 */
export async function inConsole(
  app: TestApp,
  role: 'owner' | 'manager' | 'staff' | 'viewer',
  act: (console: OpenConsole) => Promise<void>,
  {
    client = app.client,
    path = '/console',
    ...options
  }: BrowserOptions & {
    readonly client?: Client;
    readonly path?: string;
    readonly expected?: RegExp | undefined;
  } = {},
): Promise<void> {
  const person = await makePerson(client, role, { name: 'Ada Lovelace' });
  const viewport = { width: 1280, height: 800 };
  const signIn = async ({ page, open }: OpenBrowser) => {
    const base = app.config.publicUrl;
    await page.goto(`${base}/sign-in?next=${encodeURIComponent(path)}`);
    await page.goto(`${base}${new URL(person.link).pathname}`);
    await page.click('button');
    await page.locator('#app h1').waitFor();
    await act({ page, person, open });
  };
  await inBrowserOf(app, signIn, { viewport, ...options });
}

/** Where `assertForEverybody` was. */
const checked = new Set<string>();

/** Names the pages, by their addresses in `pages.ts`, that the tests of a suite hold against `assertForEverybody`; fails where they do not. */
export function checksPages(...paths: readonly string[]): void {
  after(() => {
    const isChecked = (path: string) => {
      // Ids have digits, which distinguishes them from the pages around them.
      const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]*\\d[^/]*')}$`);
      return [...checked].some((one) => pattern.test(one));
    };
    assert.deepEqual(
      paths.filter((path) => !isChecked(path)),
      [],
    );
  });
}

/** What passes is not looked into again. */
const wcag: RunOptions = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  resultTypes: ['violations'],
};

/**
 * Fails where a page is not accessible: WCAG 2.2 AA as far as programs can check, in both themes, wide and at 390 px, its
 * title that of its only first heading, and nothing to scroll sideways. axe, which is slow, runs in the light theme on the
 * wide page alone; in all four combinations in the deep tier.
 */
export async function assertForEverybody(page: Page): Promise<void> {
  const before = page.viewportSize();
  await page.locator('h1').waitFor();
  checked.add(new URL(page.url()).pathname);
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 780 },
  ]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
      await page.locator('main:not(:has([aria-busy="true"]))').waitFor();
      const where = `${page.url()} at ${viewport.width} px, ${colorScheme}`;
      assert.deepEqual(await accessibilityProblems(page), [], where);
      if (axeInAll || (viewport.width === 1280 && colorScheme === 'light')) {
        const { violations } = await askAxe(page);
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
        assert.deepEqual(found, [], where);
      }
      assert.equal(await page.title(), await page.locator('h1').innerText(), where);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before !== null) await page.setViewportSize(before);
}

/** The console has no frames, so that it is loaded once a page. */
async function askAxe(page: Page): Promise<Pick<AxeResults, 'violations'>> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  return page.evaluate(
    `axe.run(document, ${JSON.stringify(wcag)}).then(({ violations }) => ({ violations }))`,
  ) as Promise<Pick<AxeResults, 'violations'>>;
}

/** Waits until there are as many, since a list stays as it is until the next one has come. */
export async function waitForCount(found: Locator, count: number): Promise<void> {
  if (count > 0) await found.nth(count - 1).waitFor();
  await found.nth(count).waitFor({ state: 'detached' });
}

/** Waits until the page has loaded, and nothing of it is found. */
export async function waitForNone(found: Locator): Promise<void> {
  await found.page().locator('main:not(:has([aria-busy="true"]))').waitFor();
  await waitForCount(found, 0);
}

/** Waits until a field has that value: what is drawn first may be what it had before. */
export async function waitForValue(field: Locator, value: string): Promise<void> {
  await until(`a field has the value ${value}`, async () => (await field.inputValue()) === value);
}
