import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json } from '../../../test/client.ts';
import { startTestApp } from '../../../test/harness.ts';
import type { StoreOrder } from '../../connectors/connector.ts';
import { decodeId, encodeId, newUuidV7 } from '../../kit/ids.ts';
import { euros, Shop } from '../shop.fixture.ts';
import { type OrderStore, recordStoreOrder } from './record-store-order.ts';

const app = await startTestApp({ WORKERS: 'off' });
const placedAt = new Date();
const eur = (amount: string) => ({ amount, currency: 'EUR' });

/** A shop, and a store that reports its orders. */
async function openStore(program: object = euros, more: Partial<OrderStore> = {}) {
  const shop = await Shop.open(app, program);
  const [row] = await app.sql<{ workspaceId: string }>(
    'select workspace_id as "workspaceId" from passes where pass_id = $1',
    [decodeId('pass', shop.passId)],
  );
  const storeId = newUuidV7();
  const store: OrderStore = {
    storeId,
    domain: 'blue-bean.example.com',
    passId: decodeId('pass', shop.passId),
    followsEdits: false,
    connectedAt: new Date(placedAt.getTime() - 1_000),
    ...more,
  };
  const ctx = {
    app: app.running.app,
    requestId: 'job_test',
    workspaceId: row?.workspaceId ?? '',
    actor: encodeId('store', storeId),
    passIds: null,
  };
  const report = (order: StoreOrder, at = store) => recordStoreOrder(ctx, at, order);
  const rowOf = async (orderId: string): Promise<Json> => {
    const [found] = await app.sql('select * from orders where source = $1 and order_id = $2', [
      storeId,
      orderId,
    ]);
    return found;
  };
  return { shop, store, report, rowOf };
}

/** An order of ten euros by the customer of that number, as it was at that moment. */
function orderAt(
  orderId: string,
  version: number,
  more: Partial<NonNullable<StoreOrder['state']>> = {},
  refunds: StoreOrder['refunds'] = [],
): StoreOrder {
  return {
    orderId,
    state: {
      version,
      number: null,
      paid: true,
      cancelled: false,
      total: eur('10.00'),
      placedAt,
      customer: { customerId: orderId, email: `${orderId}@example.com`, phone: null, name: null },
      test: false,
      ...more,
    },
    refunds,
  };
}

/** The life of an order, as a store reports it. */
const part = { refundId: 'part', amount: eur('2.50') };
const rest = { refundId: 'rest', amount: eur('7.50') };
const lives = (orderId: string): StoreOrder[] => [
  orderAt(orderId, 1),
  orderAt(orderId, 2, { total: eur('12.00') }),
  { orderId, state: null, refunds: [part] },
  orderAt(orderId, 4, {}, [part, rest]),
  orderAt(orderId, 5, { cancelled: true }, [part, rest]),
];

describe('the orders that a store reports', () => {
  it('ends in the same state in every permutation of paid, updated, partly refunded, refunded, cancelled', async () => {
    for (const refundPolicy of ['debt', 'within_balance']) {
      const { shop, report, rowOf } = await openStore({ ...euros, refundPolicy });
      const all = permutations([0, 1, 2, 3, 4]);
      assert.equal(all.length, 120);
      await Promise.all(
        all.map(async (order, place) => {
          const events = lives(`o${place}`);
          for (const [turn, which] of order.entries()) {
            const event = events[which];
            const times = 1 + ((place + turn) % 3);
            // Copies come at once.
            if (event !== undefined) await Promise.all(Array.from({ length: times }, () => report(event)));
          }
        }),
      );
      const plain = ({ points, credited, cancelled, paid_total, latest_total, latest_version }: Json) => ({
        points,
        credited,
        cancelled,
        paid_total,
        latest_total,
        latest_version,
      });
      const states = await Promise.all(all.map(async (_, place) => plain(await rowOf(`o${place}`))));
      assert.deepEqual(new Set(states.map((state) => JSON.stringify(state))).size, 1);
      assert.deepEqual([Number(states[0]?.points), Number(states[0]?.credited)], [0, 0]);
      const cards = await app.sql(
        `select h.identifier, coalesce(a.balance, 0)::int as balance, coalesce(a.lifetime_points, 0)::int as lifetime
         from holders h left join loyalty_accounts a using (workspace_id, instance_id) where h.pass_id = $1`,
        [decodeId('pass', shop.passId)],
      );
      assert.equal(cards.length, 120);
      assert.deepEqual(
        new Set(cards.map(({ balance, lifetime }) => `${balance} ${lifetime}`)),
        new Set(['0 0']),
      );
      await shop.assertSound();
    }
  });

  it('ends in the same state for every prefix of its life, too', async () => {
    for (let length = 1; length <= 4; length++) {
      const { shop, report, rowOf } = await openStore();
      const all = permutations(Array.from({ length }, (_, place) => place));
      const due = [25, 25, 20, 0][length - 1];
      for (const [place, order] of all.entries()) {
        const events = lives(`o${place}`);
        for (const which of order) {
          const event = events[which];
          if (event !== undefined) await report(event);
        }
        assert.equal(Number((await rowOf(`o${place}`)).points), due, `${order}`);
        assert.equal(
          await shop.balance(encodeURIComponent(`blue-bean.example.com/o${place}`)),
          due,
          `${order}`,
        );
      }
    }
  });

  it('follow edits where the store is set to', async () => {
    const { shop, store, report } = await openStore();
    const follows = { ...store, followsEdits: true };
    const holder = encodeURIComponent('blue-bean.example.com/1');
    await report(orderAt('1', 3, { total: eur('20.00') }), follows);
    await report(orderAt('1', 1), follows);
    assert.equal(await shop.balance(holder), 45);
    await report(orderAt('1', 4, { total: eur('5.00') }), follows);
    assert.equal(await shop.balance(holder), 15);
    await report(orderAt('1', 5, { total: eur('30.00') }), follows);
    assert.equal(await shop.balance(holder), 65);
    await shop.assertSound();
  });

  it('a status that flips back and forth awards once', async () => {
    const { shop, report } = await openStore();
    for (let version = 1; version <= 20; version++)
      await report(orderAt('1', version, { paid: version % 2 === 1 }));
    assert.deepEqual(await shop.story(), ['earn +25 = 25']);
  });

  it('leaves alone what is none of ours', async () => {
    const { shop, store, report, rowOf } = await openStore();
    await report(orderAt('1', 1, { test: true }));
    await report(orderAt('2', 1, { placedAt: new Date(store.connectedAt.getTime() - 1) }));
    await report(orderAt('3', 1), { ...store, passId: null });
    for (const id of ['1', '2', '3']) assert.equal(await rowOf(id), undefined);
    assert.deepEqual(await shop.cards(), []);
  });

  it('waits for a customer, and for the payment', async () => {
    const { shop, report, rowOf } = await openStore();
    await report(orderAt('1', 1, { customer: null }));
    await report(orderAt('2', 1, { paid: false }));
    assert.deepEqual(await shop.cards(), []);
    assert.equal((await rowOf('1')).instance_id, null);
    await report(orderAt('1', 2));
    await report(orderAt('2', 2));
    assert.equal((await shop.cards()).length, 2);
    assert.equal(await shop.balance(encodeURIComponent('blue-bean.example.com/1')), 25);
  });

  it('knows guests by their address, and gives a card no text that it cannot hold', async () => {
    const { shop, report } = await openStore();
    const guest = { customerId: null, email: ' Ada@Example.com', phone: 'call me', name: 'A\u0007da' };
    await report(orderAt('1', 1, { customer: guest }));
    await report(orderAt('2', 1, { customer: { ...guest, customerId: '7', name: 'Ada' } }));
    const cards = await shop.cards();
    assert.deepEqual(
      cards.map(({ holder }) => holder),
      [{ identifier: 'ada@example.com', email: 'ada@example.com', phone: null, name: 'A da', locale: null }],
    );
    assert.equal(cards[0]?.phoneGiven, 'call me');
    assert.equal(await shop.balance('ada@example.com'), 50);
  });

  it('raises what may pass later, and awards once when it has passed', async () => {
    const { shop, report } = await openStore();
    await shop.client.patch(`/loyalty/programs/${shop.programId}`, { status: 'paused' });
    await assert.rejects(report(orderAt('1', 1)), { code: 'program_inactive' });
    assert.deepEqual(await shop.cards(), []);
    await report({ orderId: '1', state: null, refunds: [part] });
    await shop.client.patch(`/loyalty/programs/${shop.programId}`, { status: 'active' });
    await report(orderAt('1', 1));
    await report(orderAt('1', 1));
    assert.deepEqual(await shop.story(), ['earn +20 = 20']);
  });

  it('earns on the present card of its holder, where it had earned nothing before', async () => {
    const { shop, store, report } = await openStore({
      ...euros,
      earn: { perCurrencyUnit: 1, minOrder: { amount: '50.00', currency: 'EUR' } },
    });
    const follows = { ...store, followsEdits: true };
    await report(orderAt('1', 1), follows);
    const [first] = await shop.cards();
    await shop.client.post(`/instances/${first?.instanceId}/void`);
    const path = `/passes/${shop.passId}/instances`;
    const { body: second } = await shop.client.post(path, { holder: first?.holder });
    await report(orderAt('1', 2, { total: eur('80.00') }), follows);
    const balances = (await shop.cards()).map(({ instanceId, loyalty }) => [instanceId, loyalty.balance]);
    assert.deepEqual(balances, [
      [second.instanceId, 80],
      [first?.instanceId, 0],
    ]);
    await shop.assertSound();
  });

  it('the ledger names the store as the actor', async () => {
    const { store, report } = await openStore();
    await report(orderAt('1', 1));
    const [entry] = await app.sql('select actor from loyalty_entries where order_id = $1 and actor = $2', [
      '1',
      encodeId('store', store.storeId),
    ]);
    assert.ok(entry);
  });
});

function permutations(items: readonly number[]): number[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, place) =>
    permutations(items.toSpliced(place, 1)).map((others) => [item, ...others]),
  );
}
