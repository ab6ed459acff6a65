import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fuzzImages } from '../test/fuzz-images/fuzz-images.ts';

/** Gives broken pictures to the decoder for some minutes. Exit code 1 when it did not survive one, or took too much memory. */
const { values } = parseArgs({
  options: { seed: { type: 'string' }, minutes: { type: 'string', default: '1' } },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
const minutes = Number(values.minutes);
if (!Number.isSafeInteger(seed) || !(minutes > 0)) {
  console.error('Give --seed as a whole number and --minutes as a number above 0.');
  process.exit(2);
}
const MOST_BYTES = 300e6;

const folder = await mkdtemp(join(tmpdir(), 'punchcard-fuzz-'));
console.log(`seed ${seed}, ${minutes} minutes; again with --seed ${seed}`);
const { runs, outcomes, findings, peakBytes, slowestMs } = await fuzzImages({
  seed,
  forMs: minutes * 60_000,
  folder,
});
console.log(`${runs} runs, the slowest ${Math.round(slowestMs)} ms`);
for (const [what, times] of [...outcomes].sort(([, a], [, b]) => b - a))
  console.log(`${what.padEnd(16)} ${times}`);
console.log(`peak memory of the decoder ${Math.round(peakBytes / 1e6)} MB, ${MOST_BYTES / 1e6} allowed`);
for (const finding of findings) console.error(finding);
if (findings.length === 0) await rmdir(folder);
process.exitCode = findings.length === 0 && peakBytes <= MOST_BYTES ? 0 : 1;
