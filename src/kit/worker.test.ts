import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWorker, type Job } from './worker.ts';

/** A worker of one job that never has anything to do, and how many turns it took. */
function idleWorker(job: Partial<Job<null>>) {
  let turns = 0;
  const run = async () => {
    turns += 1;
    return false;
  };
  const jobs = [{ name: 'idle', restMs: 60_000, lanes: 1, run, ...job }];
  const log = { error: (fields: object) => assert.fail(JSON.stringify(fields)) };
  const worker = createWorker({ jobs, ctxOf: () => null, log });
  return { worker, turns: () => turns };
}

describe('a worker', () => {
  it('is there at once when it is woken, and stops at once', async () => {
    const { worker, turns } = idleWorker({});
    await sleep(100);
    assert.equal(turns(), 1);
    const begun = performance.now();
    worker.wake();
    while (turns() === 1) await sleep(1);
    await worker.stop();
    assert.ok(performance.now() - begun < 1_000);
  });

  it('does not look as often as a busy service wakes it', async () => {
    const { worker, turns } = idleWorker({});
    const begun = performance.now();
    // Longer than half a second only for want of turns.
    while (performance.now() - begun < (turns() > 3 ? 500 : 10_000)) {
      worker.wake();
      await new Promise(setImmediate);
    }
    await worker.stop();
    assert.ok(turns() > 3 && turns() < 100, `${turns()} turns`);
  });

  const failing: [what: string, rests: { restMs: number; mostRestMs: number }, turns: string[]][] = [
    ['once before it is tried again', { restMs: 200, mostRestMs: 60_000 }, ['it', 'other', 'it', 'other']],
    ['no shorter than without a failure', { restMs: 60_000, mostRestMs: 20 }, ['it', 'other', 'other']],
  ];
  for (const [what, { restMs, mostRestMs }, expected] of failing) {
    it(`has a job that fails rest ${what}`, async () => {
      const turns: string[] = [];
      const run = (name: string) => async () => {
        turns.push(name);
        if (name === 'it') throw new Error('made up');
        return false;
      };
      const jobs = [
        { name: 'it', restMs, lanes: 1, run: run('it') },
        { name: 'other', restMs: 300, lanes: 1, isTimed: true, run: run('other') },
      ];
      const worker = createWorker({ jobs, ctxOf: () => null, log: { error() {} }, mostRestMs });
      while (turns.filter((name) => name === 'other').length < 2) await sleep(1);
      const seen = [...turns];
      await worker.stop();
      assert.deepEqual(seen, expected);
    });
  }

  it('leaves a job alone that goes by the clock', async () => {
    const { worker, turns } = idleWorker({ isTimed: true });
    await sleep(50);
    worker.wake();
    await sleep(100);
    await worker.stop();
    assert.equal(turns(), 1);
  });
});
