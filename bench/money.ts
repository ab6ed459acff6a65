import { decodeId } from '../src/kit/ids.ts';
import { type CostTurn, costFigure, costRatio, costTurn } from './cost-turn.ts';
import { options } from './options.ts';
import { type BenchResult, report } from './result.ts';
import { callService, publishPass, type Service, startAsShipped, withBench } from './service.ts';
import { awardTexts, fewCards, moneyTexts, openShop, readCards, type Till } from './shop.ts';

/**
 * What a charge and a load of a gift card cost against an award: processor time of the service and its PostgreSQL, 64
 * connections, alternately in one run.
 */
export function bench(): Promise<BenchResult[]> {
  return withBench(async (bench) => {
    const service = await startAsShipped(bench, 'money');
    const gifts = await openGifts(service);
    const texts = {
      award: awardTexts(await openShop(service)),
      load: moneyTexts(gifts, '/value/load'),
      charge: moneyTexts(gifts, '/value/charge'),
    };
    const turns: Record<keyof typeof texts, CostTurn[]> = { award: [], load: [], charge: [] };
    // The first round is not counted: it compiles.
    for (let round = 0; round <= options.rounds; round++)
      for (const [name, all] of Object.entries(turns)) {
        const turn = await costTurn(service, texts[name as keyof typeof texts], restMs);
        if (round > 0) all.push(turn);
      }
    const { award, load, charge } = turns;
    const ratio = (name: string, all: readonly CostTurn[]): BenchResult => ({
      name: `${name} : award, by processor time`,
      unit: 'x',
      target: { max: 1.1 },
      ...costRatio(all, award),
    });
    return [
      ratio('charge', charge),
      ratio('load', load),
      costFigure('charge', charge),
      costFigure('load', load),
      costFigure('award', award),
    ];
  });
}

const restMs = 1_500;
const cardsPerCall = 500;

/** Gift cards that hold more than the charges take. */
async function openGifts(service: Service): Promise<Till> {
  const publicPassId = await publishPass(service, 'giftCard');
  const program = { passId: publicPassId, mode: 'MONEY', currency: 'EUR' };
  const { programId } = await callService<{ programId: string }>(
    service,
    'POST',
    '/loyalty/programs',
    program,
  );
  await callService(service, 'PATCH', `/loyalty/programs/${programId}`, { status: 'active' });
  for (let from = 0; from < fewCards; from += cardsPerCall) {
    const instances = Array.from({ length: cardsPerCall }, (_, at) => ({
      externalRef: `gift-${from + at}`,
      holder: { identifier: `buyer-${from + at}` },
      value: { amount: '1000000', currency: 'EUR' },
    }));
    await callService(service, 'POST', `/passes/${publicPassId}/instances/batch`, { instances });
  }
  return {
    service,
    publicPassId,
    cards: await readCards(service, decodeId('pass', publicPassId) ?? '', fewCards),
  };
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
