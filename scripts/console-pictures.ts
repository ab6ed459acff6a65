import type { Punchcard } from '../sdk/typescript/src/index.ts';
import { keepPicture, onPage, withService } from './pictured-service.ts';

const wide = { viewport: { width: 1280, height: 800 } } as const;
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;

/** The pictures: what each is called, and the page it is of. `{passId}` and the like are those of the shop. */
const shots = [
  { name: 'home', path: '/console', options: wide },
  { name: 'design', path: '/console/passes/{passId}/design', options: wide },
  { name: 'people', path: '/console/settings/people', options: { ...wide, colorScheme: 'dark' } },
  { name: 'phone', path: '/console', options: { ...phone, colorScheme: 'dark' } },
] as const;

/** Takes the pictures of docs/CONSOLE.md: the console of a real service, with cards and points in it, in a real browser. */
await withService(async (shop, url) => {
  const ids = await openShop(shop);
  for (const { name, path, options } of shots) {
    const { link } = await shop.people.invite({ name: 'Ada', email: `${name}@example.com`, role: 'owner' });
    await onPage(options, async (page) => {
      await page.goto(`${url}${new URL(link ?? '').pathname}`);
      await page.click('button');
      await page.locator('#app h1').waitFor();
      await page.goto(`${url}${path.replaceAll(/\{(\w+)\}/g, (all, id) => ids[id] ?? all)}`);
      await page.locator('#app h1').waitFor();
      await page.locator('main:not(:has([aria-busy="true"]))').waitFor();
      await keepPicture(`console-${name}`, await page.screenshot());
    });
  }
});

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
