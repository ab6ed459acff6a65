import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { imageSettings, startImageHost } from '../src/passes/images/images.fixture.ts';
import { findChromium, howToInstall, startChromium } from './chromium.ts';
import type { Json } from './client.ts';
import { makeCard, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';
import { accessibilityProblems } from './page-checks.ts';
import { until } from './wallets.ts';

const isMissing = findChromium() === null;
// A machine that decides about changes must not pass them over.
if (isMissing && process.env.CI !== undefined) throw new Error(howToInstall);

const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };
const fields = [
  { key: 'member', label: 'Member', value: '0417', section: 'header' },
  { key: 'tier', label: 'Tier', value: 'Gold', section: 'primary', changeMessage: 'You are now %@' },
  { key: 'since', label: 'Since', value: 'May 2021', section: 'secondary' },
];
const colors = { background: '#10324a', foreground: '#ffffff', label: '#c8d7e0' };

describe('the images of a card in Chromium', { skip: isMissing && howToInstall }, async () => {
  const host = await startImageHost();
  const app = await startTestApp(imageSettings);
  const { client } = await app.newWorkspace('pro', 1_000);
  const opened: (() => Promise<void>)[] = [];
  after(async () => {
    for (const close of opened) await close();
  });

  const newPass = (design: object): Promise<Json> => makePass(client, { fields, colors, ...design });
  const here = (link: string) => link.replace(app.config.publicUrl, app.url);

  async function newBrowser(options: BrowserContextOptions = phone): Promise<BrowserContext> {
    const browser = await startChromium({ locale: 'en-GB', ...options });
    opened.push(() => browser.close());
    return browser.context;
  }

  /** Opens a page; what it complained about, and what it asked for. */
  async function open(browser: BrowserContext, link: string) {
    const page = await browser.newPage();
    const complaints: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !/ERR_INTERNET_DISCONNECTED/.test(message.text()))
        complaints.push(message.text());
    });
    browser.on('request', (request) => {
      asked.push(new URL(request.url()).pathname);
      if (!request.url().startsWith(app.url)) complaints.push(`it asked for ${request.url()}`);
    });
    await page.goto(here(link));
    return { page, complaints, asked };
  }

  const untilTrue = (page: Page, expression: string) =>
    until(expression, async () => (await page.evaluate(expression)) === true, 15_000);

  /** The images that are drawn, by class: `320×123` in pixels of the style sheet. */
  const drawn = (page: Page): Promise<Record<string, string>> =>
    page.evaluate(`Object.fromEntries([...document.querySelectorAll('.card img')].map((image) => {
      const { width, height } = image.getBoundingClientRect();
      const state = image.complete && image.naturalWidth > 0 ? '' : ' is missing';
      return [image.className, Math.round(width) + '×' + Math.round(height) + state];
    }))`);
  const addressOf = (page: Page, name: string): Promise<string> =>
    page.evaluate(`document.querySelector('.card .${name}').src`);

  const looks: Record<string, BrowserContextOptions> = {
    'on a phone': { ...phone, viewport: { width: 320, height: 800 } },
    'on a desktop in the dark': { viewport: { width: 1_280, height: 900 }, colorScheme: 'dark' },
  };
  for (const [where, options] of Object.entries(looks)) {
    it(`are drawn ${where}, whole and in proportion, without moving anything when they come`, async () => {
      const cards = {
        loyalty: await newPass(await host.urls()),
        generic: await newPass({ type: 'generic', ...(await host.urls(['logoUrl', 'thumbnailUrl'])) }),
        eventTicket: await newPass({
          type: 'eventTicket',
          ...(await host.urls(['heroUrl', 'thumbnailUrl'])),
        }),
        coupon: await newPass({ type: 'coupon', ...(await host.urls(['stripUrl'])) }),
      };
      const browser = await newBrowser({ ...options, reducedMotion: 'reduce' });
      for (const [type, pass] of Object.entries(cards)) {
        const holder = { identifier: 'a', name: 'Ada', locale: type === 'coupon' ? 'ar' : 'en' };
        const tier = type === 'generic' ? 'A word that is too long to fit next to another'.repeat(3) : 'Gold';
        const card = await makeCard(client, pass.passId, { holder, fields: { tier } });
        for (const link of [card.links.add, card.links.card]) {
          const { page, complaints } = await open(browser, link);
          const images = await drawn(page);
          await keepPicture(page, `${type} ${where}${link === card.links.card ? ' (web card)' : ''}`);
          assert.ok(Object.keys(images).length > 0);
          for (const [name, size] of Object.entries(images)) {
            const [width = 0, height = 0] = size.split('×').map(Number);
            assert.ok(width > 30 && height > 30, `${type}: ${name} is ${size}`);
            const natural = Number(
              await page.evaluate(`(({ naturalWidth, naturalHeight }) => naturalWidth / naturalHeight)
                (document.querySelector('.card .${name}'))`),
            );
            assert.ok(Math.abs(width / height / natural - 1) < 0.03, `${type}: ${name} is ${size}`);
          }
          const { width: whole = 0 } = (await page.locator('.card').boundingBox()) ?? {};
          if (images.across !== undefined)
            assert.equal(Number.parseInt(images.across, 10), Math.round(whole));
          assert.deepEqual(await accessibilityProblems(page), [], type);
          assert.deepEqual(complaints, []);
          await assertSteady(page);
          await page.close();
        }
      }
    });
  }

  /** The card without its images is as large as with them. */
  async function assertSteady(page: Page): Promise<void> {
    const heightNow = async () => (await page.locator('.card').boundingBox())?.height ?? 0;
    const before = await heightNow();
    await page.route('**/images/*', (route) => route.abort());
    await page.evaluate(`for (const image of document.querySelectorAll('.card img')) image.src += '?none'`);
    const after = await heightNow();
    assert.ok(Math.abs(after - before) < 1, `${after} instead of ${before} pixels high`);
  }

  it('follow a change, and are there without a network: the newest and no others', async () => {
    const pass = await newPass(await host.urls(['logoUrl', 'stripUrl']));
    const card = await makeCard(client, pass.passId);
    const { page, complaints, asked } = await open(await newBrowser(), card.links.card);
    await page.waitForSelector('.status.live');
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    const copies = (): Promise<string[]> =>
      page.evaluate(`caches.keys()
        .then((names) => Promise.all(names.map((name) => caches.open(name).then((one) => one.keys()))))
        .then((all) => all.flat().map(({ url }) => url).filter((url) => url.includes('/images/')).toSorted())`);
    const isKept = async (urls: string[]) => {
      const kept = await copies();
      return kept.length === urls.length && kept.every((url, at) => url === urls.toSorted()[at]);
    };
    const [logo, strip] = [await addressOf(page, 'logo'), await addressOf(page, 'across')];
    await until('both to be kept', () => isKept([logo, strip]));

    await page.evaluate(`globalThis.firstLogo = document.querySelector('.card .logo')`);
    await client.patch(`/passes/${pass.passId}`, { stripUrl: await host.url('stripUrl', 20) });
    await untilTrue(page, `document.querySelector('.card .across').src !== '${strip}'`);
    const other = await addressOf(page, 'across');
    assert.equal(await page.evaluate(`document.querySelector('.card .logo') === globalThis.firstLogo`), true);
    // The page is kept as it was opened: it still names the first strip.
    await until('the other to be kept, too', () => isKept([logo, strip, other]));
    const count = asked.filter((path) => path === new URL(logo).pathname).length;
    await page.reload();
    await page.waitForSelector('.status.live');
    await until('the first to be forgotten', () => isKept([logo, other]));
    assert.ok(asked.filter((path) => path === new URL(logo).pathname).length <= count + 1);

    await page.context().setOffline(true);
    await page.reload();
    await page.waitForSelector('.status.offline');
    const images = await drawn(page);
    assert.deepEqual(Object.keys(images), ['logo', 'across']);
    assert.ok(
      Object.values(images).every((size) => !size.includes('missing')),
      JSON.stringify(images),
    );
    await page.context().setOffline(false);
    await page.waitForSelector('.status.live');
    await client.patch(`/passes/${pass.passId}`, { logoUrl: null, stripUrl: null });
    await untilTrue(page, `document.querySelector('.card img') === null`);
    assert.deepEqual(complaints, []);
  });
});

/** Keeps a picture of the page, to be looked at. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
