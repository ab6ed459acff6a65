import { resolve } from 'node:path';
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
  shopLoad,
} from './shop.ts';
import { compare, takeTurns } from './turns.ts';

/**
 * What the engine does a second by this checkout against the checkout of `--beside`, both by what `npm start` runs on a
 * new database of its own; in turns, so that a machine that slows down slows both. Passed over without `--beside`.
 */
export async function bench(): Promise<BenchResult[]> {
  const { beside } = options;
  if (beside === undefined) {
    console.log('Passed over: --beside names no other checkout.');
    return [];
  }
  return withBench(async (bench) => {
    const after = await open(bench, 'this');
    const before = await open(bench, 'beside', resolve(beside, 'src/main.ts'));
    const results: BenchResult[] = [];
    for (const [work, status, textsOf] of works) {
      const [afterTexts, beforeTexts] = [textsOf(after), textsOf(before)];
      const measured = await takeTurns(status, {
        after: () => shopLoad(after.service, afterTexts),
        before: () => shopLoad(before.service, beforeTexts),
      });
      const { ratio, rate, refused } = compare(measured);
      results.push(
        { name: `${work}, this : beside`, value: ratio('after', 'before'), unit: 'x', target: { min: 0.97 } },
        refused(),
        rate(`${work}, this`, 'after'),
        rate(`${work}, beside`, 'before'),
      );
    }
    return results;
  });
}

/** What is measured, the status of its success, and its requests. */
const works = [
  ['award', 200, (shop: Shop) => awardTexts(shop)],
  ['redeem', 200, (shop: Shop) => redeemTexts(shop)],
  ['replay', 200, (shop: Shop) => awardTexts(shop, { ref: known })],
  ['order', 200, (shop: Shop) => orderTexts(shop)],
  ['look-up', 200, (shop: Shop) => lookUpTexts(shop.service, barcodesOf(shop))],
  ['issue', 201, (shop: Shop) => [issueText(shop.service, shop.publicPassId)]],
] as const;

const known = 'known-';

async function open(bench: Bench, name: string, program?: string): Promise<Shop> {
  const service = await startAsShipped(bench, name, {}, program);
  const shop = await openShop(service, { perCurrencyUnit: 2, perOrder: 5 });
  // Enough for all the rewards that they will ever ask for.
  await sendOnce(service, awardTexts(shop, { points: 1_000_000, ref: 'first-' }));
  await sendOnce(service, awardTexts(shop, { ref: known }));
  return shop;
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
