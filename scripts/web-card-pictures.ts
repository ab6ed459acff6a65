import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserContextOptions, devices, type Page } from 'playwright-core';
import sharp from 'sharp';
import { startChromium } from '../test/chromium.ts';
import { freePort, ServiceProcess } from '../test/service-process.ts';

/** Takes the pictures of docs/WEB-CARD.md: a real card of a real service in a real browser. */
const pictures = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
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
  await take('phone', link, {
    ...devices['iPhone 15'],
    defaultBrowserType: undefined,
  } as BrowserContextOptions);
  await take('desktop', link, { viewport: { width: 1280, height: 800 } });
  await take('print', link, { viewport: { width: 794, height: 760 } }, async (page) =>
    page.emulateMedia({ media: 'print' }),
  );
  await take(
    'offline',
    link,
    { ...devices['iPhone 15'], colorScheme: 'dark' } as BrowserContextOptions,
    async (page) => {
      await page.evaluate(() => navigator.serviceWorker.ready);
      await page.context().setOffline(true);
      await page.waitForSelector('.status.offline');
    },
  );
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
    await prepare(page);
    await page.waitForTimeout(1_000);
    const picture = await page.screenshot({ fullPage: name !== 'desktop' });
    // A palette is enough, and a fraction of the size.
    await writeFile(
      `${pictures}web-card-${name}.png`,
      await sharp(picture).png({ palette: true, effort: 10 }).toBuffer(),
    );
    console.log(`docs/pictures/web-card-${name}.png`);
  } finally {
    await browser.close();
  }
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
    const answer = await response.json();
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
