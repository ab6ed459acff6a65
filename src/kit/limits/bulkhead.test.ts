import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { type Bulkhead, createBulkhead, createGate } from './bulkhead.ts';

const late = new Error('too late');

function open(perKey: number, total: number, maxQueueMs = 60_000, waiting = 100): Bulkhead {
  return createBulkhead({
    places: { perKey, total },
    waiting: { perKey: waiting, total: 2 * waiting },
    maxQueueMs,
    refusal: () => late,
  });
}

/** Work that runs until the test ends it, and a record of when each piece began. */
class Work {
  readonly begun: string[] = [];
  readonly ends = new Map<string, () => void>();

  on(bulkhead: Bulkhead, key: string | string[], name: string, signal?: AbortSignal): Promise<string> {
    const work = async () => {
      this.begun.push(name);
      await new Promise<void>((resolve) => this.ends.set(name, resolve));
      return name;
    };
    return bulkhead.enter(key, work, signal);
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await nextTurn();
  }
}

describe('createBulkhead', () => {
  it('runs so much of a key and so much in all, and keeps the order within a key', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 3 })), { maxLength: 40 }),
        async (perKey, total, calls) => {
          const bulkhead = open(perKey, total);
          const running = new Map<string, number>();
          const order: string[] = [];
          await Promise.all(
            calls.map(([key, turns], index) =>
              bulkhead.enter(key, async () => {
                order.push(`${key}${index}`);
                running.set(key, (running.get(key) ?? 0) + 1);
                const all = [...running.values()].reduce((sum, count) => sum + count, 0);
                assert.ok((running.get(key) ?? 0) <= perKey && all <= total);
                for (let turn = 0; turn < turns; turn++) await nextTurn();
                running.set(key, (running.get(key) ?? 0) - 1);
              }),
            ),
          );
          assert.equal(order.length, calls.length);
          for (const key of ['a', 'b', 'c']) {
            const came = calls.flatMap(([of], index) => (of === key ? [`${key}${index}`] : []));
            assert.deepEqual(
              order.filter((name) => name.startsWith(key)),
              came,
            );
          }
        },
      ),
    );
  });

  it('lets others pass a key that is full', async () => {
    const work = new Work();
    const bulkhead = open(2, 4);
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((name) => work.on(bulkhead, name.charAt(0), name));
    await nextTurn();
    assert.deepEqual(work.begun, ['a1', 'a2', 'b1', 'b2']);
    await work.end('a2');
    assert.deepEqual(work.begun.slice(4), ['a3']);
    for (const name of ['a1', 'a3', 'b1', 'b2', 'a4']) await work.end(name);
    assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']);
  });

  it('gives a free permit to the key with the fewest, so that a crowd does not hold up a single one', async () => {
    const work = new Work();
    const bulkhead = open(4, 4);
    const all = ['a1', 'a2', 'b1', 'b2', 'a3', 'b3', 'a4', 'c1'].map((name) =>
      work.on(bulkhead, name.charAt(0), name),
    );
    await nextTurn();
    await work.end('b1');
    assert.deepEqual(work.begun.slice(4), ['c1']);
    await work.end('a1');
    assert.deepEqual(work.begun.slice(5), ['a3']);
    for (const name of ['a2', 'b2', 'a3', 'b3', 'a4', 'c1']) await work.end(name);
    await Promise.all(all);
  });

  it('needs room of every key of a call, and lets others pass one that waits for a key', async () => {
    const work = new Work();
    const bulkhead = open(2, 8);
    const all = [
      work.on(bulkhead, ['a', 'x'], 'ax1'),
      work.on(bulkhead, ['b', 'x'], 'bx2'),
      work.on(bulkhead, ['c', 'x'], 'cx3'),
      work.on(bulkhead, ['c', 'y'], 'cy4'),
      work.on(bulkhead, 'c', 'c5'),
      work.on(bulkhead, 'c', 'c6'),
    ];
    await nextTurn();
    assert.deepEqual(work.begun, ['ax1', 'bx2', 'cy4', 'c5']);
    await work.end('ax1');
    assert.deepEqual(work.begun.slice(4), []);
    await work.end('cy4');
    assert.deepEqual(work.begun.slice(4), ['cx3']);
    for (const name of ['c5', 'bx2', 'cx3', 'c6']) await work.end(name);
    await Promise.all(all);
  });

  it('frees the place of work that fails, at once or later', async () => {
    const bulkhead = open(1, 1);
    const thrower = () => {
      throw new Error('at once');
    };
    await assert.rejects(bulkhead.enter('a', thrower), /at once/);
    await assert.rejects(
      bulkhead.enter('a', () => Promise.reject(new Error('later'))),
      /later/,
    );
    assert.equal(await bulkhead.enter('a', async () => 'through'), 'through');
  });

  it('lets no caller wait for longer than it may, and then the next still gets its turn', async () => {
    const work = new Work();
    const bulkhead = open(1, 1, 200);
    const first = work.on(bulkhead, 'a', 'a1');
    const began = performance.now();
    await assert.rejects(work.on(bulkhead, 'b', 'b1'), late);
    assert.ok(performance.now() - began > 190);
    const next = work.on(bulkhead, 'b', 'b2');
    await sleep(20);
    await work.end('a1');
    await work.end('b2');
    assert.deepEqual(await Promise.all([first, next]), ['a1', 'b2']);
    assert.deepEqual(work.begun, ['a1', 'b2']);
  });

  it('lets no more wait than it may, of a key and in all', async () => {
    const work = new Work();
    const bulkhead = open(1, 2, 60_000, 2);
    const enter = (...names: string[]) => names.map((name) => work.on(bulkhead, name.charAt(0), name));
    const accepted = enter('a1', 'a2', 'a3', 'b1', 'b2', 'b3');
    await assert.rejects(work.on(bulkhead, 'a', 'a4'), late);
    await assert.rejects(work.on(bulkhead, 'c', 'c1'), late);
    await work.end('a1');
    accepted.push(...enter('a5'));
    for (const name of ['a2', 'a3', 'a5', 'b1', 'b2', 'b3']) await work.end(name);
    await Promise.all(accepted);
    assert.deepEqual(work.begun, ['a1', 'b1', 'a2', 'a3', 'a5', 'b2', 'b3']);
    assert.equal(await bulkhead.enter('c', async () => 'through'), 'through');
  });

  it('drops a waiting caller that leaves', async () => {
    const work = new Work();
    const bulkhead = open(1, 1);
    const gone = new Error('gone');
    const first = work.on(bulkhead, 'a', 'a1');
    const leaving = new AbortController();
    const second = work.on(bulkhead, 'a', 'a2', leaving.signal);
    const third = work.on(bulkhead, 'a', 'a3');
    leaving.abort(gone);
    await assert.rejects(second, gone);
    await assert.rejects(work.on(bulkhead, 'a', 'a4', leaving.signal), gone);
    await work.end('a1');
    await work.end('a3');
    await Promise.all([first, third]);
    assert.deepEqual(work.begun, ['a1', 'a3']);
  });
});

describe('createGate', () => {
  it('runs no more than the limit at a time, and everything in the end, in order', async () => {
    const gate = createGate(3);
    const started: number[] = [];
    let running = 0;
    let most = 0;
    const work = (index: number) =>
      gate(async () => {
        started.push(index);
        most = Math.max(most, ++running);
        await nextTurn();
        running--;
        return index * 2;
      });
    const indices = Array.from({ length: 20 }, (_, index) => index);
    assert.deepEqual(
      await Promise.all(indices.map(work)),
      indices.map((index) => index * 2),
    );
    assert.deepEqual(started, indices);
    assert.equal(most, 3);
  });

  it('goes on after work that fails', async () => {
    const gate = createGate(1);
    const failures = [1, 2, 3].map(() => gate(() => Promise.reject(new Error('no'))));
    for (const failure of failures) await assert.rejects(failure, /no/);
    const thrower = () => {
      throw new Error('at once');
    };
    await assert.rejects(gate(thrower), /at once/);
    assert.equal(await gate(async () => 'through'), 'through');
  });

  it('lets the light go side by side and the heavy alone, in the order they came', async () => {
    const gate = createGate(10);
    const log: string[] = [];
    let running = 0;
    const work = (name: string, weight: number) =>
      gate(async () => {
        running += Math.min(weight, 10);
        assert.ok(running <= 10, `${running} at a time`);
        log.push(`${name} in`);
        await nextTurn();
        log.push(`${name} out`);
        running -= Math.min(weight, 10);
      }, weight);
    await Promise.all([
      work('a', 4),
      work('b', 5),
      work('heavy', 25),
      work('c', 1),
      work('d', 9),
      work('e', 1),
    ]);
    assert.deepEqual(log, [
      ...['a in', 'b in', 'a out', 'b out'],
      // What is light waits behind it, or it would wait for good.
      ...['heavy in', 'heavy out'],
      ...['c in', 'd in', 'c out'],
      ...['e in', 'd out', 'e out'],
    ]);
  });

  it('frees the whole place of heavy work that fails', async () => {
    const gate = createGate(10);
    await assert.rejects(
      gate(() => Promise.reject(new Error('no')), 10),
      /no/,
    );
    let running = 0;
    const places = Array.from({ length: 10 }, () =>
      gate(async () => {
        running++;
        await nextTurn();
      }),
    );
    assert.equal(running, 10);
    await Promise.all(places);
  });
});
