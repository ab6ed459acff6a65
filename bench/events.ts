import { resolve } from 'node:path';
import { type CostTurn, costFigure, costRatio, costTurn } from './cost-turn.ts';
import { options } from './options.ts';
import { type BenchResult, report } from './result.ts';
import { type Bench, startAsShipped, withBench } from './service.ts';
import { awardTexts, openShop, type Shop } from './shop.ts';

/**
 * What events and the request log cost an award, in processor time of the service and of its PostgreSQL, background work
 * included, by what `npm start` runs on a new database. Two services are called at once, so that whatever the machine does
 * befalls both: one as it is, the other without events, or without the request log, and the other way round in the next
 * round. What is left out is thrown away by a trigger before it becomes a row, so that nothing follows from it; the cost of
 * handing it over remains. With `--against`, two services of another checkout run alternately with these.
 */
export function bench(): Promise<BenchResult[]> {
  return withBench(async (bench) => {
    const pairs = [await openPair(bench, 'this')];
    if (options.against !== undefined)
      pairs.push(await openPair(bench, 'against', resolve(options.against, 'src/main.ts')));
    // The first round is not counted.
    for (let round = -1; round < options.rounds * 4; round++)
      for (const { shops, costs } of pairs)
        for (const { name } of parts) {
          const [whole, lean] = round % 2 === 0 ? shops : shops.toReversed();
          const [asItIs, without] = await Promise.all([acquirePace(whole, null), acquirePace(lean, name)]);
          if (round < 0) continue;
          costs[name].asItIs.push(asItIs);
          costs[name].without.push(without);
        }
    return pairs.flatMap(figures);
  });
}

/** What can be left out, and the table whose rows it is made of. */
const parts = [
  { name: 'events', table: 'event_log', target: { min: 0.9 } },
  { name: 'the request log', table: 'request_log', target: undefined },
] as const;
type Part = (typeof parts)[number]['name'];

/** Two services of the same program. */
interface Pair {
  readonly name: string;
  readonly shops: readonly [Called, Called];
  readonly costs: Readonly<Record<Part, { readonly asItIs: CostTurn[]; readonly without: CostTurn[] }>>;
}

interface Called extends Shop {
  readonly texts: readonly string[];
}

async function openPair(bench: Bench, name: string, program?: string): Promise<Pair> {
  const open = async (place: string): Promise<Called> => {
    const service = await startAsShipped(bench, `${name}-${place}`, {}, program);
    const shop = await openShop(service);
    await service.pool.query(`
      create function leave_out() returns trigger language plpgsql as 'begin return null; end';
      ${parts.map(({ table }) => `create trigger leave_out before insert on ${table} for each row execute function leave_out();`).join('\n')}
    `);
    return { ...shop, texts: awardTexts(shop) };
  };
  const none = () => ({ asItIs: [], without: [] });
  return {
    name,
    shops: [await open('one'), await open('other')],
    costs: { events: none(), 'the request log': none() },
  };
}

async function acquirePace({ service, texts }: Called, without: Part | null): Promise<CostTurn> {
  for (const { name, table } of parts)
    await service.pool.query(
      `alter table ${table} ${name === without ? 'enable' : 'disable'} trigger leave_out`,
    );
  return costTurn(service, texts, restMs);
}

/** What the awards have left to background work is done by then. */
const restMs = 2_500;

function figures({ name, costs }: Pair): BenchResult[] {
  return [
    ...parts.map((part) => ({
      name: `${name}: an award without ${part.name} : as it is, by processor time`,
      ...costRatio(costs[part.name].without, costs[part.name].asItIs),
      unit: 'x' as const,
      ...(name === 'this' && part.target !== undefined && { target: part.target }),
    })),
    ...parts.flatMap((part) => [
      costFigure(`${name}: an award as it is, and one without ${part.name}`, costs[part.name].asItIs),
      costFigure(`${name}: an award without ${part.name}`, costs[part.name].without),
    ]),
  ];
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
