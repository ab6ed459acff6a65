import assert from 'node:assert/strict';
import type { Load } from './load-plan.ts';
import { options } from './options.ts';
import { type BenchResult, median } from './result.ts';

/** The service with 10,000 rows, the same with 1,000,000, and the least that could do the work of the first. */
export type Contender = 'service' | 'large' | 'bare';
/** What each contender has measured, by round. */
export type Rounds<Who extends string = Contender> = Readonly<Record<Who, readonly Load[]>>;

/** How long a contender's turn takes. */
export const roundMs = options.seconds * 1_000;
export const connections = 32;

/**
 * Lets the contenders take turns, so that a machine that slows down slows each; the first round is not counted. A rate is
 * that of the answers with this status.
 */
export async function takeTurns<Who extends string>(
  status: number,
  run: Readonly<Record<Who, () => Promise<Load>>>,
): Promise<Rounds<Who>> {
  const contenders = Object.keys(run) as Who[];
  const measured = Object.fromEntries(contenders.map((who) => [who, [] as Load[]])) as Record<Who, Load[]>;
  for (const contender of contenders) await run[contender]();
  for (let round = 0; round < options.rounds; round++) {
    for (const contender of contenders) {
      const load = await run[contender]();
      measured[contender].push(successes(load, status, contender));
    }
  }
  return measured;
}

/** What succeeded of a load. An overloaded service refuses the rest; any other answer is a bug. */
function successes(load: Load, status: number, contender: string): Load {
  const { statuses, perSecond } = load;
  // Bare clients have none, and end with the first error.
  if (statuses.size === 0) return load;
  for (const answered of statuses.keys())
    assert.ok([status, 503].includes(answered), `${contender}: ${answered}`);
  const total = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  return { ...load, perSecond: (perSecond * (statuses.get(status) ?? 0)) / total };
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
    /** How much of all the work the service has refused. */
    refused: (): BenchResult => {
      const counts = (Object.values(measured) as Load[][]).flat().flatMap(({ statuses }) => [...statuses]);
      const sum = (some: typeof counts) => some.reduce((total, [, count]) => total + count, 0);
      const share = (100 * sum(counts.filter(([status]) => status === 503))) / sum(counts);
      return { name: 'refused as overloaded', value: share, unit: '%', target: { max: 0 } };
    },
    p99,
    p99Ms: (who: Who) => middle(who, p99Of),
    rate: (name: string, who: Who): BenchResult => ({
      name,
      value: middle(who, perSecondOf),
      unit: '/s',
      note: `p99 ${p99(who)}${ownCost(middle(who, ({ ownMicros }) => ownMicros))}`,
    }),
  };
}

/** What the load itself costs shares the processors with what it measures. */
function ownCost(micros: number): string {
  return Number.isNaN(micros) ? '' : `; the client takes ${micros.toFixed(0)} µs a call`;
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
export function figures({ work, ours, bare, rows }: Names, measured: Rounds, atLeast = 0.6): BenchResult[] {
  const { ratio, rate } = compare(measured);
  return [
    {
      name: `${work} ${ours} : ${bare}`,
      value: ratio('service', 'bare'),
      unit: 'x',
      target: { min: atLeast },
    },
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
