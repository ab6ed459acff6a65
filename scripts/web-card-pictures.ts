import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { startChromium } from '../test/chromium.ts';
import { freePort, ServiceProcess } from '../test/service-process.ts';

/** Takes the pictures of docs/WEB-CARD.md: a real card of a real service in a real browser. */
const pictures = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const folder = await mkdtemp(join(tmpdir(), 'punchcard-pictures-'));
const port = await freePort();
const service = new ServiceProcess(port, {
  DATA_DIR: join(folder, 'data'),
  PUBLIC_URL: `http://localhost:${port}`,
  DRAIN_MS: '0',
});

try {
  await mkdir(pictures, { recursive: true });
  await service.start();
  const link = await issueCard();
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
} finally {
  await service.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
}

/** Opens the card in a browser of its own, as soon as it is live, and keeps what it looks like then. */
async function take(
  name: string,
  link: string,
  options: BrowserContextOptions,
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<void> {
  const browser = await startChromium({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options });
  try {
    const page = await browser.context.newPage();
    await page.goto(link);
    await page.waitForSelector('.status.live');
    await page.waitForSelector('#install');
    await prepare(page);
    await page.waitForTimeout(1_000);
    const picture = await page.screenshot();
    // A sheet of paper has margins and an edge; a screen has none.
    const shown = name === 'print' ? await onPaper(picture) : picture;
    // A palette is enough, and a fraction of the size.
    await sharp(shown).png({ palette: true, effort: 10 }).toFile(`${pictures}web-card-${name}.png`);
    console.log(`docs/pictures/web-card-${name}.png`);
  } finally {
    await browser.close();
  }
}

async function onPaper(picture: Buffer): Promise<Buffer> {
  const around = (pixels: number, background: string) => ({
    ...{ top: pixels, bottom: pixels, left: pixels, right: pixels, background },
  });
  const page = await sharp(picture).extend(around(60, '#ffffff')).toBuffer();
  return sharp(page).extend(around(1, '#c8c8c8')).toBuffer();
}

/** A pass that shows what a card can hold, and its first card. */
async function issueCard(): Promise<string> {
  const { apiKey } = JSON.parse(await readFile(join(folder, 'data', 'first-run.json'), 'utf8'));
  const call = async (method: string, path: string, body: object) => {
    const response = await fetch(`${service.url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = JSON.parse(await response.text());
    if (!response.ok) throw new Error(JSON.stringify(answer));
    return answer;
  };
  await call('PATCH', '/workspace', { name: 'Blue Bean Coffee' });
  const pass = await call('POST', '/passes', {
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
  await call('PATCH', `/passes/${pass.passId}`, { status: 'published' });
  const card = await call('POST', `/passes/${pass.passId}/instances`, {
    holder: { identifier: 'cust_1', name: 'Ada Lovelace' },
    barcode: '7Q4MX2K9PLA',
  });
  return card.links.card;
}
