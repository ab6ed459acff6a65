import { resolve } from 'node:path';
import { type CostTurn, costFigure, costRatio, costTurn } from './cost-turn.ts';
import { options } from './options.ts';
import { orderTexts } from './order-text.ts';
import { type BenchResult, report } from './result.ts';
import { type Bench, startAsShipped, withBench } from './service.ts';
import {
  awardTexts,
  barcodesOf,
  issueText,
  lookUpTexts,
  openShop,
  redeemTexts,
  type Shop,
  sendOnce,
} from './shop.ts';
import { openShops } from './shops.ts';

/**
 * What a call of the engine costs this checkout, compared with the checkout of `--against`: processor time of the service and
 * its PostgreSQL, background work included, as `npm start` runs them on a new database each. They run alternately, so that a machine
 * that slows down slows both. Skipped without `--against`.
 */
export async function bench(): Promise<BenchResult[]> {
  const { against } = options;
  if (against === undefined) {
    console.log('Skipped: --against names no other checkout.');
    return [];
  }
  return withBench(async (bench) => {
    const both = [await open(bench, 'this'), await open(bench, 'against', resolve(against, 'src/main.ts'))];
    const results: BenchResult[] = [];
    for (const [work, status, textsOf] of works) {
      const contenders = both.map((shops) => ({
        shop: shops[0] as Shop,
        texts: textsOf(shops),
        turns: [] as CostTurn[],
      }));
      // The first is not counted.
      for (let round = -1; round < options.rounds; round++)
        for (const { shop, texts, turns } of contenders) {
          const turn = await costTurn(shop.service, texts, restMs, status);
          if (round >= 0) turns.push(turn);
        }
      const [ours, theirs] = contenders.map(({ turns }) => turns) as [CostTurn[], CostTurn[]];
      results.push(
        {
          name: `${work}, other : this, by processor time`,
          ...costRatio(theirs, ours),
          unit: 'x',
          target: { min: 0.97 },
        },
        costFigure(`${work}, this`, ours),
        costFigure(`${work}, other`, theirs),
      );
    }
    return results;
  });
}

const restMs = 1_000;

/** The measurements, the status of success, and the requests. */
const works = [
  ['award', 200, ([shop]) => awardTexts(shop)],
  ['redeem', 200, ([shop]) => redeemTexts(shop)],
  ['replay', 200, ([shop]) => awardTexts(shop, { ref: known })],
  ['order', 200, ([shop]) => orderTexts(shop)],
  ['look-up', 200, ([shop]) => lookUpTexts(shop.service, barcodesOf(shop))],
  ['issue', 201, ([shop]) => [issueText(shop.service, shop.publicPassId)]],
  ['award, fifty workspaces', 200, (shops) => shops.flatMap((shop) => awardTexts(shop))],
] as const satisfies readonly (readonly [string, number, (shops: Shops) => readonly string[]])[];

/** The first is the one whose calls are measured, except where it says so. */
type Shops = readonly [Shop, ...Shop[]];

const known = 'known-';

async function open(bench: Bench, name: string, program?: string): Promise<Shops> {
  const service = await startAsShipped(bench, name, {}, program);
  const shop = await openShop(service, { perCurrencyUnit: 2, perOrder: 5 });
  // Enough for all the rewards that they will ever ask for.
  await sendOnce(service, awardTexts(shop, { points: 1_000_000, ref: 'first-' }));
  await sendOnce(service, awardTexts(shop, { ref: known }));
  return [shop, ...(await openShops(service))];
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
