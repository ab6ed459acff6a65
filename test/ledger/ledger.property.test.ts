import { describe, it } from 'node:test';
import fc from 'fast-check';
import { startTestApp } from '../harness.ts';
import { assertInvariants } from '../invariants.ts';
import { plans } from './moves.ts';
import { type Lane, play } from './sequence.ts';
import { LedgerReader } from './snapshot.ts';

/**
 * How much is played. For all of it, which takes some minutes on two cores:
 *
 *     LEDGER_SEQUENCES=300 LEDGER_STEPS=300 npm test -- test/ledger/ledger.property.test.ts
 *
 * LEDGER_SEED repeats a run, as it was printed; LEDGER_PATH beside it only the sequence that failed.
 */
const sequences = Number(process.env.LEDGER_SEQUENCES ?? 24);
const steps = Number(process.env.LEDGER_STEPS ?? 60);
const seed = Number(process.env.LEDGER_SEED ?? Date.now() % 2 ** 31);
const path = process.env.LEDGER_PATH;
/** Without it the run ends at the first failure: a planted bug is to be found, not to be explained. */
const shrinks = process.env.LEDGER_SHRINK !== '0';
let hasFailed = false;

const timeout = 3_600_000;
const [one, many] = await Promise.all([startLane(), startLane()]);

describe('the points ledger, against its model', { concurrency: true, timeout }, () => {
  it('gives the answers of the model, one call after the other', { timeout }, async (t) => {
    await check(one, 1, steps);
    t.diagnostic(`${one.calls} calls in ${sequences} sequences, seed ${seed}`);
  });

  it('gives answers that an order of the calls explains, several at once', { timeout }, async (t) => {
    // Five calls a step on average: as many calls as above, in fewer steps.
    await check(many, 8, Math.ceil(steps / 5));
    t.diagnostic(`${many.calls} calls in ${sequences} sequences, seed ${seed}`);
  });
});

async function startLane(): Promise<Lane> {
  const app = await startTestApp({ WORKERS: 'off' });
  return { app, reader: new LedgerReader(app.databaseUrl), calls: 0 };
}

async function check(lane: Lane, width: number, length: number): Promise<void> {
  const property = fc.asyncProperty(plans(length, width), async (plan) => {
    if (hasFailed && !shrinks) throw new Error('the other property has failed');
    try {
      await play(lane, plan);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  });
  await lane.reader.open();
  try {
    await fc.assert(property, {
      seed,
      numRuns: sequences,
      // Long sequences from the first one on.
      unbiased: true,
      endOnFailure: !shrinks,
      ...(path !== undefined && { path }),
    });
  } finally {
    // Its database cannot be dropped while anybody looks at it.
    await lane.reader.close();
  }
  await assertInvariants(lane.app.sql);
}
