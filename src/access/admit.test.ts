import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertRefused, type Client } from '../../test/client.ts';
import { makeKey } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { newSecret } from '../kit/crypto/tokens.ts';
import { RawClient } from '../kit/http/server/raw-client.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
const { pool } = app.running.app.database;
let client: Client;
let key: string;
before(async () => {
  ({ client } = await app.newWorkspace());
  key = String(client.secret);
});

/** Sends these header lines as they stand; the status, the code and the body's request id. */
async function getMe(...lines: string[]) {
  const raw = new RawClient(Number(new URL(app.url).port));
  raw.send(['GET /me HTTP/1.1', 'Host: localhost', ...lines, '', ''].join('\r\n'));
  const answer = await raw.answer();
  raw.destroy();
  assert.ok(answer);
  const body = JSON.parse(answer.body);
  if (answer.status !== 200) assert.equal(body.requestId, answer.headers['x-request-id']);
  return `${answer.status} ${body.code ?? ''}`.trim();
}

describe('the Authorization header', () => {
  const cases: [string, () => string[], string][] = [
    ['the key', () => [`Authorization: Bearer ${key}`], '200'],
    ['the scheme in lower case', () => [`authorization: bearer ${key}`], '200'],
    ['the scheme in upper case', () => [`AUTHORIZATION: BEARER ${key}`], '200'],
    ['space around the value, which HTTP ignores', () => [`Authorization:   Bearer ${key}  `], '200'],
    ['no header', () => [], '401 missing_authorization'],
    ['an empty header', () => ['Authorization:'], '401 missing_authorization'],
    ['the scheme alone', () => ['Authorization: Bearer'], '401 missing_authorization'],
    ['another scheme', () => ['Authorization: Basic YTpi'], '401 missing_authorization'],
    ['the key without a scheme', () => [`Authorization: ${key}`], '401 missing_authorization'],
    [
      'a scheme that begins with Bearer',
      () => [`Authorization: Bearers ${key}`],
      '401 missing_authorization',
    ],
    ['two spaces', () => [`Authorization: Bearer  ${key}`], '401 invalid_api_key'],
    ['a tab', () => [`Authorization: Bearer\t${key}`], '401 invalid_api_key'],
    ['something after the key', () => [`Authorization: Bearer ${key} x`], '401 invalid_api_key'],
    ['quotes', () => [`Authorization: Bearer "${key}"`], '401 invalid_api_key'],
    ['two headers', () => [`Authorization: Bearer ${key}`, 'Authorization: Bearer x'], '401 invalid_api_key'],
    [
      'the same header twice',
      () => [`Authorization: Bearer ${key}`, `Authorization: Bearer ${key}`],
      '401 invalid_api_key',
    ],
    [
      'two keys joined by a comma',
      () => [`Authorization: Bearer ${key}, Bearer ${key}`],
      '401 invalid_api_key',
    ],
    ['8 KB', () => [`Authorization: Bearer ${'x'.repeat(8_192)}`], '401 invalid_api_key'],
    ['letters beyond ASCII', () => [`Authorization: Bearer ${key}\u00e9`], '401 invalid_api_key'],
    ['the key in lower case', () => [`Authorization: Bearer ${key.toLowerCase()}`], '401 invalid_api_key'],
    ['half of the key', () => [`Authorization: Bearer ${key.slice(0, 25)}`], '401 invalid_api_key'],
    ['an unknown key', () => [`Authorization: Bearer ${newSecret('pk_live_')}`], '401 invalid_api_key'],
    ['the prefix alone', () => ['Authorization: Bearer pk_live_'], '401 invalid_api_key'],
  ];
  for (const [name, lines, expected] of cases) {
    it(`with ${name}: ${expected}`, async () => assert.equal(await getMe(...lines()), expected));
  }
});

describe('a key with a wrong checksum', () => {
  it('is refused without asking the database', async () => {
    const lock = await pool.connect();
    await lock.query('begin');
    await lock.query('lock table api_keys in access exclusive mode');
    try {
      for (let index = 8; index < key.length; index++) {
        const other = key[index] === 'a' ? 'b' : 'a';
        const mistyped = `${key.slice(0, index)}${other}${key.slice(index + 1)}`;
        assertRefused(await client.as(mistyped).get('/me'), 'invalid_api_key');
      }
      // The caller gets no answer in time.
      const { status } = await client.as(newSecret('pk_live_')).impatient.get('/me');
      assert.ok(status >= 500, `${status}`);
    } finally {
      await lock.query('rollback');
      lock.release();
    }
  });
});

describe('a key that is in use', () => {
  /** Whether a key that was looked up 550 ms ago lets in while the database is away. */
  async function letsIn(till: Client): Promise<boolean> {
    assert.equal((await till.get('/me')).status, 200);
    const lock = await pool.connect();
    await lock.query('begin');
    await lock.query('lock table api_keys in access exclusive mode');
    await sleep(550);
    let isIn = false;
    const asking = till.get('/me').then(({ status }) => {
      isIn = status === 200;
    });
    await Promise.race([asking, sleep(500)]);
    const wasIn = isIn;
    await lock.query('rollback');
    lock.release();
    await asking;
    return wasIn;
  }

  it('is not waited for while it is looked up again', async () => {
    const till = await makeKey(client);
    // Where the machine has stood still in between, it had to be waited for.
    for (let attempt = 0; attempt < 10; attempt++) {
      app.running.app.keyCache.clear();
      if (await letsIn(till.client)) return;
    }
    assert.fail('requests wait for the look-up');
  });
});

describe('the last use of a key', () => {
  const lastUsed = async (keyId: string): Promise<number> =>
    Date.parse((await client.get(`/api-keys/${keyId}`)).body.lastUsedAt ?? 0);

  /** What it is once it has changed. */
  async function changed(keyId: string, from: number): Promise<number> {
    for (;;) {
      const now = await lastUsed(keyId);
      if (now !== from) return now;
      await sleep(10);
    }
  }

  it('is noted, once a minute at most', async () => {
    const till = await makeKey(client);
    const never = await lastUsed(till.key.keyId);
    await till.client.get('/me');
    const first = await changed(till.key.keyId, never);
    assert.ok(Math.abs(first - Date.now()) < 60_000);

    app.running.app.keyCache.clear();
    await till.client.get('/me');
    await sleep(50);
    assert.equal(await lastUsed(till.key.keyId), first);

    await app.sql("update api_keys set last_used_at = last_used_at - interval '2 minutes'");
    app.running.app.keyCache.clear();
    await till.client.get('/me');
    assert.ok((await changed(till.key.keyId, first - 120_000)) >= first);
  });

  it('does not fail a request when it cannot be noted', async () => {
    const till = await makeKey(client);
    await app.sql(`create function no_notes() returns trigger language plpgsql as
      $$ begin raise exception 'no notes today'; end $$`);
    await app.sql(
      'create trigger no_notes before update on api_keys for each row execute function no_notes()',
    );
    assert.equal((await till.client.get('/me')).status, 200);
    await sleep(50);
    assert.equal((await till.client.get('/me')).status, 200);
    await app.sql('drop trigger no_notes on api_keys');
  });
});

describe('a request id', () => {
  it('of the client is echoed; anything else is replaced, never reflected', async () => {
    const id = 'Till-4.order_8841'.padEnd(64, 'x');
    const echoed = await client.get('/me', { headers: { 'x-request-id': id } });
    assert.equal(echoed.headers.get('x-request-id'), id);
    for (const bad of [`${id}x`, 'a b', 'a,b', '<script>', 'é']) {
      const headers = { 'x-request-id': bad };
      const replaced = (await client.as('x').get('/me', { headers })).body.requestId;
      assert.match(replaced, /^req_[0-9a-f-]{36}$/);
    }
  });
});
