import type { BrowserContextOptions } from 'playwright-core';
import type { Punchcard } from '../sdk/typescript/src/index.ts';
import { keepPicture, onPage, phone, withService } from './pictured-service.ts';

/** Takes the pictures of docs/ENROLLING.md: the page of a real service in a real browser, and its poster. */
await withService(async (shop) => {
  const url = await openPage(shop);
  await take('phone', url, phone);
  await take('arabic', url, { ...phone, locale: 'ar', colorScheme: 'dark' });
  await take('desktop', url, { viewport: { width: 1180, height: 760 }, locale: 'de' });
  const poster = await fetch(`${url}/poster.png`);
  await keepPicture('join-poster', Buffer.from(await poster.arrayBuffer()), 780);
});

function take(name: string, url: string, options: BrowserContextOptions): Promise<void> {
  return onPage(options, async (page) => {
    await page.goto(url);
    await page.waitForTimeout(1_000);
    await keepPicture(`join-${name}`, await page.screenshot());
  });
}

/** A pass that people may enrol to. */
async function openPage(shop: Punchcard): Promise<string> {
  await shop.workspace.update({ name: 'Blue Bean Coffee' });
  const { passId } = await shop.passes.create({
    title: 'Blue Bean Club',
    type: 'loyalty',
    details: 'Ten coffees, one on the house.',
    fields: [{ key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary' }],
    colors: { background: '#10324a', foreground: '#ffffff', label: '#b9d3e3' },
  });
  const { join } = await shop.passes.update(passId, {
    status: 'published',
    join: {
      enabled: true,
      fields: [{ key: 'name', required: true }, { key: 'email' }],
      consents: [{ key: 'news', text: 'Blue Bean may write to me.', required: false }],
    },
  });
  return join?.url ?? '';
}
