import type { Punchcard } from '../sdk/typescript/src/index.ts';
import { keepPicture, onPage, withService } from './pictured-service.ts';

/** Takes the pictures of languages in docs/ENROLLING.md: pages of shops that write in them, as their customers see them. */
const shops = [
  {
    locale: 'ar',
    name: 'مقهى القمر',
    title: 'نادي القهوة',
    details: 'عشر قهوات، والحادية عشرة علينا',
    tier: ['الفئة', 'ذهبية'],
    holder: 'عائشة',
    background: '#134e4a',
  },
  {
    locale: 'fr',
    name: 'Café Lumière',
    title: 'Club Lumière',
    details: 'Dix cafés, le onzième est pour nous.',
    tier: ['Statut', 'Or'],
    holder: 'Zoé',
    background: '#7a2e1d',
  },
  {
    locale: 'pl',
    name: 'Kawiarnia Źródło',
    title: 'Klub Źródło',
    details: 'Dziesięć kaw, jedenasta gratis.',
    tier: ['Poziom', 'Złoty'],
    holder: 'Małgorzata',
    background: '#3b2f63',
  },
] as const;

const window = { viewport: { width: 390, height: 760 }, deviceScaleFactor: 1.5 };
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)';

await withService(async (api) => {
  for (const shop of shops) {
    const { join, card, add } = await open(api, shop);
    await take(`join-${shop.locale}`, join, shop.locale);
    await take(`add-${shop.locale}`, add, shop.locale);
    await take(`web-card-${shop.locale}`, card, shop.locale);
  }
});

function take(name: string, url: string, locale: string): Promise<void> {
  const colorScheme = name === 'web-card-ar' ? 'dark' : 'light';
  return onPage({ ...window, locale, colorScheme, userAgent: iPhone }, async (page) => {
    await page.goto(url);
    await page.waitForTimeout(1_000);
    await keepPicture(name, await page.screenshot());
  });
}

/** The pages of a shop: to enrol, and of a card. */
async function open(api: Punchcard, shop: (typeof shops)[number]) {
  const { locale, name, title, details, tier, holder, background } = shop;
  await api.workspace.update({ name, locale });
  const [label, value] = tier;
  const { passId } = await api.passes.create({
    title,
    details,
    type: 'loyalty',
    fields: [{ key: 'tier', label, value, section: 'secondary' }],
    colors: { background, foreground: '#ffffff', label: '#e6dfd6' },
  });
  const { join } = await api.passes.update(passId, {
    status: 'published',
    join: { enabled: true, fields: [{ key: 'name', required: true }, { key: 'email' }], consents: [] },
  });
  const { links } = await api.instances.issue(passId, { holder: { name: holder, locale } });
  return { join: join?.url ?? '', card: links.card, add: links.add };
}
