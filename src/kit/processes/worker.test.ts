import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWorker, type Job } from './worker.ts';

/** Records the rounds of jobs, which by default never have more to do. */
function startWorker(
  jobs: Readonly<Record<string, Partial<Job<null>>>>,
  options: Partial<Parameters<typeof createWorker<null, string>>[0]> = {},
) {
  const turns: string[] = [];
  const complaints: string[] = [];
  const worker = createWorker<null, string>({
    jobs: Object.entries(jobs).map(([name, { run, ...job }]) => ({
      name,
      lanes: 1,
      ...job,
      run: async (ctx) => {
        turns.push(name);
        return (await run?.(ctx)) ?? false;
      },
    })),
    ctxOf: () => null,
    log: { error: (fields: object) => complaints.push(String(Object(fields).job ?? 'look')) },
    look: async () => [],
    ...options,
  });
  return { worker, turns, complaints };
}

/** Waits for what will happen, however long it takes. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(1);
}

describe('a worker', () => {
  it('runs the jobs that are woken, and no other, and stops at once', async () => {
    const { worker, turns } = startWorker({ one: {}, other: {}, third: {} }, { lookMs: 60_000 });
    await sleep(50);
    assert.deepEqual(turns, []);
    worker.wake('one', 'third');
    await until(() => turns.length === 2);
    await sleep(50);
    assert.deepEqual(turns, ['one', 'third']);
    const begun = performance.now();
    await worker.stop();
    assert.ok(performance.now() - begun < 1_000);
  });

  it('has one lane take the turn that several have asked for, and another where that one is still at it', async () => {
    const gate = Promise.withResolvers<boolean>();
    const { worker, turns } = startWorker({ it: { lanes: 3, run: () => gate.promise } }, { lookMs: 60_000 });
    for (let times = 0; times < 5; times++) worker.wake('it');
    await until(() => turns.length === 1);
    await sleep(30);
    assert.equal(turns.length, 1);
    worker.wake('it');
    await until(() => turns.length === 2);
    gate.resolve(false);
    await worker.stop();
  });

  it('takes another turn where it was woken in the middle of one', async () => {
    const gate = Promise.withResolvers<boolean>();
    const { worker, turns } = startWorker({ it: { run: () => gate.promise } }, { lookMs: 60_000 });
    worker.wake('it');
    await until(() => turns.length === 1);
    worker.wake('it');
    gate.resolve(false);
    await until(() => turns.length === 2);
    await sleep(50);
    assert.equal(turns.length, 2);
    await worker.stop();
  });

  it('goes on while there may be more', async () => {
    let left = 5;
    const { worker, turns } = startWorker({ it: { run: async () => --left > 0 } }, { lookMs: 60_000 });
    worker.wake('it');
    await until(() => turns.length === 5);
    await sleep(50);
    assert.equal(turns.length, 5);
    await worker.stop();
  });

  it('does not begin as many turns as a busy service wakes it for', async () => {
    const { worker, turns } = startWorker({ it: {} }, { lookMs: 60_000 });
    const begun = performance.now();
    // Longer than half a second only for want of turns.
    while (performance.now() - begun < (turns.length > 3 ? 500 : 10_000)) {
      worker.wake('it');
      await new Promise(setImmediate);
    }
    await worker.stop();
    assert.ok(turns.length > 3 && turns.length < 100, `${turns.length} turns`);
  });

  it('has a job rest for as long as it says before it is woken again, and no other', async () => {
    const { worker, turns } = startWorker({ it: { restMs: 60_000 }, other: {} }, { lookMs: 60_000 });
    worker.wake('it');
    await until(() => turns.includes('it'));
    for (let turn = 1; turn <= 3; turn++) {
      worker.wake('it', 'other');
      await until(() => turns.filter((name) => name === 'other').length === turn);
    }
    await worker.stop();
    assert.deepEqual(turns, ['it', 'other', 'other', 'other']);
  });

  it('looks once for all of its jobs, and wakes those that have something to do', async () => {
    let looks = 0;
    const look = async () => (++looks === 3 ? ['other'] : []);
    const { worker, turns } = startWorker({ one: {}, other: { lanes: 2 } }, { look, lookMs: 5 });
    await until(() => looks >= 5);
    await worker.stop();
    assert.deepEqual(turns, ['other']);
  });

  it('looks again after it could not', async () => {
    let looks = 0;
    const look = async () => {
      looks += 1;
      if (looks < 3) throw new Error('made up');
      return ['it'];
    };
    const { worker, turns, complaints } = startWorker({ it: {} }, { look, lookMs: 5 });
    await until(() => turns.length > 0);
    await worker.stop();
    assert.deepEqual(complaints, ['look', 'look']);
  });

  it('has a job that fails rest longer and longer before it tries again, and holds up no other', async () => {
    const fail = async () => {
      throw new Error('made up');
    };
    const { worker, turns, complaints } = startWorker(
      { it: { run: fail }, other: {} },
      { look: async () => ['it', 'other'], lookMs: 5, firstRestMs: 300, mostRestMs: 60_000 },
    );
    await until(() => turns.filter((name) => name === 'it').length === 2);
    const between = turns.slice(turns.indexOf('it') + 1, turns.lastIndexOf('it'));
    assert.ok(between.length > 0, 'no turn of the other');
    await worker.stop();
    assert.deepEqual(new Set(complaints), new Set(['it']));
  });

  it('rests no longer than it may after failures', async () => {
    const fail = async () => {
      throw new Error('made up');
    };
    const { worker, complaints } = startWorker(
      { it: { run: fail } },
      { lookMs: 60_000, firstRestMs: 1, mostRestMs: 2 },
    );
    worker.wake('it');
    await until(() => complaints.length > 10);
    await worker.stop();
  });

  it('stops without a turn that does not end, and names its job', async () => {
    const { worker, turns } = startWorker({
      it: { lanes: 2, run: () => new Promise<boolean>(() => undefined) },
      other: {},
    });
    worker.wake('it', 'other');
    await until(() => turns.length === 2);
    assert.deepEqual(await worker.stop(50), ['it']);
  });

  it('leaves a job alone that goes by the clock', async () => {
    const { worker, turns } = startWorker({ it: { everyMs: 60_000 }, often: { everyMs: 20 } });
    worker.wake('it');
    await until(() => turns.length > 4);
    await worker.stop();
    assert.deepEqual(turns.filter((name) => name === 'it').length, 1);
  });
});
