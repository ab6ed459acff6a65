import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { Punchcard } from '../sdk/typescript/src/index.ts';
import { startChromium } from '../test/chromium.ts';
import { freePort, ServiceProcess } from '../test/service-process.ts';

const pictures = fileURLToPath(new URL('../docs/pictures/', import.meta.url));

/** A telephone to take pictures on. */
export const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
} as const;

/** Starts a real service on an empty database, for as long as `act` takes; it calls it with a key of full access. */
export async function withService(
  act: (shop: Punchcard, url: string, firstRun: { readonly operatorToken: string }) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'punchcard-pictures-'));
  const port = await freePort();
  const service = new ServiceProcess(port, {
    DATA_DIR: join(folder, 'data'),
    PUBLIC_URL: `http://localhost:${port}`,
    DRAIN_MS: '0',
    ...settings,
  });
  try {
    await mkdir(pictures, { recursive: true });
    await service.start();
    const firstRun = JSON.parse(await readFile(join(folder, 'data', 'first-run.json'), 'utf8'));
    const { apiKey } = firstRun;
    await act(new Punchcard({ baseUrl: service.url, apiKey }), service.url, firstRun);
  } finally {
    await service.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}

/** Acts on a page of a real browser. */
export async function onPage(
  options: BrowserContextOptions,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  const browser = await startChromium({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options });
  try {
    await act(await browser.context.newPage());
  } finally {
    await browser.close();
  }
}

/** Keeps a picture below docs/pictures: a palette is enough, and a fraction of the size. */
export async function keepPicture(name: string, picture: Buffer, width?: number): Promise<void> {
  const sized = width === undefined ? sharp(picture) : sharp(picture).resize({ width });
  await sized.png({ palette: true, effort: 10 }).toFile(`${pictures}${name}.png`);
  console.log(`docs/pictures/${name}.png`);
}
