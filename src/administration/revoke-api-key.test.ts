import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertRefused, type Client } from '../../test/client.ts';
import { inParallel, makeKey, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';

const app = await startTestApp();
const twin = await app.twin();
let client: Client;
before(async () => {
  ({ client } = await app.newWorkspace());
});

describe('DELETE /api-keys/{keyId}', () => {
  it('revokes a key: it is refused at once, and still listed', async () => {
    const till = await makeKey(client);
    assert.equal((await till.client.get('/me')).status, 200);
    const revoked = await client.delete(`/api-keys/${till.key.keyId}`);
    assert.equal(revoked.status, 200);
    assert.ok(revoked.body.revokedAt !== null);
    assertRefused(await till.client.get('/me'), 'invalid_api_key');
    assert.deepEqual(
      (await client.get(`/api-keys/${till.key.keyId}`)).body.revokedAt,
      revoked.body.revokedAt,
    );
  });

  it('changes nothing when repeated', async () => {
    const { key } = await makeKey(client);
    const first = await client.delete(`/api-keys/${key.keyId}`);
    app.advance(5_000);
    assert.deepEqual((await client.delete(`/api-keys/${key.keyId}`)).body, first.body);
  });

  it('revokes the key that calls, once another full-access key exists', async () => {
    const { client: own } = await app.newWorkspace();
    const { keyId } = (await own.get('/me')).body;
    const other = await makeKey(own);
    assert.equal((await own.delete(`/api-keys/${keyId}`)).status, 200);
    assertRefused(await own.get('/me'), 'invalid_api_key');
    assert.equal((await other.client.get('/me')).status, 200);
  });

  it('ends the old secrets of a rotated key, too', async () => {
    const till = await makeKey(client);
    const path = `/api-keys/${till.key.keyId}`;
    const rotated = await client.post(`${path}/rotate`, { overlapSeconds: 3_600 });
    await client.delete(path);
    for (const secret of [till.client.secret, rotated.body.secret]) {
      assertRefused(await client.as(secret).get('/me'), 'invalid_api_key');
    }
  });

  it('is seen by another process within a second', async () => {
    const till = await makeKey(client);
    const elsewhere = twin.as(till.client.secret);
    assert.equal((await elsewhere.get('/me')).status, 200);
    await client.delete(`/api-keys/${till.key.keyId}`);
    const revokedAt = performance.now();
    for (;;) {
      const askedAt = performance.now();
      if ((await elsewhere.get('/me')).status !== 200) break;
      assert.ok(askedAt - revokedAt < 1_000, 'the other process still lets it in');
      await sleep(20);
    }
    assertRefused(await elsewhere.get('/me'), 'invalid_api_key');
  });

  it('is seen within a second by another process that was not asked in between', async () => {
    const till = await makeKey(client);
    const elsewhere = twin.as(till.client.secret);
    assert.equal((await elsewhere.get('/me')).status, 200);
    await client.delete(`/api-keys/${till.key.keyId}`);
    await sleep(1_001);
    assertRefused(await elsewhere.get('/me'), 'invalid_api_key');
  });

  it('refuses the last full-access key', async () => {
    const { client: own } = await app.newWorkspace();
    const { keyId } = (await own.get('/me')).body;
    await makeKey(own, { access: 'read' });
    const expiring = await makeKey(own, { expiresAt: new Date(Date.now() + 120_000).toISOString() });
    app.advance(121_000);
    assertRefused(await expiring.client.get('/me'), 'invalid_api_key');
    assertRefused(await own.delete(`/api-keys/${keyId}`), 'last_key');
    assert.equal((await own.get('/me')).status, 200);
  });

  it('leaves one key when all of them are revoked at the same time', async () => {
    const { client: own } = await app.newWorkspace();
    const keys = [
      { client: own, keyId: (await own.get('/me')).body.keyId },
      ...(await inParallel(5, async () => {
        const { client: other, key } = await makeKey(own);
        return { client: other, keyId: key.keyId };
      })),
    ];
    // Every key revokes itself.
    const replies = await Promise.all(keys.map((one) => one.client.delete(`/api-keys/${one.keyId}`)));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 5, 409: 1 });
    const live = await Promise.all(keys.map((one) => one.client.get('/me')));
    assert.deepEqual(tally(live.map(({ status }) => status)), { 200: 1, 401: 5 });
  });

  it('does not find an unknown key, and forbids that of another account', async () => {
    const { key } = await makeKey((await app.newWorkspace()).client);
    assertRefused(await client.delete(`/api-keys/${encodeId('key', newUuidV7())}`), 'api_key_not_found');
    assertRefused(await client.delete(`/api-keys/${key.keyId}`), 'forbidden');
  });
});
