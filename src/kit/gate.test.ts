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
});
