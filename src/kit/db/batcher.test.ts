import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createBatcher, type Part } from './batcher.ts';

class Refused extends Error {}

/** By default, no item here waits too long. */
const patient = { maxQueueMs: 60_000, slowMs: 60_000, refusal: () => new Error('too late') };

/** A batcher that doubles numbers, records its runs, and refuses -1 (the fault of one item) and -2 (the fault of none). */
function doubling({ largest = 100, width = 1 } = {}) {
  const runs: number[][] = [];
  const batcher = createBatcher<number, number>({
    ...patient,
    largest,
    width,
    minItemsForSecondRun: 1,
    async run(_lane, items) {
      runs.push([...items]);
      await new Promise((resolve) => setImmediate(resolve));
      if (items.includes(-1)) throw new Refused('a bad item');
      if (items.includes(-2)) throw new Error('the database is gone');
      return items.map((item) => item * 2);
    },
    mayBeOneItem: (error) => error instanceof Refused,
    isStall: () => false,
  });
  return { runs, submit: batcher.submit };
}

describe('a batcher', () => {
  it('merges the calls of one turn into one run, and answers each its own result', async () => {
    const { runs, submit } = doubling();
    assert.deepEqual(await Promise.all([1, 2, 3].map((item) => submit('lane', item))), [2, 4, 6]);
    assert.deepEqual(runs, [[1, 2, 3]]);
  });

  it('merges what arrives during a run into the next one', async () => {
    const { runs, submit } = doubling();
    const first = submit('lane', 1);
    await Promise.resolve();
    const others = [2, 3, 4].map((item) => submit('lane', item));
    await Promise.all([first, ...others]);
    assert.deepEqual(runs, [[1], [2, 3, 4]]);
  });

  it('takes no more than the largest number of items into one run', async () => {
    const { runs, submit } = doubling({ largest: 2 });
    const results = await Promise.all([1, 2, 3, 4, 5].map((item) => submit('lane', item)));
    assert.deepEqual(results, [2, 4, 6, 8, 10]);
    assert.deepEqual(runs, [[1, 2], [3, 4], [5]]);
  });

  it('starts up to `width` runs of a lane at a time, and as many in every other lane', async () => {
    const inside: Record<string, number> = {};
    const most: Record<string, number> = {};
    const batcher = createBatcher<number, string>({
      ...patient,
      largest: 1,
      width: 2,
      minItemsForSecondRun: 1,
      async run(lane, items) {
        inside[lane] = (inside[lane] ?? 0) + 1;
        most[lane] = Math.max(most[lane] ?? 0, inside[lane]);
        await new Promise((resolve) => setImmediate(resolve));
        inside[lane]--;
        return items.map((item) => `${lane}${item}`);
      },
      mayBeOneItem: () => true,
      isStall: () => false,
    });
    const calls = ['a', 'a', 'a', 'b', 'b', 'b'].map((lane, at) => batcher.submit(lane, at));
    assert.deepEqual(await Promise.all(calls), ['a0', 'a1', 'a2', 'b3', 'b4', 'b5']);
    assert.deepEqual(most, { a: 2, b: 2 });
  });

  it('starts a second run next to the first only for items enough', async () => {
    const runs: number[][] = [];
    const batcher = createBatcher<number, number>({
      ...patient,
      largest: 100,
      width: 2,
      minItemsForSecondRun: 3,
      async run(_lane, items) {
        runs.push([...items]);
        await new Promise((resolve) => setImmediate(resolve));
        return items;
      },
      mayBeOneItem: () => false,
      isStall: () => false,
    });
    const submit = (item: number) => batcher.submit('lane', item);
    const first = submit(1);
    await Promise.resolve();
    const few = [submit(2), submit(3)];
    await Promise.resolve();
    assert.deepEqual(runs, [[1]]);
    const enough = submit(4);
    await Promise.resolve();
    assert.deepEqual(runs, [[1], [2, 3, 4]]);
    await Promise.all([first, ...few, enough, submit(5)]);
    assert.deepEqual(runs, [[1], [2, 3, 4], [5]]);
  });

  it('refuses one bad item alone; its neighbours get their results', async () => {
    const { runs, submit } = doubling();
    const settled = await Promise.allSettled([1, -1, 3].map((item) => submit('lane', item)));
    assert.deepEqual(
      settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message)),
      [2, 'a bad item', 6],
    );
    assert.deepEqual(runs, [[1, -1, 3], [1], [-1], [3]]);
  });

  it('gives an error that is the fault of no item to all of them, without a second try', async () => {
    const { runs, submit } = doubling();
    const settled = await Promise.allSettled([1, -2].map((item) => submit('lane', item)));
    assert.deepEqual(
      settled.map((one) => one.status === 'rejected' && one.reason.message),
      ['the database is gone', 'the database is gone'],
    );
    assert.equal(runs.length, 1);
  });

  it('does not let every item wait for what stalls one', async () => {
    const runs: number[][] = [];
    const batcher = createBatcher<number, number>({
      ...patient,
      largest: 100,
      width: 1,
      minItemsForSecondRun: 1,
      async run(_lane, items) {
        runs.push([...items]);
        await new Promise((resolve) => setImmediate(resolve));
        if (items.some((item) => item < 0)) throw new Refused('held');
        return [...items];
      },
      mayBeOneItem: () => true,
      isStall: () => true,
    });
    const held = Array.from({ length: 30 }, (_, at) => (at === 0 ? 1 : -at));
    const settled = await Promise.allSettled(held.map((item) => batcher.submit('lane', item)));
    assert.equal(settled[0]?.status, 'fulfilled', 'the item of the other run is served');
    assert.equal(settled.filter((one) => one.status === 'rejected').length, 29);
    assert.ok(runs.length < 8, `${runs.length} runs for 30 items`);
  });

  it('goes on after a failed run', async () => {
    const { submit } = doubling();
    const failed = submit('lane', -2);
    await assert.rejects(failed, /gone/);
    assert.equal(await submit('lane', 5), 10);
  });

  /** Whose run of 1 stays until it is released. */
  function stuck(options: { width: number; maxQueueMs: number }) {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const runs: number[][] = [];
    const batcher = createBatcher<number, number>({
      ...options,
      largest: 100,
      minItemsForSecondRun: 100,
      slowMs: 10,
      refusal: () => new Refused('too late'),
      async run(_lane, items) {
        runs.push([...items]);
        if (items.includes(1)) await held;
        return items;
      },
      mayBeOneItem: () => false,
      isStall: () => false,
    });
    return { runs, release, submit: (item: number) => batcher.submit('lane', item) };
  }

  it('lets no item wait for a run that is stuck, as long as there may be another', async () => {
    const { runs, release, submit } = stuck({ width: 2, maxQueueMs: 60_000 });
    const first = submit(1);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(await Promise.all([submit(2), submit(3)]), [2, 3]);
    assert.equal(await submit(4), 4);
    assert.deepEqual(runs, [[1], [2, 3], [4]]);
    release();
    assert.equal(await first, 1);
  });

  it('refuses what has waited too long for its turn, and goes on with the rest', {
    timeout: 20_000,
  }, async () => {
    const { release, submit } = stuck({ width: 1, maxQueueMs: 20 });
    const first = submit(1);
    await new Promise((resolve) => setImmediate(resolve));
    await assert.rejects(submit(2), /too late/);
    release();
    assert.equal(await first, 1);
    assert.equal(await submit(3), 3);
  });
});

describe('a run that lanes share', () => {
  /** Lanes are named by their owner and a number. Items below zero are refused; -2 is stuck before that, in a run of its own. */
  function sharing({ lanes = 16, width = 1, slowMs = 60_000 } = {}) {
    const runs: string[][] = [];
    const { promise: stuck, resolve: release } = Promise.withResolvers<void>();
    const work = async (parts: readonly Part<number>[], failed: (lane: string) => void = () => undefined) => {
      runs.push(parts.map(({ lane, items }) => `${lane}:${items.join()}`));
      await nextTurn();
      const items = parts.flatMap((part) => part.items);
      if (items.includes(-2) && parts.length === 1) await stuck;
      for (const { lane, items } of parts) if (items.includes(-1)) failed(lane);
      if (items.some((item) => item < 0)) throw new Refused('refused');
      return parts.map((part) => part.items.map((item) => item * 2));
    };
    const batcher = createBatcher<number, number>({
      ...patient,
      slowMs,
      largest: 100,
      width: 2,
      minItemsForSecondRun: 24,
      run: async (lane, items) => (await work([{ lane, items }]))[0] ?? [],
      shared: { lanes, width, ownerOf: (lane) => lane.slice(0, 1), run: work },
      mayBeOneItem: (error) => error instanceof Refused,
      isStall: () => true,
    });
    return { runs, release, submit: batcher.submit };
  }

  it('has the items of each, and each gets its own results', async () => {
    const { runs, submit } = sharing();
    const calls = ['b1', 'a1', 'b1', 'c1'].map((lane, at) => submit(lane, at));
    assert.deepEqual(await Promise.all(calls), [0, 2, 4, 6]);
    assert.deepEqual(runs, [['a1:1', 'b1:0,2', 'c1:3']]);
  });

  it('has no two lanes of one owner, and no more lanes than it may', async () => {
    const { runs, submit } = sharing({ lanes: 2 });
    await Promise.all(['a1', 'a2', 'b1', 'c1'].map((lane, at) => submit(lane, at)));
    assert.deepEqual(runs, [
      ['a1:0', 'b1:2'],
      ['a2:1', 'c1:3'],
    ]);
  });

  it('is none of a lane that has items enough for a run of its own', async () => {
    const { runs, submit } = sharing({ width: 2 });
    const many = Array.from({ length: 30 }, () => submit('a1', 1));
    await Promise.all([...many, submit('b1', 1), submit('c1', 1)]);
    const items = (text: string) => text.split(',').length;
    assert.deepEqual(
      runs.map((run) => run.map(items)),
      [[30], [1, 1]],
    );
  });

  it('is given up for one each where it fails by one of them: only that is refused', async () => {
    const { runs, submit } = sharing();
    const settled = await Promise.allSettled([submit('a1', 1), submit('b1', -1), submit('c1', 3)]);
    assert.deepEqual(
      settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message)),
      [2, 'refused', 6],
    );
    assert.deepEqual(runs, [['a1:1', 'b1:-1', 'c1:3'], ['a1:1'], ['b1:-1'], ['c1:3']]);
  });

  it('is none of a lane by which one has failed a moment ago', async () => {
    const { runs, submit } = sharing();
    const settled = await Promise.allSettled([submit('a1', -1), submit('b1', 1)]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
    runs.length = 0;
    await Promise.all(['b1', 'a1', 'c1'].map((lane) => submit(lane, 1)));
    assert.deepEqual(runs.toSorted(), [['a1:1'], ['b1:1', 'c1:1']]);
  });

  it('that is stuck keeps no others from running', async () => {
    const { runs, release, submit } = sharing({ slowMs: 1 });
    const stuck = Promise.allSettled([submit('a1', -2)]);
    await nextTurn();
    assert.deepEqual(await Promise.all([submit('b1', 1), submit('c1', 2)]), [2, 4]);
    release();
    await stuck;
    assert.equal(runs.length, 2);
  });

  it('that has failed holds up none but the lane that is stuck', async () => {
    const { release, submit } = sharing({ slowMs: 1 });
    const stuck = Promise.allSettled([submit('a1', -2)]);
    assert.equal(await submit('b1', 1), 2);
    for (let turn = 0; turn < 3; turn++) assert.equal(await submit('b1', turn), turn * 2);
    release();
    await stuck;
  });

  it('is none of a lane that was stuck a moment ago', async () => {
    const { runs, release, submit } = sharing({ slowMs: 1 });
    const settled = Promise.allSettled([submit('a1', -2), submit('b1', 1)]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    release();
    await settled;
    runs.length = 0;
    await Promise.all(['b1', 'a1', 'c1'].map((lane) => submit(lane, 1)));
    const withIt = runs.filter((run) => run.some((part) => part.startsWith('a1')));
    assert.deepEqual(withIt, [['a1:1']]);
  });
});
