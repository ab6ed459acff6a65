import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keptWork } from './kept-work.ts';

describe('work that is kept', () => {
  it('is done once, also for callers at the same time', async () => {
    const shelf = new Map<string, Promise<number>>();
    let done = 0;
    const ask = () => keptWork(shelf, 'sum', async () => ++done);
    assert.deepEqual(await Promise.all([ask(), ask()]), [1, 1]);
    assert.equal(await ask(), 1);
    assert.equal(await keptWork(shelf, 'other', async () => ++done), 2);
  });

  it('is done again when it has failed', async () => {
    const shelf = new Map<string, Promise<number>>();
    const fail = () => keptWork(shelf, 'sum', async () => Promise.reject(new Error('broken')));
    await assert.rejects(Promise.all([fail(), fail()]), /broken/);
    assert.equal(shelf.size, 0);
    assert.equal(await keptWork(shelf, 'sum', async () => 1), 1);
  });
});
