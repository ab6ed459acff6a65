import assert from 'node:assert/strict';
import type { Load } from './http-load.ts';
import { type BenchResult, median } from './result.ts';

/** The service with 10,000 rows, the same with 1,000,000, and the least that could do the work of the first. */
export type Contender = 'service' | 'large' | 'bare';
/** What each contender has measured, by round. */
export type Rounds<Who extends string = Contender> = Readonly<Record<Who, readonly Load[]>>;

/** How long a contender's turn takes. */
export const roundMs = 3_000;
export const connections = 32;
const rounds = 5;

/**
 * Lets the contenders take turns, so that a machine that slows down slows each; the first round is not counted. Fails
 * on an answer of another status than this one.
 */
export async function takeTurns<Who extends string>(
  status: number,
  run: Readonly<Record<Who, () => Promise<Load>>>,
): Promise<Rounds<Who>> {
  const contenders = Object.keys(run) as Who[];
  const measured = Object.fromEntries(contenders.map((who) => [who, [] as Load[]])) as Record<Who, Load[]>;
  for (const contender of contenders) await run[contender]();
  for (let round = 0; round < rounds; round++) {
    for (const contender of contenders) {
      const load = await run[contender]();
      for (const answered of load.statuses.keys()) assert.equal(answered, status, `${contender} answered`);
      measured[contender].push(load);
    }
  }
  return measured;
}

/** How the figures call the work, its two ways, and the rows that there are more and less of. */
interface Names {
  readonly work: string;
  readonly ours: string;
  readonly bare: string;
  readonly rows: string;
}

/** The two ratios that have a target, and the rates behind them. */
export function figures({ work, ours, bare, rows }: Names, measured: Rounds): BenchResult[] {
  const ratio = (a: Contender, b: Contender) =>
    median(measured[a].map((load, round) => load.perSecond / (measured[b][round]?.perSecond ?? Number.NaN)));
  const rate = (who: Contender) => median(measured[who].map((load) => load.perSecond));
  const p99 = (who: Contender) => `p99 ${median(measured[who].map((load) => load.p99Ms)).toFixed(1)} ms`;
  return [
    { name: `${work} ${ours} : ${bare}`, value: ratio('service', 'bare'), unit: 'x', target: { min: 0.6 } },
    {
      name: `${work} with 10,000 : 1,000,000 ${rows}`,
      value: ratio('service', 'large'),
      unit: 'x',
      target: { max: 1.2 },
    },
    { name: `${work} ${ours}`, value: rate('service'), unit: '/s', note: p99('service') },
    { name: `${work} ${ours}, 1,000,000 ${rows}`, value: rate('large'), unit: '/s', note: p99('large') },
    { name: `${work} ${bare}`, value: rate('bare'), unit: '/s', note: p99('bare') },
  ];
}
