import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createTestDatabase, dropTestDatabase, temporaryDataDir } from './harness.ts';
import { assertInvariants } from './invariants.ts';
import { freePort, ServiceProcess } from './service-process.ts';

const kills = 24;
const clients = 8;
/** Few of them, so that orders of one new customer meet. */
const customers = 20;

test(`${kills} kills while orders are processed, refunded and cancelled: each counts once, none is stuck`, async () => {
  const databaseUrl = await createTestDatabase();
  const dataDir = await temporaryDataDir();
  const environment = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    DRAIN_MS: '0',
    RATE_LIMIT_PER_SECOND: '100000',
  };
  const services = [
    new ServiceProcess(await freePort(), environment),
    new ServiceProcess(await freePort(), environment),
  ] as const;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  pool.on('error', () => undefined);
  after(async () => {
    for (const service of services) await service.end('SIGKILL');
    await pool.end();
    await dropTestDatabase(databaseUrl);
  });
  // One after the other: the first makes the workspace.
  for (const service of services) await service.start();
  const { apiKey } = JSON.parse(await readFile(`${dataDir}/first-run.json`, 'utf8'));
  const passId = await launch(services[0], apiKey);

  let over = false;
  const lives: Life[] = [];
  const load = Array.from({ length: clients }, async (_, client) => {
    for (let turn = 0; !over; turn++)
      lives.push(await live(services, apiKey, passId, `${client}-${turn}`, turn));
  });
  await Promise.all(
    services.map(async (service) => {
      for (let kill = 0; kill < kills / services.length; kill++) {
        await sleep(100 + Math.random() * 200);
        await service.end('SIGKILL');
        await service.start();
      }
    }),
  );
  // However slow the machine is: a life of an order is long beside the time between two kills.
  while (lives.length <= kills) await sleep(50);
  over = true;
  // Every call must come to its end: a stuck order would hang here until the test times out.
  await Promise.all(load);

  const { rows: orders } = await pool.query<{ orderId: string; points: string; credited: string }>(
    'select order_id as "orderId", points, credited from orders',
  );
  const known = new Map(orders.map((order) => [order.orderId, order]));
  assert.equal(known.size, lives.length);
  for (const { orderId, points } of lives)
    assert.deepEqual(
      [Number(known.get(orderId)?.points), Number(known.get(orderId)?.credited)],
      [points, points],
    );
  const { rows: entries } = await pool.query<{ orderId: string; points: string; earns: number }>(
    `select order_id as "orderId", sum(points) as points, count(*) filter (where kind = 'earn')::int as earns
     from loyalty_entries group by 1`,
  );
  const entered = new Map(entries.map((entry) => [entry.orderId, entry]));
  for (const { orderId, points, wasEarly } of lives) {
    assert.equal(Number(entered.get(orderId)?.points ?? 0), points, orderId);
    // An order that was cancelled before it came has earned nothing.
    assert.ok((entered.get(orderId)?.earns ?? 0) === (wasEarly ? (points > 0 ? 1 : 0) : 1), orderId);
  }
  const { rows: cards } = await pool.query('select count(*)::int as count from instances');
  assert.equal(cards[0].count, new Set(lives.map(({ customer }) => customer)).size);
  const { rows: stuck } = await pool.query('select key from operation_claims where status is null');
  assert.deepEqual(stuck, []);
  await assertInvariants(async (text, values) => (await pool.query(text, values)).rows);
});

interface Life {
  readonly orderId: string;
  readonly customer: number;
  /** What is left of its points. */
  readonly points: number;
  /** Whether its refund came first. */
  readonly wasEarly: boolean;
}

/** An order of ten euros, and what becomes of it: each call is repeated until it is acknowledged, and once more. */
async function live(
  services: readonly [ServiceProcess, ServiceProcess],
  key: string,
  passId: string,
  orderId: string,
  turn: number,
): Promise<Life> {
  const customer = turn % customers;
  const post = (path: string, body: object) => acknowledged(services, key, path, body);
  const process = () =>
    post('/orders/process', {
      passId,
      orderId,
      customer:
        turn % 2 === 0
          ? { id: `c${customer}`, email: `c${customer}@example.com` }
          : { email: `c${customer}@example.com` },
      total: { amount: '10.00', currency: 'EUR' },
    });
  const undo = () =>
    turn % 3 === 0
      ? post(`/orders/${orderId}/cancel`, {})
      : post(`/orders/${orderId}/refunds`, { refundId: 'r', amount: { amount: '4.00', currency: 'EUR' } });
  const wasEarly = turn % 4 === 3;
  for (const step of wasEarly ? [undo, process] : [process, undo]) await step();
  return { orderId, customer, points: turn % 3 === 0 ? 0 : 6, wasEarly };
}

async function acknowledged(
  services: readonly [ServiceProcess, ServiceProcess],
  key: string,
  path: string,
  body: object,
): Promise<void> {
  const send = async () => {
    for (;;) {
      const { url } = services[Math.random() < 0.5 ? 0 : 1];
      const reply = await fetch(`${url}/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then(
        async (response) => ({ status: response.status, text: await response.text() }),
        () => null,
      );
      if (reply !== null && reply.status < 300) return reply;
      if (reply !== null)
        assert.equal(JSON.parse(reply.text).retryable ?? reply.status === 503, true, reply.text);
      await sleep(5 + Math.random() * 20);
    }
  };
  const first = await send();
  assert.deepEqual(await send(), first, `the replay of ${path} differs`);
}

async function launch(service: ServiceProcess, key: string): Promise<string> {
  const call = async (method: string, path: string, body: object) => {
    const reply = await fetch(`${service.url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(reply.ok, `${method} ${path}`);
    return (await reply.json()) as { passId: string; programId: string };
  };
  const { passId } = await call('POST', '/passes', { title: 'Blue Bean', type: 'loyalty' });
  await call('PATCH', `/passes/${passId}`, { status: 'published' });
  const reward = { title: 'Coffee', cost: 10 };
  const { programId } = await call('POST', '/loyalty/programs', { passId, mode: 'POINTS', reward });
  await call('PATCH', `/loyalty/programs/${programId}`, { status: 'active' });
  return passId;
}
