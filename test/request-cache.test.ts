import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RequestCache } from '../web/shared/request-cache.ts';

/** A cache with a clock to turn, and requests to answer. */
function cached() {
  let now = 0;
  const cache = new RequestCache(() => now);
  const requests: { signal: AbortSignal; answer(value: unknown): void; fail(error: Error): void }[] = [];
  const load = ({ signal }: { readonly signal: AbortSignal }) =>
    new Promise<unknown>((answer, fail) => requests.push({ signal, answer, fail }));
  const shown: unknown[] = [];
  const watch = (key: readonly unknown[], keptMs = 0, staleMs = 0) =>
    cache.watch(key, load, () => shown.push(cache.answerOf(key).value), { keptMs, staleMs });
  /** Answers a request, and waits until that is known. */
  const answer = async (at: number, value: unknown) => {
    requests[at]?.answer(value);
    await new Promise(setImmediate);
  };
  const later = (ms: number) => {
    now += ms;
  };
  return { cache, requests, watch, answer, later, shown };
}

const there = (value: unknown) => ({ value, isLoading: false });

describe('the cache of requests', () => {
  it('asks once for all who show the same', async () => {
    const { cache, requests, watch, answer, shown } = cached();
    watch(['passes', { status: null, limit: 5 }]);
    watch(['passes', { status: null, limit: 5 }]);
    assert.deepEqual(cache.answerOf(['passes', { status: null, limit: 5 }]), {
      isLoading: true,
      value: undefined,
    });
    await answer(0, 'both');
    watch(['passes', { status: null, limit: 5 }]);
    assert.equal(requests.length, 1);
    assert.deepEqual(shown.slice(-3), ['both', 'both', 'both']);
    watch(['passes', { status: 'draft', limit: 5 }]);
    assert.equal(requests.length, 2);
  });

  it('gives a request up with the last who shows it, and takes no answer after that', async () => {
    const { cache, requests, watch, answer } = cached();
    const [one, other] = [watch(['orders']), watch(['orders'])];
    one();
    assert.equal(requests[0]?.signal.aborted, false);
    other();
    assert.equal(requests[0]?.signal.aborted, true);
    await answer(0, 'late');
    assert.deepEqual(cache.answerOf(['orders']), { isLoading: true });
    watch(['orders']);
    assert.equal(requests.length, 2);
  });

  it('asks again for what no page has shown since', async () => {
    const { requests, watch, answer } = cached();
    const stop = watch(['orders']);
    await answer(0, 'orders');
    stop();
    watch(['orders']);
    assert.equal(requests.length, 2);
  });

  it('asks for what is kept when its time is over, and keeps no half of a request', async () => {
    const { cache, requests, watch, answer, later } = cached();
    watch(['names'], 1_000)();
    assert.equal(requests[0]?.signal.aborted, true);
    const stop = watch(['names'], 1_000);
    await answer(1, 'names');
    stop();
    later(999);
    assert.deepEqual(cache.answerOf(['names']), there('names'));
    watch(['names'], 1_000)();
    assert.equal(requests.length, 2);
    later(1);
    assert.deepEqual(cache.answerOf(['names']), { isLoading: true });
    watch(['names'], 1_000);
    assert.equal(requests.length, 3);
  });

  it('shows what is stale at once while it asks again, until that is too old', async () => {
    const { cache, requests, watch, answer, later, shown } = cached();
    const stop = watch(['home'], 0, 1_000);
    await answer(0, 'morning');
    stop();
    later(999);
    assert.deepEqual(cache.answerOf(['home']), there('morning'));
    const stopAgain = watch(['home'], 0, 1_000);
    assert.equal(requests.length, 2);
    assert.deepEqual(cache.answerOf(['home']), { value: 'morning', isLoading: true });
    // One who leaves before the answer comes back to the same.
    stopAgain();
    assert.equal(requests[1]?.signal.aborted, true);
    assert.deepEqual(cache.answerOf(['home']), there('morning'));
    const last = watch(['home'], 0, 1_000);
    await answer(2, 'noon');
    assert.deepEqual([shown.at(-1), cache.answerOf(['home'])], ['noon', there('noon')]);
    last();
    cache.invalidate(['home']);
    assert.deepEqual(cache.answerOf(['home']), { isLoading: true });
    const once = watch(['home'], 0, 1_000);
    await answer(3, 'evening');
    once();
    later(1_000);
    assert.deepEqual(cache.answerOf(['home']), { isLoading: true });
  });

  it('keeps what it has where an answer says the same', async () => {
    const { cache, requests, watch, answer } = cached();
    watch(['orders']);
    const first = { data: [{ orderId: 'one' }], nextCursor: null };
    await answer(0, first);
    cache.reload(['orders']);
    await answer(1, structuredClone(first));
    assert.equal(cache.answerOf(['orders']).value, first);
    cache.reload(['orders']);
    await answer(2, { ...first, nextCursor: 'more' });
    assert.deepEqual(cache.answerOf(['orders']), there({ ...first, nextCursor: 'more' }));
    assert.equal(requests.length, 3);
  });

  it('shows a failure next to what was there, and keeps none', async () => {
    const { cache, requests, watch, answer } = cached();
    const stop = watch(['stores'], 1_000);
    await answer(0, 'before');
    cache.reload(['stores']);
    assert.deepEqual(cache.answerOf(['stores']), { value: 'before', isLoading: true });
    const error = new Error('offline');
    requests[1]?.fail(error);
    await new Promise(setImmediate);
    assert.deepEqual(cache.answerOf(['stores']), { value: 'before', error, isLoading: false });
    stop();
    watch(['stores'], 1_000);
    assert.equal(requests.length, 3);
  });

  it('after a change asks for what shows it, forgets what no page shows, and leaves the rest', async () => {
    const { cache, requests, watch, answer } = cached();
    watch(['passes', 'one']);
    watch(['passes', 'one', 'codes']);
    watch(['programs', 'one']);
    const stop = watch(['passes', 'names'], 60_000);
    for (const at of [0, 1, 2, 3]) await answer(at, `old ${at}`);
    stop();
    cache.invalidate(['passes']);
    assert.equal(requests.length, 6);
    assert.deepEqual(cache.answerOf(['passes', 'names']), { isLoading: true });
    assert.deepEqual(cache.answerOf(['passes', 'one']), { value: 'old 0', isLoading: true });
    assert.deepEqual(cache.answerOf(['programs', 'one']), there('old 2'));
    await answer(4, 'new');
    assert.deepEqual(cache.answerOf(['passes', 'one']), there('new'));
    cache.reload(['passes', 'one']);
    assert.equal(requests.length, 7, 'the codes are not asked for');
  });

  it('takes no answer that may be older than a change', async () => {
    const { cache, requests, watch, answer } = cached();
    watch(['passes', 'one']);
    cache.invalidate(['passes']);
    assert.equal(requests[0]?.signal.aborted, true);
    await answer(0, 'before the change');
    assert.equal(cache.answerOf(['passes', 'one']).isLoading, true);
    cache.set(['passes', 'one'], 'saved');
    await answer(1, 'before the next change');
    assert.deepEqual(cache.answerOf(['passes', 'one']), there('saved'));
  });

  it('shows nothing of one workspace in another', async () => {
    const { cache, requests, watch, answer } = cached();
    cache.enter('ada here');
    const stop = watch(['here', 'passes'], 60_000);
    watch(['here', 'orders']);
    await answer(0, 'passes here');
    cache.enter('ada here');
    assert.deepEqual(cache.answerOf(['here', 'passes']), there('passes here'));
    cache.enter('ada there');
    assert.equal(requests[1]?.signal.aborted, true);
    await answer(1, 'late orders of here');
    for (const what of ['passes', 'orders'])
      assert.deepEqual(cache.answerOf(['here', what]), { isLoading: true });
    watch(['here', 'passes']);
    // Who showed it before leaves only now.
    stop();
    assert.equal(requests[2]?.signal.aborted, false);
    await answer(2, 'passes there');
    assert.deepEqual(cache.answerOf(['here', 'passes']), there('passes there'));
  });
});
