import type { Load } from './load-plan.ts';
import { orderTexts } from './order-text.ts';
import { openBareAwards } from './pgbench.ts';
import { type BenchResult, report } from './result.ts';
import { callService, type Service, startAsShipped, withBench } from './service.ts';
import { awardTexts, barcodesOf, issueText, lookUpTexts, openShop, type Shop, shopLoad } from './shop.ts';
import { compare, p99Of, takeTurns } from './turns.ts';

/**
 * Calls that 64 connections spread over fifty workspaces, as on an installation for many merchants, and the same to one of them: by
 * what `npm start` runs, in a new database that was never analysed. All take turns, and pgbench with them.
 */
export function bench(): Promise<BenchResult[]> {
  return withBench(async (bench) => {
    const service = await startAsShipped(bench, 'shops');
    const shops = await openShops(service);
    const bare = await openBareAwards(bench, service.databaseUrl);
    const figures: BenchResult[] = [];
    for (const [work, status, least, textsOf] of works) {
      const measured = await takeTurns(status, {
        many: loadOf(shops, textsOf),
        one: loadOf(shops.slice(0, 1), textsOf),
        bare: () => bare.run(),
      });
      const { ratio, rate, refused } = compare(measured);
      figures.push({
        name: `${work}, fifty workspaces : one`,
        value: ratio('many', 'one'),
        unit: 'x',
        target: { min: least },
      });
      if (work === 'award')
        figures.push({
          name: `award, fifty workspaces : ${bare.name}, 64 clients`,
          value: ratio('many', 'bare'),
          unit: 'x',
          target: { min: 0.3 },
        });
      figures.push(
        { name: `${work}, p99, fifty workspaces : one`, value: ratio('many', 'one', p99Of), unit: 'x' },
        refused(),
        rate(`${work}, fifty workspaces`, 'many'),
        rate(`${work}, one workspace`, 'one'),
      );
    }
    return figures;
  });
}

/** The measurements, the status of success, how many of them fifty workspaces make at least where one makes one, and the requests. */
const works = [
  ['award', 200, 0.5, (shop: Shop) => awardTexts(shop)],
  ['issue', 201, 0.6, (shop: Shop) => [issueText(shop.service, shop.publicPassId)]],
  ['look-up', 200, 0.6, (shop: Shop) => lookUpTexts(shop.service, barcodesOf(shop))],
  ['order', 200, 0.6, (shop: Shop) => orderTexts(shop)],
] as const;

const workspaces = 50;
const cardsOfEach = 100;

/** So many workspaces of one installation, each with a pass whose program is under way. */
export async function openShops(service: Service): Promise<Shop[]> {
  const earn = { perCurrencyUnit: 2, perOrder: 5 };
  const operator = { ...service, apiKey: service.operatorToken };
  const shops = [await openShop(service, earn, cardsOfEach)];
  while (shops.length < workspaces) {
    const { apiKey } = await callService<{ apiKey: string }>(operator, 'POST', '/operator/workspaces', {
      name: 'Benchmark',
      plan: 'pro',
    });
    const headers = service.headers.replace(service.apiKey, apiKey);
    shops.push(await openShop({ ...service, apiKey, headers }, earn, cardsOfEach));
  }
  return shops;
}

/** A turn of the load on all of the shops. */
export function loadOf(
  shops: readonly Shop[],
  textsOf: (shop: Shop) => readonly string[],
): () => Promise<Load> {
  const [first] = shops as [Shop];
  const texts = shops.flatMap(textsOf);
  return () => shopLoad(first.service, texts);
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
