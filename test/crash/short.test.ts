import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { clusterUrl } from '../citus/nodes.ts';
import type { ViolationKind } from './history.ts';
import { runCrashSuite } from './suite.ts';
import { summaryOf, violationsOf } from './summary.ts';

/** Repeats a run, as far as the moments of several processes can be repeated. */
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 2 ** 31);

describe('an installation under fire: processes killed and suspended, the database stopped and without space, connections cut, clocks moved', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'punchcard-crash-'));
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const outcome = await runCrashSuite({
    seed,
    folder,
    apple: process.env.PUNCHCARD_TEST_APPLE ?? '',
    apis: 2,
    workers: 2,
    clients: 16,
    lanes: 2,
    // A node takes longer to come back than a process does.
    oneIn: clusterUrl === undefined ? 1 : 6,
    leastCalls: 1_500,
    say: () => undefined,
  });
  console.log(`seed ${seed}: CRASH_SEED=${seed} repeats it\n${summaryOf(outcome)}\n${violationsOf(outcome)}`);
  const found = (kind: ViolationKind) =>
    outcome.violations.filter((violation) => violation.kind === kind).map(({ what }) => what);
  const promises: readonly (readonly [ViolationKind, string])[] = [
    ['doubled', 'no effect is there twice, and no code on two cards'],
    ['lost', 'all that was acknowledged is there, as it was acknowledged'],
    ['unasked', 'nothing is there that was refused, or that no client has an answer for'],
    ['replay', 'each repeat has the answer of the first call, byte for byte'],
    ['answer', 'each failure says whether it may be retried'],
    ['stuck', 'nothing is stuck once the faults are over'],
    ['died', 'no process ends by itself'],
    ['books', 'balances, lots, pools, counts and credits agree'],
  ];
  for (const [kind, promise] of promises) it(promise, () => assert.deepEqual(found(kind), []));

  it('each fault has happened, and clients had every kind of answer', () => {
    for (const [name, times] of Object.entries(outcome.faults))
      assert.ok(times > 0 || name in outcome.impossible, `never: ${name}`);
    const { acknowledged, refused, resolved, replays, pushes } = outcome;
    for (const [what, count] of Object.entries({ acknowledged, refused, resolved, replays, pushes }))
      assert.ok(count > 0, `none was ${what}`);
  });
});
