import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions } from 'playwright-core';
import sharp from 'sharp';
import { startChromium } from '../test/chromium.ts';
import { freePort, ServiceProcess } from '../test/service-process.ts';

/** Takes the pictures of docs/ENROLLING.md: the page of a real service in a real browser, and its poster. */
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
  const url = await openPage();
  await take('phone', url, { ...phone, locale: 'en-GB' });
  await take('arabic', url, { ...phone, locale: 'ar', colorScheme: 'dark' });
  await take('desktop', url, { viewport: { width: 1180, height: 760 }, locale: 'de' });
  const poster = await fetch(`${url}/poster.png`);
  await keep('poster', Buffer.from(await poster.arrayBuffer()), 780);
} finally {
  await service.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
}

async function take(name: string, url: string, options: BrowserContextOptions): Promise<void> {
  const browser = await startChromium(options);
  try {
    const page = await browser.context.newPage();
    await page.goto(url);
    await page.waitForTimeout(1_000);
    await keep(name, await page.screenshot());
  } finally {
    await browser.close();
  }
}

/** A palette is enough, and a fraction of the size. */
async function keep(name: string, picture: Buffer, width?: number): Promise<void> {
  const sized = width === undefined ? sharp(picture) : sharp(picture).resize({ width });
  await sized.png({ palette: true, effort: 10 }).toFile(`${pictures}join-${name}.png`);
  console.log(`docs/pictures/join-${name}.png`);
}

/** A pass that people may enrol to. */
async function openPage(): Promise<string> {
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
  const { passId } = await call('POST', '/passes', {
    title: 'Blue Bean Club',
    type: 'loyalty',
    details: 'Ten coffees, one on the house.',
    fields: [{ key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary' }],
    colors: { background: '#10324a', foreground: '#ffffff', label: '#b9d3e3' },
  });
  const pass = await call('PATCH', `/passes/${passId}`, {
    status: 'published',
    join: {
      enabled: true,
      fields: [{ key: 'name', required: true }, { key: 'email' }],
      consents: [{ key: 'news', text: 'Blue Bean may write to me.', required: false }],
    },
  });
  return pass.join.url;
}
