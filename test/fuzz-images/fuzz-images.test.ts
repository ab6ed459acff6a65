import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { fuzzImages } from './fuzz-images.ts';

/** `npm run fuzz` runs for as long as it is asked to. */
it('survives five hundred broken pictures', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'punchcard-fuzz-'));
  const seed = Math.floor(Math.random() * 1e6);
  const report = await fuzzImages({ seed, runs: 500, forMs: 60_000, folder });
  t.diagnostic(`seed ${seed}, ${[...report.outcomes].map((outcome) => outcome.join(' ')).join(', ')}`);
  assert.deepEqual(report.findings, [], `npm run fuzz -- --seed ${seed}`);
  assert.ok(report.peakBytes < 300e6, `${report.peakBytes} bytes, seed ${seed}`);
  // Its seeds alone make both; without, it would test the sniffer only.
  assert.ok((report.outcomes.get('taken') ?? 0) > 50);
  assert.ok((report.outcomes.get('not_an_image') ?? 0) > 50);
  await rm(folder, { recursive: true });
});
