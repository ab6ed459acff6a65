import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { assertEventLog } from '../event-log-checks.ts';
import { tally } from '../factories.ts';
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
 * LEDGER_SEED repeats a run, as it was printed; with LEDGER_PATH and LEDGER_WIDTHS only the sequence that failed.
 */
const sequences = Number(process.env.LEDGER_SEQUENCES ?? 24);
const steps = Number(process.env.LEDGER_STEPS ?? 60);
const seed = Number(process.env.LEDGER_SEED ?? Date.now() % 2 ** 31);
const path = process.env.LEDGER_PATH;
/** How long a shorter sequence that fails is looked for. A planted bug is to be found, not to be explained. */
const shrinkMs = Number(process.env.LEDGER_SHRINK_MS ?? 60_000);
let hasFailed = false;

/** How many calls are made at once, at most: each width has services and a clock of its own. */
const widths = (process.env.LEDGER_WIDTHS ?? '1,8').split(',').map(Number);
const timeout = 3_600_000;
const lanes = await Promise.all(widths.map(startLane));

describe('the points ledger, against its model', { concurrency: true, timeout }, () => {
  for (const [place, width] of widths.entries()) {
    const title =
      width === 1
        ? 'gives the answers of the model, one call after the other'
        : `gives answers that an order of the calls explains, up to ${width} at once`;
    it(title, { timeout }, async (t) => {
      const lane = lanes[place];
      assert.ok(lane);
      // Several calls a step: about as many as one after the other, in fewer steps.
      await check(lane, width, Math.ceil((2 * steps) / (width + 1)));
      t.diagnostic(`${lane.outcomes.length} calls in ${sequences} sequences, seed ${seed}`);
      t.diagnostic(JSON.stringify(tally(lane.outcomes.sort())));
    });
  }
});

async function startLane(width: number): Promise<Lane> {
  const app = await startTestApp({ WORKERS: 'off' });
  const twin = width === 1 ? null : await app.twin();
  return { app, twin, reader: new LedgerReader(app.databaseUrl), outcomes: [] };
}

async function check(lane: Lane, width: number, length: number): Promise<void> {
  let shrinksUntil = Number.POSITIVE_INFINITY;
  const property = fc.asyncProperty(plans(length, width), async (plan) => {
    if (hasFailed && shrinkMs === 0) throw new Error('a property has failed');
    // It has stopped finding anything shorter.
    if (performance.now() > shrinksUntil) return;
    try {
      await play(lane, plan);
    } catch (error) {
      hasFailed = true;
      shrinksUntil = Math.min(shrinksUntil, performance.now() + shrinkMs);
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
      endOnFailure: shrinkMs === 0,
      ...(path !== undefined && { path }),
    });
  } finally {
    // Its database cannot be dropped while a client is connected to it.
    await lane.reader.close();
  }
  await assertInvariants(lane.app.sql);
  await assertEventLog(lane.app.sql);
}
