import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Json } from '../../../test/client.ts';
import { startTestApp } from '../../../test/harness.ts';
import { until } from '../../../test/wallets.ts';
import type { ShopifyStore } from '../../../tools/fakes/shopify-store.ts';
import {
  allowed,
  assertSum,
  connectShop,
  ended,
  invitable,
  invitedTo,
  openShop,
  slowDown,
  start,
} from './sweeps.fixture.ts';

const app = await startTestApp(allowed);

/** The shop is asked for orders, too. */
const matching = /customers\(/;
const asked = (shop: ShopifyStore) => shop.requests.filter(({ body }) => matching.test(body));

/** A sweep that has begun in a shop whose customers come slowly. */
async function underWay(options: Parameters<typeof openShop>[0] = {}, body: object = {}) {
  const { client } = await app.newWorkspace();
  const shop = await openShop({ customers: { count: 3_000, consentEvery: 1 }, ...options });
  const connected = await connectShop(client, shop);
  slowDown(shop, 50);
  const begun = await start(client, connected.sweep, body);
  await until('it is under way', async () => (await client.get(connected.sweep)).body.state.found > 0);
  shop.recover();
  return { client, shop, begun, ...connected };
}

/** Lets the clock run until the sweep has ended: rests are not waited for. */
async function endedSoon(client: Client, sweep: string): Promise<Json> {
  await until(
    'the sweep has ended',
    async () => {
      const { state } = (await client.get(sweep)).body;
      assertSum(state);
      if (state.running && state.reason !== null) app.advance(60_000);
      return !state.running;
    },
    60_000,
  );
  return ended(client, sweep);
}

describe('a store in trouble', () => {
  const passing = {
    'is asked too much': ['throttled', 'store_throttled'],
    'is out of order': [{ status: 503, body: 'Gateway' }, 'store_unavailable'],
    'is asked too much, at its gate': [{ status: 429, headers: { 'retry-after': '7.0' } }, 'store_throttled'],
    'sends half of its answer': ['malformed', 'store_answer_unreadable'],
    'sends something else': [{ status: 200, body: '<html>' }, 'store_answer_unreadable'],
    'cuts the connection': ['cut', 'store_unavailable'],
    'cuts its answer short': ['cut after', 'store_unavailable'],
  } as const;
  for (const [what, [outcome, reason]] of Object.entries(passing)) {
    test(`${what}: the sweep waits and goes on where it was`, async () => {
      const { client, shop, passId, sweep } = await underWay();
      shop.fail({ matching, times: 2, outcome });
      await until('it waits', async () => (await client.get(sweep)).body.state.reason === reason);
      const { state } = (await client.get(sweep)).body;
      assert.deepEqual([state.running, state.status], [true, 'running']);
      const done = await endedSoon(client, sweep);
      assert.deepEqual([done.state.status, done.state.reason, done.state.found], ['completed', null, 3_000]);
      const invited = await invitedTo(app, passId);
      assert.deepEqual(invited.sort(), [...invitable(shop)].sort());
    });
  }

  test('is silent: after ten seconds the sweep waits and goes on', async () => {
    const { client, shop, sweep } = await underWay();
    shop.fail({ matching, outcome: 'silence' });
    await until(
      'it waits',
      async () => (await client.get(sweep)).body.state.reason === 'store_unavailable',
      15_000,
    );
    const { state } = await endedSoon(client, sweep);
    assert.deepEqual([state.status, state.found], ['completed', 3_000]);
  });

  test('for good: the sweep ends with the reason, and the next may begin', async () => {
    for (const [status, reason] of [
      [401, 'store_unauthorized'],
      [402, 'store_not_connected'],
    ] as const) {
      const { client, shop, sweep } = await underWay();
      shop.fail({ matching, outcome: { status } });
      const { state } = await ended(client, sweep);
      assert.deepEqual([state.status, state.reason], ['failed', reason]);
      await start(client, sweep);
      assert.equal((await ended(client, sweep)).state.found, 3_000);
    }
  });

  test('ten times in a row: the sweep gives up', async () => {
    const { client, shop, sweep } = await underWay();
    shop.fail({ matching, times: 1_000, outcome: { status: 500 } });
    const { state } = await endedSoon(client, sweep);
    assert.deepEqual([state.status, state.reason], ['failed', 'store_unavailable']);
    const refused = asked(shop).filter(({ status }) => status === 500).length;
    // The clock may end a lease while the store answers.
    assert.ok(refused >= 10 && refused <= 14, `asked ${refused} times`);
  });

  test('unreadable answers are not asked for as often', async () => {
    const { client, shop, sweep } = await underWay();
    const before = asked(shop).length;
    shop.fail({
      matching,
      times: 1_000,
      outcome: { status: 200, body: { data: { customers: { nodes: 'all' } } } },
    });
    const { state } = await endedSoon(client, sweep);
    assert.deepEqual([state.status, state.reason], ['failed', 'store_answer_unreadable']);
    assert.ok(asked(shop).length <= before + 4);
  });

  test('an occasional unreadable answer, amid other trouble, is waited out', async () => {
    const { client, shop, sweep } = await underWay();
    const html = { status: 200, body: '<html>' };
    for (const outcome of ['throttled', 'cut', html, html, 'throttled', html, html] as const)
      shop.fail({ matching, outcome });
    const { state } = await endedSoon(client, sweep);
    assert.deepEqual([state.status, state.reason, state.found], ['completed', null, 3_000]);
  });

  test('a list that does not move on is not read for ever', async () => {
    const { client, shop, sweep } = await underWay();
    const nodes = [{ legacyResourceId: '7', firstName: 'Ada', defaultEmailAddress: null }];
    const customers = { nodes, pageInfo: { hasNextPage: true, endCursor: 'x' } };
    shop.fail({ matching, times: 1_000, outcome: { status: 200, body: { data: { customers } } } });
    const { state } = await endedSoon(client, sweep);
    assert.deepEqual([state.status, state.reason], ['failed', 'store_answer_unreadable']);
  });
});

describe('the throttle of a store', () => {
  test('is respected: nothing is asked that would be refused', async () => {
    const bucket = { maximumAvailable: 1_000, restoreRate: 2_000 };
    const { client, shop, sweep } = await underWay({ customers: { count: 2_500 }, bucket });
    const { state } = await ended(client, sweep);
    assert.deepEqual([state.status, state.found], ['completed', 2_500]);
    // Ten pages, the first of them twice.
    assert.equal(asked(shop).length, 11);
  });

  test('while one store rests, those of others are read', async () => {
    const bucket = { maximumAvailable: 600, restoreRate: 100 };
    const slow = await Promise.all([1, 2, 3].map(() => underWay({ customers: 1_000, bucket })));
    const { client, sweep } = await underWay({ customers: 1_000 });
    await ended(client, sweep, 5_000);
    for (const one of slow) {
      assert.equal((await one.client.get(one.sweep)).body.state.running, true);
      await one.client.post(`${one.sweep}/cancel`);
    }
  });
});

describe('a worker that is gone', () => {
  test('loses its sweep to another when the lease is over, and then writes nothing', async () => {
    const { client, shop, sweep } = await underWay({ customers: 8_000 }, { dryRun: true });
    shop.fail({ matching, outcome: { delayMs: 2_500 } });
    slowDown(shop, 120);
    await until('a page is slow', () => asked(shop).some(({ status }) => status === null));
    // The page before is written by then, and the lease renewed.
    await sleep(300);
    // Its lease is over while it waits for the page: the second lane takes the sweep, and is in the middle when it comes.
    app.advance(31_000);
    const { state } = await ended(client, sweep);
    assert.deepEqual([state.status, state.found], ['completed', 8_000]);
    // 32 pages, the first of them twice, the slow one twice; and the one that was asked for when the slow one came.
    const times = asked(shop).length;
    assert.ok(times >= 34 && times <= 36, `asked ${times} times`);
  });

  test('two processes that work at once find each customer once', async () => {
    await app.twin();
    const { client, shop, passId, sweep } = await underWay({ customers: { count: 10_000, consentEvery: 2 } });
    const { state } = await ended(client, sweep);
    assert.deepEqual([state.status, state.found, state.invited], ['completed', 10_000, 5_000]);
    assert.equal((await invitedTo(app, passId)).length, invitable(shop).size);
  });
});
