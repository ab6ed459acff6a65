import assert from 'node:assert/strict';
import { rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratch } from './harness.fixture.ts';
import { readPostmasterFile } from './postmaster.ts';

test('what a server says is never taken with the time of another one, whose file comes in its place', async (t) => {
  const cluster = await scratch(t);
  const files = [
    { status: 'ready', writtenMs: 1_000_000 },
    { status: 'starting', writtenMs: 2_000_000 },
  ];
  let isOver = false;
  const replacing = (async () => {
    for (let round = 0; !isOver; round++) {
      const { status, writtenMs } = files[round % 2] ?? assert.fail();
      const draft = join(cluster, 'draft');
      await writeFile(draft, `21\n${cluster}\n0\n5432\n${cluster}\n\n\n${status}\n`);
      await utimes(draft, writtenMs / 1_000, writtenMs / 1_000);
      await rename(draft, join(cluster, 'postmaster.pid'));
    }
  })();
  const seen = new Set<string>();
  for (let read = 0; read < 2_000 || seen.size < 2; read++) {
    const named = await readPostmasterFile(cluster);
    if (named) seen.add(`${named.status} at ${named.writtenMs}`);
  }
  isOver = true;
  await replacing;
  assert.deepEqual([...seen].sort(), ['ready at 1000000', 'starting at 2000000']);
});
