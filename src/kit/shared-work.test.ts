import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSharedWork } from './shared-work.ts';

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
