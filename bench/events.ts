import { resolve } from 'node:path';
import { type CostTurn, costFigure, costRatio, costTurn } from './cost-turn.ts';
import { options } from './options.ts';
import { type BenchResult, report } from './result.ts';
import { type Bench, startAsShipped, withBench } from './service.ts';
import { awardTexts, openShop, type Shop } from './shop.ts';

/**
 * What events and the request log cost an award, in processor time of the service and of its PostgreSQL, background work
 * included, by what `npm start` runs on a new database. In turns: as it is, without events, and without the request log.
 * What is left out is thrown away by a trigger before it becomes a row, so that nothing follows from it; to hand it over is
 * paid all the same. `--beside` has another checkout take turns as well.
 */
export function bench(): Promise<BenchResult[]> {
  return withBench(async (bench) => {
    const shops = [await open(bench, 'this')];
    if (options.beside !== undefined)
      shops.push(await open(bench, 'beside', resolve(options.beside, 'src/main.ts')));
    const contenders = shops.flatMap((opened) =>
      ways.map((way) => ({ ...opened, way, turns: [] as CostTurn[] })),
    );
    // The first is not counted.
    for (const one of contenders) await takeTurn(one);
    // The machine's pace changes from turn to turn, so there are many. Each round begins with another one, so that none always
    // follows the same.
    for (let round = 0; round < options.rounds * 4; round++)
      for (let place = 0; place < contenders.length; place++) {
        const one = contenders[(round + place) % contenders.length] as Contender;
        one.turns.push(await takeTurn(one));
      }
    return shops.flatMap(({ name }) => figures(name, contenders));
  });
}

/** What rows are made of. */
const ways = ['all', 'no events', 'no requests'] as const;
type Way = (typeof ways)[number];

interface Opened {
  readonly name: string;
  readonly shop: Shop;
  readonly texts: readonly string[];
}

interface Contender extends Opened {
  readonly way: Way;
  readonly turns: CostTurn[];
}

async function open(bench: Bench, name: string, program?: string): Promise<Opened> {
  const service = await startAsShipped(bench, name, {}, program);
  const shop = await openShop(service);
  await service.pool.query(`
    create function leave_out() returns trigger language plpgsql as 'begin return null; end';
    create trigger leave_out before insert on event_outbox for each row execute function leave_out();
    create trigger leave_out before insert on request_log for each row execute function leave_out();
  `);
  return { name, shop, texts: awardTexts(shop) };
}

async function takeTurn({ shop, texts, way }: Contender): Promise<CostTurn> {
  const { service } = shop;
  const make = (isMade: boolean) => (isMade ? 'disable' : 'enable');
  await service.pool.query(`
    alter table event_outbox ${make(way !== 'no events')} trigger leave_out;
    alter table request_log ${make(way !== 'no requests')} trigger leave_out;
  `);
  return costTurn(service, texts, restMs);
}

/** What the awards have left to background work is done by then. */
const restMs = 2_500;

function figures(name: string, contenders: readonly Contender[]): BenchResult[] {
  const turnsOf = (way: Way) => contenders.find((one) => one.name === name && one.way === way)?.turns ?? [];
  return [
    {
      name: `${name}: an award without events : as it is, by processor time`,
      ...costRatio(turnsOf('no events'), turnsOf('all')),
      unit: 'x',
      ...(name === 'this' && { target: { min: 0.9 } }),
    },
    {
      name: `${name}: an award without the request log : as it is`,
      ...costRatio(turnsOf('no requests'), turnsOf('all')),
      unit: 'x',
    },
    ...ways.map((way) => costFigure(`${name}: an award, ${labels[way]}`, turnsOf(way))),
  ];
}

const labels = {
  all: 'as it is',
  'no events': 'without events',
  'no requests': 'without the request log',
};

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
