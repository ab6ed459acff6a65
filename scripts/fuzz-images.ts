import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fuzzImages } from '../test/fuzz-images/fuzz-images.ts';
import { seedAndMinutes } from '../test/seed-and-minutes.ts';

/** Gives broken pictures to the decoder for some minutes. Exit code 1 when it did not survive one, or took too much memory. */
const { seed, minutes } = seedAndMinutes('1');
const MOST_BYTES = 300e6;

const folder = await mkdtemp(join(tmpdir(), 'punchcard-fuzz-'));
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
