import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Json, Reply } from '../../test/client.ts';
import { assertRefused } from '../../test/client.ts';
import { makePass } from '../../test/factories.ts';
import { createTestDatabase, startTestApp } from '../../test/harness.ts';
import { startTcpProxy } from '../../tools/fakes/tcp-proxy.ts';

const proxy = await startTcpProxy(await createTestDatabase());
// Without workers and the log of requests: the COMMIT that is lost must be that of a request.
const app = await startTestApp({
  DATABASE_URL: proxy.url,
  DATABASE_POOL: '4',
  WORKERS: 'off',
  REQUEST_LOG: 'off',
});
after(() => proxy.close());

let client: Client;
let pass: Json;
before(async () => {
  ({ client } = await app.newWorkspace());
  pass = await makePass(client);
  // Noting the first use of a key is a COMMIT of its own, which must not be the one that is lost.
  while ((await app.sql('select from api_keys where last_used_at is not null')).length === 0) await sleep(10);
});

const newPass = { title: 'Lost and found', type: 'coupon' };
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

async function countPasses(): Promise<number> {
  return (await app.sql("select from passes where title = 'Lost and found'")).length;
}

async function countCards(): Promise<number> {
  return (await app.sql('select from instances')).length;
}

function assertRetryable(reply: Reply): void {
  assertRefused(reply, 'internal_error', /retry/i, { retryable: true });
}

describe('a 500 after an unknown commit', () => {
  it('is retryable under a key; the retry applies what was lost', async () => {
    const passes = await countPasses();
    proxy.cutOn('commit', 'request');
    assertRetryable(await client.post('/passes', newPass, keyed('request lost')));
    assert.equal(await countPasses(), passes);
    const retry = await client.post('/passes', newPass, keyed('request lost'));
    assert.equal(retry.status, 201);
    assert.equal(retry.headers.get('idempotent-replayed'), null);
    assert.equal(await countPasses(), passes + 1);
  });

  it('is retryable under a key; the retry replays what took place', async () => {
    const passes = await countPasses();
    proxy.cutOn('commit', 'reply');
    assertRetryable(await client.post('/passes', newPass, keyed('reply lost')));
    assert.equal(await countPasses(), passes + 1);
    const retry = await client.post('/passes', newPass, keyed('reply lost'));
    assert.equal(retry.status, 201);
    assert.equal(retry.headers.get('idempotent-replayed'), 'true');
    assert.equal(await countPasses(), passes + 1);
  });

  it('is not retryable without a key', async () => {
    for (const moment of ['request', 'reply'] as const) {
      proxy.cutOn('commit', moment);
      assertRefused(await client.post('/passes', newPass), 'internal_error');
    }
    proxy.cutOn('commit', 'reply');
    const renaming = await client.patch(`/passes/${pass.passId}`, { details: 'Lost' });
    assertRefused(renaming, 'internal_error');
  });

  it('is retryable for an issue with externalRef, and the card is issued once', async () => {
    for (const moment of ['request', 'reply'] as const) {
      const cards = await countCards();
      const body = { externalRef: `issue ${moment}` };
      proxy.cutOn('commit', moment);
      assertRetryable(await client.post(`/passes/${pass.passId}/instances`, body));
      const retry = await client.post(`/passes/${pass.passId}/instances`, body);
      assert.equal(retry.status, 201);
      assert.equal(retry.headers.get('idempotent-replayed'), moment === 'reply' ? 'true' : null);
      assert.equal(await countCards(), cards + 1);
    }
  });

  it('is not retryable for an issue that nothing protects', async () => {
    proxy.cutOn('commit', 'reply');
    assertRefused(await client.post(`/passes/${pass.passId}/instances`, {}), 'internal_error');
  });

  it('distinguishes every item of a batch', async () => {
    const cards = await countCards();
    const items = [{ externalRef: 'batch 1' }, { externalRef: 'batch 2' }];
    proxy.cutOn('commit', 'reply');
    const lost = await client.post(`/passes/${pass.passId}/instances/batch`, { instances: items });
    assert.deepEqual(
      lost.body.results.map((result: Json) => [result.status, result.error.retryable]),
      [
        [500, true],
        [500, true],
      ],
    );
    const retry = await client.post(`/passes/${pass.passId}/instances/batch`, { instances: items });
    assert.deepEqual(
      retry.body.results.map((result: Json) => result.status),
      [201, 201],
    );
    assert.equal(await countCards(), cards + 2);
  });
});

describe('a database that is away', () => {
  it('makes reads and writes answer a retryable 500, and is used again when it is back', async () => {
    const passes = await countPasses();
    proxy.isDown = true;
    assertRetryable(await client.get('/passes'));
    assertRetryable(await client.post('/passes', newPass));
    assertRetryable(await client.post(`/passes/${pass.passId}/instances`, {}));
    const ready = await app.anyone.impatient.get('/readyz');
    assert.equal(ready.status, 503);
    assert.equal((await app.anyone.get('/healthz')).status, 200);
    proxy.isDown = false;
    assert.equal((await client.get('/passes')).status, 200);
    assert.equal((await client.post('/passes', newPass)).status, 201);
    assert.equal(await countPasses(), passes + 1);
  });

  it('answers 503 with Retry-After within its patience when all connections are busy', async () => {
    const { pool } = app.running.app.database;
    const held = await Promise.all(Array.from({ length: 4 }, () => pool.connect()));
    const refused = await client.impatient.get('/passes');
    for (const one of held) one.release();
    assertRefused(refused, 'overloaded');
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal((await client.get('/passes')).status, 200);
  });
});
