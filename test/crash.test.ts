import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { codesPerUpload } from '../src/modules/passes/barcode.schema.ts';
import { createTestDatabase, dropTestDatabase, temporaryDataDir } from './harness.ts';
import { freePort, ServiceProcess } from './service-process.ts';

const kills = 60;
const clients = 12;
const poolSize = 100_000;

test(`${kills} kills under load: nothing doubled, nothing stuck, nothing acknowledged and lost`, async () => {
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
  // Its end is not awaited to the last byte.
  pool.on('error', () => undefined);
  after(async () => {
    for (const service of services) await service.end('SIGKILL');
    await pool.end();
    await dropTestDatabase(databaseUrl);
  });
  // One after the other: the first makes the workspace.
  for (const service of services) await service.start();
  const setting = await prepare(services[0], dataDir);

  let over = false;
  const history: Acknowledged[] = [];
  const load = Array.from({ length: clients }, async (_, client) => {
    for (let turn = 0; !over; turn++)
      history.push(await operate(services, setting, `${client}-${turn}`, turn));
  });
  await Promise.all(
    services.map(async (service) => {
      for (let kill = 0; kill < kills / services.length; kill++) {
        await sleep(80 + Math.random() * 120);
        await service.end('SIGKILL');
        await service.start();
      }
    }),
  );
  over = true;
  // Every operation that began must come to its end: a stuck key would hang here until the test times out.
  await Promise.all(load);

  assert.ok(history.length > kills, `only ${history.length} operations were acknowledged`);
  await assertHistory(pool, history);
});

interface Setting {
  readonly key: string;
  readonly operatorToken: string;
  readonly workspaceId: string;
  readonly unique: string;
  readonly pool: string;
}

interface Acknowledged {
  readonly ref: string;
  readonly kind: 'issue' | 'issue from pool' | 'top up';
  readonly instanceId?: string;
  readonly barcode?: string;
}

async function prepare(service: ServiceProcess, dataDir: string): Promise<Setting> {
  const firstRun = JSON.parse(await readFile(`${dataDir}/first-run.json`, 'utf8'));
  const call = async (method: string, path: string, body: unknown) => {
    const reply = await fetch(`${service.url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${firstRun.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(reply.ok, `${method} ${path}`);
    return (await reply.json()) as { passId: string };
  };
  const publish = async (mode: string) => {
    const { passId } = await call('POST', '/passes', { title: mode, type: 'loyalty', barcode: { mode } });
    await call('PATCH', `/passes/${passId}`, { status: 'published' });
    return passId;
  };
  const [unique, pool] = [await publish('unique'), await publish('pool')];
  for (let at = 0; at < poolSize; at += codesPerUpload) {
    const barcodes = Array.from({ length: codesPerUpload }, (_, n) => `code-${at + n}`);
    await call('POST', `/passes/${pool}/barcodes`, { barcodes });
  }
  return {
    key: firstRun.apiKey,
    operatorToken: firstRun.operatorToken,
    workspaceId: firstRun.workspaceId,
    unique,
    pool,
  };
}

/** One operation with a fresh reference: retried until it is acknowledged, then replayed once. */
async function operate(
  services: readonly [ServiceProcess, ServiceProcess],
  setting: Setting,
  ref: string,
  turn: number,
): Promise<Acknowledged> {
  const kind = (['issue', 'issue from pool', 'top up'] as const)[turn % 3] ?? 'issue';
  const passId = kind === 'issue' ? setting.unique : setting.pool;
  const path =
    kind === 'top up' ? `/operator/workspaces/${setting.workspaceId}/credits` : `/passes/${passId}/instances`;
  const body = kind === 'top up' ? { amount: 1, externalRef: ref } : { externalRef: ref };
  const token = kind === 'top up' ? setting.operatorToken : setting.key;
  const send = async () => {
    for (;;) {
      const { url } = services[Math.random() < 0.5 ? 0 : 1];
      const reply = await fetch(`${url}/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
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
  assert.deepEqual(await send(), first, `the replay of ${ref} differs`);
  const { instanceId, barcode } = JSON.parse(first.text);
  return { ref, kind, instanceId, barcode };
}

async function assertHistory(pool: pg.Pool, history: readonly Acknowledged[]): Promise<void> {
  const { rows: issued } = await pool.query<{ key: string; count: number }>(
    `select detail->>'key' as key, count(*)::int as count from instance_events where kind = 'issued' group by 1`,
  );
  const times = new Map(issued.map((row) => [row.key, row.count]));
  const issues = history.filter((operation) => operation.kind !== 'top up');
  for (const { ref } of issues)
    assert.equal(times.get(ref), 1, `${ref} was issued ${times.get(ref) ?? 0} times`);
  assert.equal(issued.length, issues.length, 'a card was issued that nobody was told of');

  const codes = issues.map((operation) => operation.barcode);
  assert.equal(new Set(codes).size, codes.length, 'two cards share a code');
  const { rows: assigned } = await pool.query(
    'select count(*)::int as count from pool_barcodes where instance_id is not null',
  );
  assert.equal(assigned[0].count, issues.filter((operation) => operation.kind === 'issue from pool').length);

  const topUps = history.filter((operation) => operation.kind === 'top up').length;
  const { rows: credits } = await pool.query('select balance, seq from credit_accounts');
  assert.deepEqual(credits, [{ balance: String(1_000 + topUps), seq: String(1 + topUps) }]);

  const { rows: stuck } = await pool.query('select key from operation_claims where status is null');
  assert.deepEqual(stuck, [], 'claims without an answer');
  const { rows: counts } = await pool.query(
    'select sum(issued)::int as issued, sum(assigned)::int as assigned from pass_counters',
  );
  assert.deepEqual(counts, [{ issued: issues.length, assigned: assigned[0].count }]);
}
