import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Json } from '../../../test/client.ts';
import { inParallel, makePass } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { assertInvariants } from '../../../test/invariants.ts';
import { decodeId } from '../../kit/ids.ts';
import { makeProgram } from '../../loyalty/account.fixture.ts';
import { clock, connectShop, newOrder, send } from '../../stores/stores.fixture.ts';
import { processStoreWebhooks, takeWebhooks, trimWebhooks } from './process-store-webhooks.job.ts';

const app = await startTestApp({ WORKERS: 'off' });
clock.now = () => app.running.app.now();
const ctx = { app: app.running.app, requestId: 'job' };

/** Works off whatever is due. */
async function processWebhooks(): Promise<void> {
  while (await processStoreWebhooks(ctx)) {}
}

const points = { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 }, earn: { perCurrencyUnit: 1 } };

/** A shop whose orders earn a point for each euro. */
async function openShop(
  design: object = {},
): Promise<{ client: Client; passId: string; programId: string; storeId: string; domain: string }> {
  const { client } = await app.newWorkspace();
  const { pass, program } = await makeProgram(client, points, { design });
  const { storeId, domain } = await connectShop(client, { passId: pass.passId });
  return { client, passId: pass.passId, programId: program.programId, storeId, domain };
}

const rows = (storeId: string) =>
  app.sql<{
    topic: string;
    body: Buffer | null;
    due_at: Date | null;
    attempts: number;
    refused: string | null;
  }>(
    'select topic, body, due_at, attempts, refused from store_webhooks where store_id = $1 order by webhook_id',
    [decodeId('store', storeId)],
  );
const balances = async (client: Client, passId: string): Promise<Record<string, number>> => {
  const { body } = await client.get(`/passes/${passId}/instances?limit=100`);
  return Object.fromEntries(
    body.data.map(({ holder, loyalty }: Json) => [holder.identifier, loyalty.balance]),
  );
};
const waiting = async (client: Client, storeId: string): Promise<Json> => {
  const { waitingWebhooks, problem } = (await client.get(`/stores/${storeId}`)).body;
  return [waitingWebhooks, problem?.code ?? null];
};

describe('a webhook of an order', () => {
  it('issues a card to the customer, awards, and leaves nothing of the body', async () => {
    const { client, passId, storeId, domain } = await openShop();
    await send(client, storeId, newOrder('1'));
    await processWebhooks();
    const [card] = (await client.get(`/passes/${passId}/instances`)).body.data;
    assert.deepEqual(
      [card.holder.identifier, card.holder.email, card.holder.name],
      [`${domain}/7`, 'ada@example.com', 'Ada Lovelace'],
    );
    assert.deepEqual(await balances(client, passId), { [`${domain}/7`]: 10 });
    const [row] = await rows(storeId);
    assert.deepEqual([row?.body, row?.due_at, row?.refused], [null, null, null]);
    assert.deepEqual(await waiting(client, storeId), [0, null]);
  });

  it('may come in any order and any number of times', async () => {
    const { client, passId, storeId, domain } = await openShop();
    const first = new Date(clock.now().getTime() + 1_000).toISOString();
    const later = new Date(clock.now().getTime() + 5_000).toISOString();
    const refund = { refunds: [{ refundId: 'r', amount: { amount: '4.00', currency: 'EUR' } }] };
    const bodies = [
      JSON.stringify({ orderId: '1', ...refund }),
      newOrder('1', { updatedAt: later }, refund),
      newOrder('1', { updatedAt: first }),
      newOrder('1', { updatedAt: first, paid: false }),
    ];
    for (const body of bodies) {
      await inParallel(3, (n) => send(client, storeId, body, { deliveryId: `${n}` }));
      await processWebhooks();
    }
    await inParallel(40, (n) => send(client, storeId, bodies[n % 4] ?? '', { deliveryId: `late-${n}` }));
    await processWebhooks();
    assert.deepEqual(await balances(client, passId), { [`${domain}/7`]: 6 });
    await assertInvariants(app.sql);
  });

  it('is processed in bursts, each once', async () => {
    const { client, passId, storeId } = await openShop();
    await inParallel(250, (n) =>
      send(client, storeId, newOrder(String(n), { customer: { id: String(n % 50) } })),
    );
    // Two workers at once.
    await Promise.all([processWebhooks(), processWebhooks()]);
    const found = await balances(client, passId);
    assert.equal(Object.keys(found).length, 50);
    assert.ok(Object.values(found).every((balance) => balance === 50));
    await assertInvariants(app.sql);
  });

  it('of a store without a pass, of a trial, or from before the store was connected earns nothing', async () => {
    const { client, passId, storeId } = await openShop();
    await send(client, storeId, newOrder('1', { test: true }));
    await send(client, storeId, newOrder('2', { placedAt: '2020-01-01T00:00:00Z' }));
    const lone = await connectShop(client);
    await send(client, lone.storeId, newOrder('3'));
    await processWebhooks();
    assert.deepEqual(await balances(client, passId), {});
    for (const id of [storeId, lone.storeId])
      assert.ok((await rows(id)).every(({ body, due_at }) => body === null && due_at === null));
  });
});

describe('a refusal that may pass', () => {
  it('of a paused program waits longer and longer, shows on the store, and is awarded once afterwards', async () => {
    const { client, passId, programId, storeId, domain } = await openShop();
    const program = (status: string) => client.patch(`/loyalty/programs/${programId}`, { status });
    await program('paused');
    await send(client, storeId, newOrder('1'));
    await processWebhooks();
    assert.deepEqual(await waiting(client, storeId), [1, 'program_inactive']);
    const pauses: number[] = [];
    for (let turn = 0; turn < 12; turn++) {
      const [row] = await rows(storeId);
      const pauseMs = (row?.due_at?.getTime() ?? 0) - ctx.app.now().getTime();
      pauses.push(Math.round(pauseMs / 60_000));
      app.advance(pauseMs - 5_000);
      await processWebhooks();
      assert.equal((await rows(storeId))[0]?.attempts, turn + 1, 'it was tried too early');
      app.advance(5_001);
      await processWebhooks();
    }
    assert.deepEqual(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360]);
    await program('active');
    app.advance(6 * 3_600_000);
    await processWebhooks();
    await send(client, storeId, newOrder('1'), { deliveryId: 'again' });
    await processWebhooks();
    assert.deepEqual(await balances(client, passId), { [`${domain}/7`]: 10 });
    assert.deepEqual(await waiting(client, storeId), [0, null]);
    await assertInvariants(app.sql);
  });

  it('of an empty pool is over once codes were uploaded; a change of the store tries at once', async () => {
    const { client, passId, storeId } = await openShop({ barcode: { mode: 'pool' } });
    await inParallel(3, (n) => send(client, storeId, newOrder(String(n), { customer: { id: `${n}` } })));
    await processWebhooks();
    assert.deepEqual(await waiting(client, storeId), [3, 'pool_exhausted']);
    await app.fillPool(passId, ['A', 'B', 'C']);
    await processWebhooks();
    assert.deepEqual(await waiting(client, storeId), [3, 'pool_exhausted']);
    await client.patch(`/stores/${storeId}`, { followsEdits: true });
    await processWebhooks();
    assert.deepEqual(await waiting(client, storeId), [0, null]);
    assert.equal(Object.keys(await balances(client, passId)).length, 3);
  });

  it('of a pass in draft waits for its publication, and is given up after a month', async () => {
    const { client } = await app.newWorkspace();
    const { passId } = await makePass(client, {}, 'draft');
    const { storeId } = await connectShop(client, { passId });
    await send(client, storeId, newOrder('1'));
    await processWebhooks();
    assert.deepEqual(await waiting(client, storeId), [1, 'pass_not_found']);
    app.advance(29 * 86_400_000);
    await processWebhooks();
    assert.deepEqual(await waiting(client, storeId), [1, 'pass_not_found']);
    app.advance(1.1 * 86_400_000);
    await processWebhooks();
    assert.deepEqual(await waiting(client, storeId), [0, 'webhooks_given_up']);
    const [row] = await rows(storeId);
    assert.deepEqual([row?.body === null, row?.due_at, row?.refused], [false, null, 'pass_not_found']);
    while (await trimWebhooks(ctx)) {}
    assert.deepEqual(await rows(storeId), []);
  });
});

describe('what cannot be read', () => {
  it('is given up at once, and never holds up another', async () => {
    const { client, passId, storeId, domain } = await openShop();
    const hostile = [
      '[',
      'null',
      '{}',
      '[]',
      '"x"',
      '\u0000',
      '{"orderId":null}',
      '['.repeat(200_000),
      `{"orderId":"${'9'.repeat(400)}"}`,
      newOrder('1', { total: { amount: '1e9', currency: 'EUR' } }),
      newOrder('1', { total: { amount: '-5.00', currency: 'EUR' } }),
      newOrder('1', { total: { amount: '10.001', currency: 'EUR' } }),
      newOrder('1', { updatedAt: 'yesterday' }),
      newOrder('\u0000'),
      newOrder('1', { customer: { id: 7 } }),
      JSON.stringify({ orderId: '1', __proto__: { state: 1 }, constructor: {} }),
    ];
    for (const [at, body] of hostile.entries()) {
      assert.equal((await send(client, storeId, body)).status, 200);
      await send(client, storeId, newOrder(`good-${at}`));
    }
    await send(client, storeId, newOrder('other'), { topic: 'order.shipped' });
    await processWebhooks();
    assert.deepEqual(await balances(client, passId), { [`${domain}/7`]: hostile.length * 10 });
    const left = (await rows(storeId)).filter(({ body }) => body !== null);
    assert.equal(left.length, hostile.length);
    assert.ok(left.every(({ due_at, refused, attempts }) => due_at === null && refused && attempts === 1));
    assert.deepEqual(await waiting(client, storeId), [0, 'webhooks_given_up']);
    assert.equal((await client.get(`/stores/${storeId}`)).body.givenUpWebhooks, hostile.length);
    const metrics = (await app.anyone.get('/metrics')).text;
    assert.match(metrics, /store_webhooks\{state="given_up"\} [1-9]/);
  });
});

it('a customer whose data are odd gets a card all the same', async () => {
  const { client, storeId, passId, domain } = await openShop();
  const odd = { email: 'not an address', phone: 'x', name: '\u0001\n' };
  await send(client, storeId, newOrder('1', { customer: { id: 'x'.repeat(100), ...odd } }));
  await processWebhooks();
  assert.deepEqual(await balances(client, passId), { [`${domain}/${'x'.repeat(100)}`]: 10 });
});

it('a failure of ours is none of the webhook: it is tried again', async () => {
  const { client, passId, storeId, domain } = await openShop();
  await send(client, storeId, newOrder('1'));
  await app.sql('alter table orders rename to mislaid');
  await processWebhooks();
  await app.sql('alter table mislaid rename to orders');
  assert.deepEqual(await waiting(client, storeId), [1, 'internal_error']);
  app.advance(61_000);
  await processWebhooks();
  assert.deepEqual(await balances(client, passId), { [`${domain}/7`]: 10 });
});

it('a webhook that its worker never came back from is taken again, less and less often', async () => {
  const { client, passId, storeId, domain } = await openShop();
  await send(client, storeId, newOrder('1'));
  const take = () => takeWebhooks(ctx);
  assert.equal((await take()).length, 1);
  assert.equal((await take()).length, 0);
  app.advance(30_001);
  assert.equal((await take()).length, 1);
  app.advance(30_001);
  assert.equal((await take()).length, 0);
  app.advance(30_000);
  await processWebhooks();
  assert.deepEqual(await balances(client, passId), { [`${domain}/7`]: 10 });
});

it("a crowd of one store's webhooks does not hold up a single one of another's", async () => {
  const crowd = await openShop();
  await inParallel(350, (n) => send(crowd.client, crowd.storeId, newOrder(String(n))));
  app.advance(1_000);
  const other = await openShop();
  await send(other.client, other.storeId, newOrder('1'));
  await processStoreWebhooks(ctx);
  assert.deepEqual(await balances(other.client, other.passId), { [`${other.domain}/7`]: 10 });
  assert.equal((await waiting(crowd.client, crowd.storeId))[0], 350 - 99);
  // Two workers find different ones.
  const both = await Promise.all([processStoreWebhooks(ctx), processStoreWebhooks(ctx)]);
  assert.deepEqual([both, (await waiting(crowd.client, crowd.storeId))[0]], [[true, true], 350 - 99 - 200]);
  await processWebhooks();
});

it('stores whose webhooks only wait have no share in a turn', async () => {
  const { client, storeId } = await openShop();
  const id = decodeId('store', storeId);
  await app.sql(
    `insert into stores
     select (jsonb_populate_record(s, jsonb_build_object('store_id', gen_random_uuid(), 'domain', n || '.example'))).*
     from stores s, generate_series(1, 100) as n where s.store_id = $1`,
    [id],
  );
  await app.sql(
    `insert into store_webhooks (workspace_id, store_id, webhook_id, delivery_id, topic, body, received_at, due_at, refused)
     select workspace_id, store_id, gen_random_uuid(), 'waits', 'order', '', connected_at,
       connected_at + interval '1 day', 'program_inactive'
     from stores where workspace_id = (select workspace_id from stores where store_id = $1) and store_id <> $1`,
    [id],
  );
  await inParallel(50, (n) => send(client, storeId, newOrder(String(n))));
  await processStoreWebhooks(ctx);
  assert.equal((await waiting(client, storeId))[0], 0);
});

it('orders of a workspace that is suspended wait until it is not', async () => {
  const { client, passId, storeId, domain } = await openShop();
  const { workspaceId } = (await client.get('/workspace')).body;
  const suspend = (suspended: boolean) =>
    app.operator.patch(`/operator/workspaces/${workspaceId}`, { suspended });
  await suspend(true);
  assert.equal((await send(client, storeId, newOrder('1'))).status, 200);
  await processWebhooks();
  await suspend(false);
  await sleep(600);
  assert.deepEqual(await waiting(client, storeId), [1, 'workspace_suspended']);
  app.advance(61_000);
  await processWebhooks();
  assert.deepEqual(await balances(client, passId), { [`${domain}/7`]: 10 });
});

it('a store that is connected again takes back what refunds of its former orders take', async () => {
  const { client, passId, storeId, domain } = await openShop();
  await send(client, storeId, newOrder('1'));
  await processWebhooks();
  await client.delete(`/stores/${storeId}`);
  app.advance(60_000);
  const reconnected = await connectShop(client, { domain, passId });
  assert.equal(reconnected.storeId, storeId);
  app.advance(60_000);
  const refund = { refunds: [{ refundId: 'r', amount: { amount: '4.00', currency: 'EUR' } }] };
  await send(client, storeId, JSON.stringify({ orderId: '1', ...refund }));
  await processWebhooks();
  assert.deepEqual(await balances(client, passId), { [`${domain}/7`]: 6 });
});
