import { parseArgs } from 'node:util';

/**
 * Reads the options of a random run: `--seed`, a whole number, one at random without it; `--minutes`.
 * Exits with 2 and a word on what to give when it gets anything else; prints how to run the same again.
 */
export function seedAndMinutes(usually: string): { seed: number; minutes: number } {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, minutes: { type: 'string', default: usually } },
  });
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
  const minutes = Number(values.minutes);
  if (!Number.isSafeInteger(seed) || !(minutes > 0)) {
    console.error('Give --seed as a whole number and --minutes as a number above 0.');
    process.exit(2);
  }
  console.log(`seed ${seed}, ${minutes} minutes; again with --seed ${seed}`);
  return { seed, minutes };
}
