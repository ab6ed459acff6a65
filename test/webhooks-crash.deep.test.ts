import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeProgram } from '../src/loyalty/account.fixture.ts';
import { connectShop, newOrder, send } from '../src/stores/stores.fixture.ts';
import type { Json } from './client.ts';
import { inParallel } from './factories.ts';
import { startTestApp } from './harness.ts';
import { assertInvariants } from './invariants.ts';
import { ServiceProcess } from './service-process.ts';
import { until } from './wallets.ts';

const orders = 900;
const customers = 30;
const points = { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 }, earn: { perCurrencyUnit: 1 } };

test(`workers killed again and again while they process ${orders} webhooks: each order is awarded once`, async () => {
  const app = await startTestApp({ WORKERS: 'off' });
  const { client } = await app.newWorkspace();
  const { pass } = await makeProgram(client, points);
  const { storeId } = await connectShop(client, { passId: pass.passId });
  await inParallel(orders, (n) =>
    send(client, storeId, newOrder(String(n), { customer: { id: String(n % customers) } })),
  );
  const worker = new ServiceProcess(
    0,
    {
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: app.config.dataDir,
      PUBLIC_URL: app.config.publicUrl,
      LOG_LEVEL: 'error',
    },
    ['work'],
  );
  after(() => worker.end('SIGKILL'));
  const count = async (what: string): Promise<number> => {
    const [row] = await app.sql<{ count: number }>(`select count(*)::int as count from ${what}`);
    return row?.count ?? 0;
  };
  // So slow that it is not through before it is killed.
  await app.sql(`create function take_long() returns trigger language plpgsql
    as $$ begin perform pg_sleep(0.01); return new; end $$`);
  await app.sql('create trigger slow before insert on orders for each row execute function take_long()');
  let inTheMiddle = 0;
  for (let kill = 1; kill <= 8 && inTheMiddle < 2; kill++) {
    const before = await count('orders');
    worker.launch();
    await until('orders are settled', async () => (await count('orders')) > before + 20, 60_000);
    await worker.end('SIGKILL');
    const half = await count('store_webhooks where body is not null');
    assert.ok(half > 0, 'it was killed too late');
    // Of a batch some orders are settled, and nothing says so yet.
    if ((await count('orders')) > orders - half) inTheMiddle += 1;
    // Time passes for workers that wait for the end of a lease.
    await app.sql("update store_webhooks set due_at = now() - interval '1 second' where due_at is not null");
  }
  await app.sql('drop trigger slow on orders');
  worker.launch();
  await until(
    'all is done',
    async () => (await count('store_webhooks where due_at is not null')) === 0,
    60_000,
  );
  await worker.end('SIGTERM');
  assert.equal(worker.complained, '');
  assert.equal(await count('orders'), orders);
  assert.equal(await count("loyalty_entries where kind = 'earn'"), orders);
  assert.equal(await count('store_webhooks where body is not null'), 0);
  const { body } = await client.get(`/passes/${pass.passId}/instances?limit=100`);
  const balances = body.data.map(({ loyalty }: Json) => loyalty.balance);
  assert.deepEqual(
    balances,
    Array.from({ length: customers }, () => (orders / customers) * 10),
  );
  await assertInvariants(app.sql);
});
