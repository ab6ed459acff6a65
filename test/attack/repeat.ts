import { randomOf } from '../ledger/random.ts';

/**
 * Runs for this many minutes, the last run to its end, each time with a seed of its own; all of them follow from the first.
 * Answers the exit code, 1 when a run has failed, and prints the seeds of those.
 */
export async function repeat(
  first: number,
  minutes: number,
  run: (seed: number) => Promise<number>,
): Promise<number> {
  const random = randomOf(first);
  const end = performance.now() + minutes * 60_000;
  const failed: number[] = [];
  let runs = 0;
  for (let seed = first; performance.now() < end; seed = Math.floor(random() * 2 ** 31)) {
    console.log(`\nrun ${++runs}, seed ${seed}; again with --seed ${seed}`);
    if ((await run(seed)) !== 0) failed.push(seed);
  }
  const verdict =
    failed.length === 0 ? 'none has failed' : `those with the seeds ${failed.join(', ')} have failed`;
  console.log(`\n${runs} runs in ${minutes} minutes from seed ${first}: ${verdict}`);
  return failed.length === 0 ? 0 : 1;
}
