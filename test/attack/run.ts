import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runNode } from '../run-node.ts';
import { repeat } from './repeat.ts';

/**
 * The attacks: `overload` and `stalled`, whose figures want a machine that does nothing else, and the tests of this folder,
 * most of which are part of `npm run test:deep` as well. Arguments name those to run; with `--minutes` the tests are repeated for so long, each time
 * with another seed, all of which follow from `--seed`. Exit code 1 when an attack has broken through.
 */
const runner = fileURLToPath(new URL('../run.ts', import.meta.url));
/** They share code with the benchmarks, which read the command line: a process of its own takes the name of one. */
const measure = fileURLToPath(new URL('overload/run.ts', import.meta.url));
const measured = ['overload', 'stalled'];
const { values, positionals: wanted } = parseArgs({
  options: { seed: { type: 'string' }, minutes: { type: 'string' } },
  allowPositionals: true,
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const minutes = values.minutes === undefined ? null : Number(values.minutes);
if (!Number.isSafeInteger(seed) || !(minutes === null || minutes > 0)) {
  console.error('Give --seed as a whole number and --minutes as a number above 0.');
  process.exit(2);
}
const files = globSync('test/attack/**/*.test.ts').sort();
/** That of the file, or of its folder. */
const nameOf = (file: string) => file.split('/')[2]?.replace(/(\.deep)?\.test\.ts$/, '') ?? '';
const names = [...new Set(files.map(nameOf)), ...measured];
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no attack "${unknown.join('", "')}". There are: ${names.join(', ')}.`);
  process.exit(2);
}
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
const tests = files.filter((file) => isWanted(nameOf(file)));
const run = (seed: number) => runNode([runner, ...tests], { ATTACK_SEED: String(seed) });
if (tests.length > 0) process.exitCode = await (minutes === null ? runOnce() : repeat(seed, minutes, run));
for (const name of minutes === null ? measured.filter(isWanted) : []) {
  console.log(`\n${name}`);
  process.exitCode ||= await runNode([measure, name]);
}

function runOnce(): Promise<number> {
  console.log(`seed ${seed}; again with --seed ${seed}`);
  return run(seed);
}
