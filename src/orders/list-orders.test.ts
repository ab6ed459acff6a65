import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel, makeKey } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { makeProgram } from '../loyalty/account.fixture.ts';
import { connectShop } from '../stores/stores.fixture.ts';
import { euros, Shop } from './shop.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
let shop: Shop;
/** Another pass of the workspace, and a store whose orders came to both. */
let otherPassId: string;
let storeId: string;
let ada: string;
/** Between the orders of the shop itself and those of its store. */
let midway: string;
before(async () => {
  shop = await Shop.open(app);
  otherPassId = (await makeProgram(shop.client, euros)).pass.passId;
  storeId = (await connectShop(shop.client, { passId: shop.passId })).storeId;
  for (const orderId of ['plain', 'refunded', 'cancelled']) await shop.process(orderId);
  await shop.refund('refunded', 'r1', '2.50');
  await shop.cancel('cancelled');
  await shop.process('elsewhere', { passId: otherPassId, customer: { id: 'bob' } });
  await shop.refund('early refund', 'r1', '1.00');
  await shop.cancel('early cancel', { early: true });
  app.advance(60_000);
  midway = app.running.app.now().toISOString();
  await shop.process('of store', { storeId, items: [{ name: 'Tea' }] });
  await shop.process('of store elsewhere', { storeId, passId: otherPassId });
  await shop.client.post('/orders/of store early/cancel'.replaceAll(' ', '%20'), { storeId, early: true });
  [ada] = (await shop.cards()).map(({ instanceId }) => instanceId);
});

const list = (query: object, by: Client = shop.client) =>
  by.get(`/orders?${new URLSearchParams({ ...query })}`);

/** The numbers of all pages of a list, of two orders each. */
async function all(query: object, by: Client = shop.client): Promise<string[]> {
  const found: string[] = [];
  for (let cursor = {}; ; ) {
    const { status, body, text } = await list({ ...query, ...cursor, limit: 2 }, by);
    assert.equal(status, 200, text);
    found.push(...body.data.map(({ orderId }: Json) => orderId));
    if (body.nextCursor === null) return found;
    cursor = { cursor: body.nextCursor };
  }
}

const ofStore = ['of store early', 'of store elsewhere', 'of store'];
const ofShop = ['early cancel', 'early refund', 'elsewhere', 'cancelled', 'refunded', 'plain'];

describe('GET /orders', () => {
  it('lists the newest first, as each is shown alone, without items and single refunds', async () => {
    const { body } = await list({});
    assert.deepEqual(
      body.data.map(({ orderId }: Json) => orderId),
      [...ofStore, ...ofShop],
    );
    assert.equal(body.nextCursor, null);
    for (const listed of body.data) {
      const ofIts = listed.storeId === null ? '' : `?storeId=${listed.storeId}`;
      const whole = (await shop.client.get(`/orders/${encodeURIComponent(listed.orderId)}${ofIts}`)).body;
      const { items: _, refunds: __, ...rest } = whole;
      assert.deepEqual(listed, rest);
    }
    const refunded = body.data.find(({ orderId }: Json) => orderId === 'refunded');
    assert.deepEqual([refunded.refunded.amount, refunded.points], ['2.50', 20]);
  });

  it('filters, alone and together, page by page', async () => {
    const { passId } = shop;
    const filters: [object, string[]][] = [
      [{}, [...ofStore, ...ofShop]],
      [{ passId }, ['of store', 'cancelled', 'refunded', 'plain']],
      [{ passId: otherPassId }, ['of store elsewhere', 'elsewhere']],
      [{ storeId }, ofStore],
      [{ storeId, passId }, ['of store']],
      [{ storeId, passId: otherPassId }, ['of store elsewhere']],
      [{ instanceId: ada }, ['of store', 'cancelled', 'refunded', 'plain']],
      [{ instanceId: ada, passId }, ['of store', 'cancelled', 'refunded', 'plain']],
      [{ instanceId: ada, passId: otherPassId }, []],
      [{ instanceId: ada, storeId }, ['of store']],
      [{ instanceId: ada, status: 'cancelled' }, ['cancelled']],
      [{ waiting: true }, ['of store early', 'early cancel', 'early refund']],
      [{ waiting: true, storeId }, ['of store early']],
      [{ waiting: true, passId }, []],
      [{ waiting: false, storeId }, ['of store elsewhere', 'of store']],
      [{ status: 'pending' }, ['early refund']],
      [{ status: 'cancelled' }, ['of store early', 'early cancel', 'cancelled']],
      [{ status: 'cancelled', waiting: false }, ['cancelled']],
      [{ status: 'processed' }, ['of store elsewhere', 'of store', 'elsewhere', 'refunded', 'plain']],
      [{ status: 'processed', waiting: true }, []],
      [{ status: 'processed', passId, storeId }, ['of store']],
      [{ createdAfter: midway }, ofStore],
      [{ createdBefore: midway }, ofShop],
      [{ createdAfter: midway, createdBefore: midway }, []],
      [{ createdBefore: midway, passId, status: 'processed' }, ['refunded', 'plain']],
    ];
    for (const [query, expected] of filters)
      assert.deepEqual(await all(query), expected, JSON.stringify(query));
  });

  it('finds an order by the number that customers know it by, in any store, and says whose it is', async () => {
    const busy = await Shop.open(app);
    const stores = [];
    for (const domain of ['one.example', 'two.example'])
      stores.push((await connectShop(busy.client, { passId: busy.passId, domain })).storeId);
    const [one, two] = stores;
    const known = { id: 'grace', name: 'Grace Hopper' };
    await busy.process('6204', { storeId: one, number: '#1003-a', customer: known });
    await busy.process('6205', { storeId: two, number: '1003-A' });
    await busy.process('1003-A');
    await busy.process('1003');
    await busy.process('6206', { number: '#1003', customer: { id: 'guest', email: 'guest@example.com' } });
    for (const number of ['1003-a', '#1003-A'])
      assert.deepEqual(await all({ number }, busy.client), ['6205', '6204']);
    assert.deepEqual(await all({ number: '1003-A' }, busy.client), ['6205', '6204']);
    assert.deepEqual(await all({ number: '1003-A', storeId: two }, busy.client), ['6205']);
    assert.deepEqual(await all({ number: '1003' }, busy.client), ['6206']);
    assert.deepEqual(await all({ number: '6206' }, busy.client), []);
    assert.deepEqual(await all({ number: '1004' }, busy.client), []);
    assert.deepEqual(await all({ number: '1003' }), []);
    const { body } = await list({}, busy.client);
    const shown = body.data.map(({ number, holderName }: Json) => [number, holderName]);
    assert.deepEqual(shown, [
      ['#1003', 'guest@example.com'],
      [null, 'ada'],
      [null, 'ada'],
      ['1003-A', 'ada'],
      ['#1003-a', 'Grace Hopper'],
    ]);
  });

  it('shows a restricted key the orders of its passes', async () => {
    const { client: one } = await makeKey(shop.client, { passIds: [otherPassId] });
    assert.deepEqual(await all({}, one), ['of store elsewhere', 'elsewhere']);
    assert.deepEqual(await all({ storeId }, one), ['of store elsewhere']);
    assert.deepEqual(await all({ waiting: true }, one), []);
    assertRefused(await list({ passId: shop.passId }, one), 'insufficient_scope');
    assertRefused(await list({ instanceId: ada }, one), 'insufficient_scope');
    const { client: both } = await makeKey(shop.client, {
      passIds: [otherPassId, shop.passId],
      access: 'read',
    });
    assert.deepEqual(await all({}, both), [
      'of store elsewhere',
      'of store',
      ...ofShop.filter((orderId) => !orderId.startsWith('early')),
    ]);
  });

  it('shows nothing of other workspaces', async () => {
    const elsewhere = await Shop.open(app);
    await elsewhere.process('theirs');
    assert.deepEqual(await all({}, elsewhere.client), ['theirs']);
    assertRefused(await list({ passId: elsewhere.passId }), 'forbidden');
    assertRefused(await list({ storeId }, elsewhere.client), 'forbidden');
    assertRefused(await list({ instanceId: ada }, elsewhere.client), 'forbidden');
  });

  it('passes over none of those that became known in the same moment, however they are called', async () => {
    const crowd = await Shop.open(app);
    // Of names that need the most of a cursor.
    const orderIds = Array.from(
      { length: 25 },
      (_, at) => `${at + 10}${(at % 2 === 0 ? '"' : '🎁').repeat(253)}`,
    );
    const known = await inParallel(25, (at) => crowd.process(orderIds[at] ?? ''));
    for (const { status, text } of known) assert.equal(status, 200, text);
    await app.sql(`update orders set created_at = date_trunc('day', created_at) where order_id = any($1)`, [
      orderIds,
    ]);
    assert.deepEqual((await all({}, crowd.client)).toSorted(), orderIds.toSorted());
    assert.deepEqual((await all({ passId: crowd.passId }, crowd.client)).toSorted(), orderIds.toSorted());
  });

  it('refuses what no filter is, and cursors of other lists', async () => {
    const bad = [
      { status: 'refunded' },
      { waiting: 'yes' },
      { createdAfter: 'yesterday' },
      { limit: 101 },
      { number: '' },
      { number: '1'.repeat(256) },
      { customer: 'ada' },
      { cursor: 'x' },
    ];
    for (const query of bad) assertRefused(await list(query), 'invalid_request');
    assertRefused(await list({ storeId: encodeId('store', newUuidV7()) }), 'store_not_found');
    assertRefused(await list({ instanceId: 'inst_1' }), 'instance_not_found');
    assertRefused(await list({ passId: 'pass_1' }), 'pass_not_found');
    const { nextCursor: cursor } = (await list({ limit: 2 })).body;
    for (const query of [{ waiting: true }, { passId: shop.passId }, { createdAfter: midway }])
      assertRefused(await list({ ...query, cursor }), 'invalid_request');
  });
});
