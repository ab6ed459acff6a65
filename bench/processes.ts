import { type BenchResult, report } from './result.ts';
import { startAsShipped, withBench } from './service.ts';
import { awardTexts, openShop, shopLoad } from './shop.ts';
import { compare, takeTurns } from './turns.ts';

/**
 * Awards over HTTP by what `npm start` runs, with one process for all and with two that serve and one that works, each on a
 * database of its own. They take turns, and share the processors with the load.
 */
export function bench(): Promise<BenchResult[]> {
  return withBench(async (bench) => {
    const alone = await openShop(await startAsShipped(bench, 'alone'));
    const several = await openShop(await startAsShipped(bench, 'several', { PROCESSES: '2' }));
    const [aloneTexts, severalTexts] = [awardTexts(alone), awardTexts(several)];
    const measured = await takeTurns(200, {
      alone: () => shopLoad(alone.service, aloneTexts),
      several: () => shopLoad(several.service, severalTexts),
      aloneMany: () => shopLoad(alone.service, aloneTexts, manyConnections),
      severalMany: () => shopLoad(several.service, severalTexts, manyConnections),
    });
    const { ratio, rate, refused } = compare(measured);
    return [
      {
        name: 'award, 256 connections, two processes : one',
        value: ratio('severalMany', 'aloneMany'),
        unit: 'x',
        target: { min: 1 },
      },
      { name: 'award, 64 connections, two processes : one', value: ratio('several', 'alone'), unit: 'x' },
      refused(),
      rate('award, 256 connections, one process', 'aloneMany'),
      rate('award, 256 connections, two processes', 'severalMany'),
      rate('award, 64 connections, one process', 'alone'),
      rate('award, 64 connections, two processes', 'several'),
    ];
  });
}

const manyConnections = 256;

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
