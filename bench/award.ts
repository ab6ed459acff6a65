import assert from 'node:assert/strict';
import { openBareClients } from './bare-awards.ts';
import { unique } from './load-plan.ts';
import { openBareAwards } from './pgbench.ts';
import { startWithPhones } from './phones.ts';
import { type BenchResult, report } from './result.ts';
import { callService, withBench } from './service.ts';
import {
  addCredits,
  awardTexts,
  connections,
  delivered,
  installCards,
  openShop,
  redeemTexts,
  type Shop,
  sendOnce,
  shopLoad,
} from './shop.ts';
import { compare, p99Of, type Rounds, takeTurns } from './turns.ts';

/**
 * Awards, redemptions and replays over HTTP by what `npm start` runs, background work and all, in a new database that
 * was never analysed; against pgbench with 64 clients, which commits the least that an award can be, on the same server.
 * All of them take turns, so that a machine that slows down slows each.
 */
export function bench(): Promise<BenchResult[]> {
  return withBench(async (bench) => {
    const service = await startWithPhones(bench, 'award');
    const shop = await openShop(service);
    const installed = await openShop(service);
    await addCredits(service);
    await installCards(installed);
    const bare = await openBareAwards(bench, service.databaseUrl);
    const clients = await openBareClients(service.databaseUrl, 'clients', connections);
    await assertCounted(shop, false);
    await assertCounted(installed, true);
    // Enough for all the rewards that they will ever ask for.
    await sendOnce(service, awardTexts(shop, { points: 1_000_000, ref: 'first-' }));
    const known = awardTexts(shop, { ref: 'known-' });
    await sendOnce(service, known);
    const [awards, redeems] = [awardTexts(shop), redeemTexts(shop)];
    const installedAwards = awardTexts(installed);
    const measured = await takeTurns(200, {
      award: () => shopLoad(service, awards),
      bare: () => bare.run(),
      many: () => shopLoad(service, awards, manyConnections),
      installed: async () => {
        const load = await shopLoad(service, installedAwards);
        await delivered(service);
        return load;
      },
      one: () => shopLoad(service, awards.slice(0, 1)),
      redeem: () => shopLoad(service, redeems),
      replay: () => shopLoad(service, known),
      clients: () => clients.run(),
    });
    return figures(bare.name, measured);
  });
}

const manyConnections = 256;

type Contender = 'award' | 'many' | 'installed' | 'one' | 'redeem' | 'replay' | 'bare' | 'clients';

function figures(bare: string, measured: Rounds<Contender>): BenchResult[] {
  const { ratio, rate, p99, refused } = compare(measured);
  const against = (name: string, who: Contender, to: Contender, min: number): BenchResult => ({
    name,
    value: ratio(who, to),
    unit: 'x',
    target: { min },
  });
  return [
    against(`award, 64 connections : ${bare}, 64 clients`, 'award', 'bare', 0.45),
    against(`award, 256 connections : ${bare}, 64 clients`, 'many', 'bare', 0.6),
    against(`award, cards on phones, 64 connections : ${bare}`, 'installed', 'bare', 0.3),
    {
      name: `award, p99 : ${bare}'s p99`,
      value: ratio('award', 'bare', p99Of),
      unit: 'x',
      target: { max: 4 },
      note: `${p99('award')} : ${p99('bare')}`,
    },
    against('award, all on one account : spread', 'one', 'award', 0.8),
    against('redeem : award', 'redeem', 'award', 0.8),
    against('replay : award straight from pg', 'replay', 'clients', 1),
    refused(),
    rate('award, 64 connections', 'award'),
    rate('award, 256 connections', 'many'),
    rate('award, cards on phones', 'installed'),
    rate('award, all on one account', 'one'),
    rate('redeem', 'redeem'),
    rate('replay', 'replay'),
    rate(`${bare}, 64 clients`, 'bare'),
    rate('award straight from pg', 'clients'),
  ];
}

/** An award moves the balance, and pushes where a phone has the card; its repetition gets the same answer. */
async function assertCounted(shop: Shop, isPushed: boolean): Promise<void> {
  for (const text of awardTexts(shop).slice(0, 3)) {
    const body = JSON.parse((text.split('\r\n\r\n')[1] ?? '').replace(unique, `counted-${Math.random()}`));
    const award = () => callService<Record<string, unknown>>(shop.service, 'POST', '/loyalty/points', body);
    const [first, repeat] = [await award(), await award()];
    assert.deepEqual([first.balance, first.pushed], [5, isPushed]);
    assert.deepEqual(repeat, first);
  }
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
