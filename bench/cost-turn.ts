import { setTimeout as sleep } from 'node:timers/promises';
import { processorMs } from './processor-ms.ts';
import { type BenchResult, median } from './result.ts';
import type { Service } from './service.ts';
import { shopLoad } from './shop.ts';

/** What a call has cost in a turn: processor time in microseconds, with the background work that it has left. */
export interface CostTurn {
  readonly service: number;
  readonly database: number;
  readonly perSecond: number;
}

/**
 * A turn of 64 connections who send any of the requests, with a rest after it, in which what they leave to background work is done.
 * All must be answered with the status.
 */
export async function costTurn(
  service: Service,
  texts: readonly string[],
  restMs: number,
  status = 200,
): Promise<CostTurn> {
  const before = processorMs(service);
  const { statuses, perSecond } = await shopLoad(service, texts);
  await sleep(restMs);
  const after = processorMs(service);
  if (statuses.size !== 1) throw new Error(`calls were answered ${[...statuses.keys()]}`);
  return { ...microsEach(before, after, statuses.get(status) ?? Number.NaN), perSecond };
}

type Processor = ReturnType<typeof processorMs>;

/** The cost of a call between two readings, in microseconds. */
export function microsEach(before: Processor, after: Processor, calls: number): Processor {
  const each = (of: keyof Processor) => ((after[of] - before[of]) * 1_000) / calls;
  return { service: each('service'), database: each('database') };
}

/** How the costs of two that took turns stand to each other: the median of the rounds, and between what half of them lie. */
export function costRatio(
  turns: readonly CostTurn[],
  to: readonly CostTurn[],
): Pick<BenchResult, 'value' | 'note'> {
  const ratios = turns.map((turn, round) => bothMicros(turn) / bothMicros(to[round] ?? turn));
  const sorted = ratios.toSorted((a, b) => a - b);
  const at = (part: number) => (sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN).toFixed(2);
  return { value: median(ratios), note: `half of ${ratios.length} rounds: ${at(0.25)} to ${at(0.75)}` };
}

function bothMicros({ service, database }: CostTurn): number {
  return service + database;
}

/** What a call costs, by the medians of its turns. */
export function costFigure(name: string, turns: readonly CostTurn[]): BenchResult {
  const middle = (pick: (turn: CostTurn) => number) => median(turns.map(pick)).toFixed(0);
  const note = `service ${middle(({ service }) => service)} µs, PostgreSQL ${middle(({ database }) => database)} µs, ${middle(({ perSecond }) => perSecond)} a second`;
  return { name, value: median(turns.map(bothMicros)), unit: 'µs', note };
}
