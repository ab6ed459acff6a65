import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { makeAuthority } from '../tools/fakes/authority.ts';
import { EventReceiver } from '../tools/fakes/event-receiver.ts';
import { ShopifyStore } from '../tools/fakes/shopify-store.ts';
import { fillShop } from './console-shop.ts';
import { pictureOf, shots } from './console-shots.ts';
import { onPage, withService } from './pictured-service.ts';

/**
 * Takes the pictures of docs/CONSOLE.md, or those that are named: each page of a real service with a shop in it, light and dark,
 * on a desktop and on a phone, side by side.
 */
const docs = fileURLToPath(new URL('../docs/', import.meta.url));
const named = process.argv.slice(2).filter((one) => !one.startsWith('--'));
const wanted = shots.filter(({ name }) => named.length === 0 || named.includes(name));
const views = [
  { width: 1280, height: 800, left: 0 },
  { width: 390, height: 800, left: 1304 },
] as const;
/** Rows lie below each other: light, dark. */
const schemes = ['light', 'dark'] as const;
const gap = 24;
const size = { width: 1304 + 390, height: 2 * 800 + gap };

const folder = await mkdtemp(join(tmpdir(), 'punchcard-pictures-'));
const authority = makeAuthority('Simulated Internet CA');
const authorityFile = join(folder, 'authority.pem');
await writeFile(authorityFile, authority.certificate.toString());
const receiver = await EventReceiver.start();
const store = await ShopifyStore.start({ authority, name: 'Blue Bean Coffee', customers: { count: 120 } });
try {
  await withService(
    async (shop, url, { operatorToken }) => {
      const ada = { name: 'Ada Lovelace', email: 'ada@example.com', role: 'owner' } as const;
      const { link } = await shop.people.invite(ada);
      await onPage({ reducedMotion: 'reduce', viewport: views[0] }, async (page) => {
        page.setDefaultTimeout(120_000);
        await page.goto(`${url}${new URL(link ?? '').pathname}`);
        await page.click('button');
        await page.locator('#app h1').waitFor();
        const ids = await fillShop({ shop, page, url, store, receiver });
        await page.goto(`${url}/console/operator`);
        await page.getByLabel('Operator token').fill(operatorToken);
        await page.getByRole('button', { name: 'Go on' }).click();
        await page.locator('h1', { hasText: 'Workspaces' }).waitFor();
        await mkdir(join(docs, 'pictures/console'), { recursive: true });
        for (const shot of wanted) {
          const path = shot.path.replaceAll(
            /:(\w+)/g,
            (all, id) => ids[`${shot.name}.${id}`] ?? ids[id] ?? all,
          );
          await keep(`${docs}${pictureOf(shot)}`, await take(page, `${url}${path}`));
        }
      });
    },
    {
      NODE_EXTRA_CA_CERTS: authorityFile,
      FETCH_ALLOW_CIDRS: '127.0.0.1/32',
      WEBHOOK_ALLOW_HTTP: 'yes',
    },
  );
} finally {
  await store.close();
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
}

/** The page in all its views. */
async function take(page: Page, url: string): Promise<{ input: Buffer; left: number; top: number }[]> {
  const pictures = [];
  for (const { left, ...viewport } of views)
    for (const [row, colorScheme] of schemes.entries()) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.goto(url);
      await page.locator('#app h1').waitFor();
      await page.locator('main:not(:has([aria-busy="true"], .skeleton))').waitFor();
      // Images that were drawn just now are decoded.
      await page.evaluate(
        'Promise.all([...document.images].map((image) => image.decode().catch(() => null)))',
      );
      pictures.push({ input: await page.screenshot(), left, top: row * (viewport.height + gap) });
    }
  return pictures;
}

/** On one sheet that is drawn at half its size: what is small stays readable, and a page is some 40 kB. */
async function keep(file: string, pictures: { input: Buffer; left: number; top: number }[]): Promise<void> {
  const sheet = sharp({ create: { ...size, channels: 3, background: '#8a8f98' } }).composite(pictures);
  const whole = await sheet.png().toBuffer();
  await sharp(whole)
    .resize({ width: 1_180 })
    .webp({ quality: 62, effort: 6, smartSubsample: true })
    .toFile(file);
  const { length } = await readFile(file);
  console.log(`${file.slice(docs.length)} ${Math.ceil(length / 1_000)} kB`);
}
