import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { Punchcard } from '../sdk/typescript/src/index.ts';
import { startChromium } from '../test/chromium.ts';
import { freePort, ServiceProcess } from '../test/service-process.ts';

/** Takes the pictures of docs/CONSOLE.md: the console of a real service, with cards and points in it, in a real browser. */
const pictures = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const wide = { viewport: { width: 1280, height: 800 } } as const;
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;

/** The pictures: what each is called, and the page it is of. `{passId}` and the like are those of the shop. */
const shots = [
  { name: 'home', path: '/console', options: wide },
  { name: 'design', path: '/console/passes/{passId}/design', options: wide },
  { name: 'people', path: '/console/settings/people', options: { ...wide, colorScheme: 'dark' } },
  { name: 'phone', path: '/console', options: { ...phone, colorScheme: 'dark' } },
] as const;

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
  const { apiKey } = JSON.parse(await readFile(join(folder, 'data', 'first-run.json'), 'utf8'));
  const shop = new Punchcard({ baseUrl: service.url, apiKey });
  const ids = await openShop(shop);
  for (const { name, path, options } of shots) {
    const { link } = await shop.people.invite({ name: 'Ada', email: `${name}@example.com`, role: 'owner' });
    const browser = await startChromium({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options });
    try {
      const page = await browser.context.newPage();
      await page.goto(`${service.url}${new URL(link ?? '').pathname}`);
      await page.click('button');
      await page.locator('#app h1').waitFor();
      await page.goto(`${service.url}${path.replaceAll(/\{(\w+)\}/g, (all, id) => ids[id] ?? all)}`);
      await page.locator('#app h1').waitFor();
      await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
      // A palette is enough, and a fraction of the size.
      const picture = sharp(await page.screenshot()).png({ palette: true, effort: 10 });
      await picture.toFile(`${pictures}console-${name}.png`);
      console.log(`docs/pictures/console-${name}.png`);
    } finally {
      await browser.close();
    }
  }
} finally {
  await service.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
}

/** A shop with a program, cards and points; the ids that pages are about. */
async function openShop(shop: Punchcard): Promise<Readonly<Record<string, string>>> {
  await shop.workspace.update({ name: 'Blue Bean Coffee' });
  for (const [name, role] of [
    ['Grace Hopper', 'manager'],
    ['Katherine Johnson', 'staff'],
    ['Edsger Dijkstra', 'viewer'],
  ] as const)
    await shop.people.invite({ name, email: `${name.split(' ')[0]?.toLowerCase()}@example.com`, role });
  const { passId } = await shop.passes.create({ title: 'Blue Bean Club', type: 'loyalty' });
  await shop.passes.update(passId, { status: 'published' });
  const reward = { title: 'A flat white', cost: 20 };
  const { programId } = await shop.programs.create({ passId, mode: 'POINTS', reward });
  await shop.programs.update(programId, { status: 'active' });
  const identifiers = Array.from({ length: 24 }, (_, at) => `customer_${at}`);
  for (const identifier of identifiers) await shop.instances.issue(passId, { holder: { identifier } });
  for (const [at, identifier] of identifiers.entries())
    await shop.loyalty.earn({ passId, identifier, points: 5 + (at % 7) });
  return { passId };
}
