import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSharedWork, keptWork } from './promises.ts';

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

describe('shared work', () => {
  it('is done once for all who ask while it is under way, and again afterwards', async () => {
    const shared = createSharedWork<number>();
    let done = 0;
    const ask = () =>
      shared.share('a', async () => {
        await Promise.resolve();
        done += 1;
        return done;
      });
    assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [1, 1, 1]);
    assert.equal(await ask(), 2);
  });

  it('is kept apart by its name', async () => {
    const shared = createSharedWork<string>();
    const ask = (name: string) => shared.share(name, async () => name);
    assert.deepEqual(await Promise.all([ask('a'), ask('b')]), ['a', 'b']);
  });

  it('fails for all who wait, and is tried again by the next', async () => {
    const shared = createSharedWork<string>();
    const fail = () =>
      shared.share('a', async () => {
        throw new Error('no');
      });
    for (const { status } of await Promise.allSettled([fail(), fail()])) assert.equal(status, 'rejected');
    assert.equal(await shared.share('a', async () => 'yes'), 'yes');
  });
});
