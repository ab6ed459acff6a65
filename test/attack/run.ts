import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { report } from '../../bench/result.ts';
import { runNode } from '../run-node.ts';
import { overload } from './overload/overload.ts';

/**
 * The attacks: `overload`, whose figures want a machine that does nothing else, and the tests of this folder, which are
 * part of `npm test` as well. Arguments name those to run; exit code 1 when one has broken through.
 */
const runner = fileURLToPath(new URL('../run.ts', import.meta.url));
const files = globSync('test/attack/*.test.ts').sort();
const names = [...files.map((file) => file.replace(/^.*\/|\.test\.ts$/g, '')), 'overload'];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no attack "${unknown.join('", "')}". There are: ${names.join(', ')}.`);
  process.exit(2);
}
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
const tests = files.filter((_, at) => isWanted(names[at] ?? ''));
if (tests.length > 0) process.exitCode = await runNode([runner, ...tests]);
if (isWanted('overload')) {
  console.log('\noverload');
  if (!report(await overload())) process.exitCode = 1;
}
