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

/** What the rounds say of the contenders: the median of a figure, or of how two of them stand to each other. */
export function compare<Who extends string>(measured: Rounds<Who>) {
  const middle = (who: Who, pick: (load: Load) => number) => median(measured[who].map(pick));
  const p99 = (who: Who) => `${middle(who, p99Of).toFixed(1)} ms`;
  return {
    ratio(a: Who, b: Who, pick: (load: Load) => number = perSecondOf): number {
      return median(
        measured[a].map((load, round) => {
          const other = measured[b][round];
          return other === undefined ? Number.NaN : pick(load) / pick(other);
        }),
      );
    },
    p99,
    p99Ms: (who: Who) => middle(who, p99Of),
    rate: (name: string, who: Who): BenchResult => ({
      name,
      value: middle(who, perSecondOf),
      unit: '/s',
      note: `p99 ${p99(who)}`,
    }),
  };
}

function perSecondOf({ perSecond }: Load): number {
  return perSecond;
}

/** How long the slowest hundredth takes, in ms. */
export function p99Of({ p99Ms }: Load): number {
  return p99Ms;
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
  const { ratio, rate } = compare(measured);
  return [
    { name: `${work} ${ours} : ${bare}`, value: ratio('service', 'bare'), unit: 'x', target: { min: 0.6 } },
    {
      name: `${work} with 10,000 : 1,000,000 ${rows}`,
      value: ratio('service', 'large'),
      unit: 'x',
      target: { max: 1.2 },
    },
    rate(`${work} ${ours}`, 'service'),
    rate(`${work} ${ours}, 1,000,000 ${rows}`, 'large'),
    rate(`${work} ${bare}`, 'bare'),
  ];
}
