import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGate } from './gate.ts';

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
