import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel, makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';

const app = await startTestApp();
let client: Client;
before(async () => {
  ({ client } = await app.newWorkspace());
});

const minute = 60_000;

/** A new key, and a way to ask whether one of its secrets works. */
async function key(settings: object = {}) {
  const made = await makeKey(client, settings);
  return {
    ...made,
    secret: made.client.secret,
    rotate: (body?: object, headers = {}) =>
      client.post(`/api-keys/${made.key.keyId}/rotate`, body, { headers }),
  };
}

async function works(secret: string | null): Promise<boolean> {
  const reply = await client.as(secret).get('/me');
  if (reply.status !== 200) assertRefused(reply, 'invalid_api_key');
  return reply.status === 200;
}

describe('POST /api-keys/{keyId}/rotate', () => {
  it('gives the same key a new secret; the old one ends at once by default', async () => {
    const pass = await makePass(client);
    const till = await key({ access: 'read', passIds: [pass.passId], rateLimit: 20 });
    for (const body of [undefined, {}, { overlapSeconds: 0 }]) {
      const old = (await till.rotate({ overlapSeconds: 60 })).body.secret;
      const rotated = await till.rotate(body);
      assert.equal(rotated.status, 201);
      const { secret, lastUsedAt: _, ...rest } = rotated.body;
      const { lastUsedAt: __, ...same } = till.key;
      assert.deepEqual(rest, same);
      assert.equal(await works(old), false);
      assert.equal(await works(secret), true);
    }
  });

  it('lets both secrets work until the overlap ends', async () => {
    const till = await key();
    const { secret } = (await till.rotate({ overlapSeconds: 600 })).body;
    app.advance(9 * minute);
    assert.deepEqual([await works(till.secret), await works(secret)], [true, true]);
    app.advance(minute + 1_000);
    assert.deepEqual([await works(till.secret), await works(secret)], [false, true]);
  });

  it('never extends an overlap that is under way', async () => {
    const till = await key();
    const second = (await till.rotate({ overlapSeconds: 60 })).body.secret;
    const third = (await till.rotate({ overlapSeconds: 600 })).body.secret;
    app.advance(2 * minute);
    assert.deepEqual(await Promise.all([till.secret, second, third].map(works)), [false, true, true]);
  });

  it('never lets a secret live longer than its key', async () => {
    const till = await key({ expiresAt: new Date(Date.now() + 60 * minute).toISOString() });
    const { secret, expiresAt } = (await till.rotate({ overlapSeconds: 604_800 })).body;
    assert.equal(expiresAt, till.key.expiresAt);
    app.advance(30 * minute);
    assert.deepEqual([await works(till.secret), await works(secret)], [true, true]);
    app.advance(60 * minute);
    assert.deepEqual([await works(till.secret), await works(secret)], [false, false]);
  });

  it('rotates once for one Idempotency-Key, and shows the same secret again', async () => {
    const till = await key();
    const headers = { 'idempotency-key': 'rotation-1' };
    const replies = await inParallel(10, () => till.rotate({ overlapSeconds: 60 }, headers));
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.equal(await works(replies[0]?.body.secret), true);
    assert.equal(await works(till.secret), true);
    assertRefused(await till.rotate({ overlapSeconds: 0 }, headers), 'external_ref_reused');
    const other = await key();
    assertRefused(await other.rotate({ overlapSeconds: 60 }, headers), 'external_ref_reused');
  });

  it('takes no body and no overlap for the same rotation', async () => {
    const till = await key();
    const headers = { 'idempotency-key': 'rotation-2' };
    const { text } = await till.rotate(undefined, headers);
    for (const body of [{}, { overlapSeconds: 0 }]) {
      assert.equal((await till.rotate(body, headers)).text, text);
    }
  });

  it('refuses a key that has ended', async () => {
    const revoked = await key();
    await client.delete(`/api-keys/${revoked.key.keyId}`);
    assertRefused(await revoked.rotate({}), 'api_key_not_found', /has ended/);
    const expired = await key({ expiresAt: new Date(Date.now() + 600 * minute).toISOString() });
    app.advance(600 * minute);
    assertRefused(await expired.rotate({}), 'api_key_not_found', /has ended/);
  });

  it('does not find an unknown key, and forbids that of another account', async () => {
    const { key: foreign } = await makeKey((await app.newWorkspace()).client);
    const unknown = encodeId('key', newUuidV7());
    assertRefused(await client.post(`/api-keys/${unknown}/rotate`), 'api_key_not_found');
    assertRefused(await client.post(`/api-keys/${foreign.keyId}/rotate`), 'forbidden');
  });

  const wrong: [Json, RegExp][] = [
    [{ overlapSeconds: -1 }, /at least 0/],
    [{ overlapSeconds: 604_801 }, /at most 604800/],
    [{ overlapSeconds: 1.5 }, /whole number/],
    [{ overlapSeconds: '60' }, /whole number/],
    [{ overlapSeconds: null }, /whole number/],
    [{ overlap: 60 }, /overlap is not known/],
    [[], /object/],
    ['null', /object/],
  ];
  for (const [body, message] of wrong) {
    it(`refuses ${JSON.stringify(body)}`, async () => {
      assertRefused(await (await key()).rotate(body), 'invalid_request', message);
    });
  }
});
