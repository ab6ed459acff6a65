import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { makeAuthority } from '../../tools/fakes/authority.ts';
import { ShopifyStore } from '../../tools/fakes/shopify-store.ts';
import { trustAuthority } from '../../tools/fakes/store-server.ts';
import { startChromium } from '../chromium.ts';
import { startMailingApp } from '../mailing-app.ts';
import { Phones, startDevelopmentApns } from '../wallets.ts';
import type { Day } from './first-day.ts';
import type { Walker } from './walker.ts';

/** A new service, and two people with a browser each. Fails with the complaints of a browser. */
export async function withDay(
  walker: (page: Page) => Walker | Promise<Walker>,
  act: (day: Day) => Promise<void>,
): Promise<void> {
  const apns = await startDevelopmentApns();
  const authority = makeAuthority();
  after(trustAuthority(authority));
  const store = await ShopifyStore.start({
    authority,
    name: 'Blue Bean Coffee',
    customers: { count: 30, consentEvery: 2 },
  });
  after(() => store.close());
  const settings = { APNS_URL: apns.url, FETCH_ALLOW_CIDRS: '127.0.0.1/32' };
  const { app, mailbox } = await startMailingApp(settings);
  const options: BrowserContextOptions = {
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 800 },
  };
  const complaints: string[] = [];
  const browsers = await Promise.all([startChromium(options), startChromium(options)]);
  try {
    const [owner, colleague] = await Promise.all(
      browsers.map(async ({ context }) => {
        const page = await context.newPage();
        // From now on the page reports choosers of files, however soon one opens.
        page.on('filechooser', () => undefined);
        page.on('pageerror', (error) => complaints.push(error.message));
        page.on('console', (message) => {
          const { url } = message.location();
          if (!isAnswer(url, message.text())) complaints.push(message.text());
        });
        return walker(page);
      }),
    );
    assert.ok(owner && colleague);
    await act({ app, mailbox, store, phones: new Phones(app, apns), owner, colleague });
  } finally {
    await Promise.all(browsers.map((browser) => browser.close()));
  }
  assert.deepEqual(complaints, []);
}

/**
 * Browsers complain of answers that say no: a busy service asks to be asked again, a pass has no sweep at first, a browser of
 * one's own is no till, and no person is signed in at a till at first.
 */
function isAnswer(url: string, text: string): boolean {
  return (
    (url.includes('/v1/') && text.includes('503')) ||
    (text.includes('404') && url.endsWith('/invites/sweep')) ||
    (text.includes('401') && /\/(?:devices|sessions)\/current$/.test(url))
  );
}
