import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import type { Punchcard } from '../sdk/typescript/src/index.ts';
import { keepPicture, onPage, phone, withService } from './pictured-service.ts';

/** Takes the pictures of docs/WEB-CARD.md: a real card of a real service in a real browser. */
await withService(async (shop) => {
  const link = await issueCard(shop);
  await take('phone', link, phone);
  await take('desktop', link, { viewport: { width: 1180, height: 680 } });
  await take('print', link, { viewport: { width: 680, height: 900 } }, (page) =>
    page.emulateMedia({ media: 'print' }),
  );
  await take('offline', link, { ...phone, colorScheme: 'dark' }, async (page) => {
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.context().setOffline(true);
    await page.reload();
    await page.waitForSelector('.status.offline');
  });
});

/** Opens the card in a browser of its own, as soon as it is live, and keeps what it looks like then. */
function take(
  name: string,
  link: string,
  options: BrowserContextOptions,
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<void> {
  return onPage(options, async (page) => {
    await page.goto(link);
    await page.waitForSelector('.status.live');
    await page.waitForSelector('#install');
    await prepare(page);
    await page.waitForTimeout(1_000);
    const picture = await page.screenshot();
    // A sheet of paper has margins and an edge; a screen has none.
    await keepPicture(`web-card-${name}`, name === 'print' ? await onPaper(picture) : picture);
  });
}

async function onPaper(picture: Buffer): Promise<Buffer> {
  const around = (pixels: number, background: string) => ({
    ...{ top: pixels, bottom: pixels, left: pixels, right: pixels, background },
  });
  const page = await sharp(picture).extend(around(60, '#ffffff')).toBuffer();
  return sharp(page).extend(around(1, '#c8c8c8')).toBuffer();
}

/** A pass that shows what a card can hold, and its first card. */
async function issueCard(shop: Punchcard): Promise<string> {
  await shop.workspace.update({ name: 'Blue Bean Coffee' });
  const { passId } = await shop.passes.create({
    title: 'Blue Bean Club',
    type: 'loyalty',
    details: 'Ten coffees, one on the house.',
    terms: 'One stamp a drink. Not to be exchanged for cash.',
    fields: [
      { key: 'tier', label: 'Tier', value: 'Silver', section: 'header' },
      { key: 'stamps', label: 'Stamps', value: '7 of 10', section: 'primary' },
      { key: 'next', label: 'Next reward', value: 'A flat white', section: 'secondary' },
      { key: 'since', label: 'Member since', value: 'May 2021', section: 'secondary' },
      { key: 'hours', label: 'Opening hours', value: '7:00 to 18:00, every day', section: 'back' },
    ],
    colors: { background: '#10324a', foreground: '#ffffff', label: '#b9d3e3' },
  });
  await shop.passes.update(passId, { status: 'published' });
  const { links } = await shop.instances.issue(passId, {
    holder: { identifier: 'cust_1', name: 'Ada Lovelace' },
    barcode: '7Q4MX2K9PLA',
  });
  return links.card;
}
