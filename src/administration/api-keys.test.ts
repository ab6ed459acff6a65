import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel, makeCard, makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';

const app = await startTestApp();
let client: Client;
let stranger: Client;
before(async () => {
  ({ client } = await app.newWorkspace());
  ({ client: stranger } = await app.newWorkspace());
});

const soon = () => new Date(Date.now() + 3_600_000).toISOString();
const unknownKey = encodeId('key', newUuidV7());

describe('POST /api-keys', () => {
  it('makes a key whose secret works at once', async () => {
    const expiresAt = soon();
    const created = await client.post('/api-keys', {
      name: 'Till 4',
      access: 'full',
      rateLimit: 20,
      expiresAt,
    });
    assert.equal(created.status, 201);
    const { secret, keyId, createdAt, ...rest } = created.body;
    assert.match(secret, /^pk_live_[0-9A-Za-z]{36}$/);
    assert.deepEqual(rest, {
      name: 'Till 4',
      access: 'full',
      passIds: null,
      rateLimit: 20,
      expiresAt,
      revokedAt: null,
      lastUsedAt: null,
    });
    assert.equal((await client.as(secret).get('/me')).body.keyId, keyId);
  });

  it('replays the same secret to the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'till-5' };
    const body = { name: 'Till 5', access: 'read' };
    const answers = await inParallel(10, () => client.post('/api-keys', body, { headers }));
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal(answers.filter((answer) => answer.headers.get('idempotent-replayed') === 'true').length, 9);
    const named = (await client.get('/api-keys?limit=100')).body.data;
    assert.equal(named.filter(({ name }: Json) => name === 'Till 5').length, 1);
    const other = await client.post('/api-keys', { ...body, access: 'full' }, { headers });
    assertRefused(other, 'external_ref_reused');
  });

  it('restricts a key to passes of the workspace only', async () => {
    const own = await makePass(client);
    const foreign = await makePass(stranger);
    for (const passIds of [[foreign.passId], [own.passId, foreign.passId], ['pass_x'], [unknownKey]]) {
      const reply = await client.post('/api-keys', { name: 'x', access: 'full', passIds });
      assertRefused(reply, 'invalid_request', /passIds: every id must be a pass of this workspace/);
    }
  });

  const wrong: [object, RegExp][] = [
    [{ access: 'full' }, /name is required/],
    [{ name: 'x' }, /access is required/],
    [{ name: 'x', access: 'admin' }, /access must be/],
    [{ name: '', access: 'full' }, /name/],
    [{ name: 'x', access: 'full', passIds: [] }, /passIds must have at least 1 item/],
    [{ name: 'x', access: 'full', passIds: ['a', 'a'] }, /passIds must not repeat/],
    [{ name: 'x', access: 'full', rateLimit: 0 }, /rateLimit must be at least 1/],
    [{ name: 'x', access: 'full', rateLimit: 100_001 }, /rateLimit must be at most 100000/],
    [{ name: 'x', access: 'full', rateLimit: '5' }, /rateLimit/],
    [{ name: 'x', access: 'full', expiresAt: '2020-01-01T00:00:00Z' }, /expiresAt: must be in the future/],
    [{ name: 'x', access: 'full', expiresAt: '2027-01-01' }, /expiresAt/],
    [{ name: 'x', access: 'full', secret: 'pk_live_mine' }, /secret is not known/],
  ];
  for (const [body, message] of wrong) {
    it(`refuses ${JSON.stringify(body)}`, async () => {
      assertRefused(await client.post('/api-keys', body), 'invalid_request', message);
    });
  }
});

describe('GET /api-keys', () => {
  it('lists the keys of the workspace, newest first, without secrets', async () => {
    const { client: own } = await app.newWorkspace();
    const made = [];
    for (const name of ['A', 'B', 'C']) made.push((await makeKey(own, { name })).key.keyId);
    const { body } = await own.get('/api-keys?limit=3');
    assert.deepEqual(
      body.data.map(({ keyId }: Json) => keyId),
      made.reverse(),
    );
    assert.ok(body.data.every((key: Json) => !('secret' in key)));
    const rest = await own.get(`/api-keys?limit=3&cursor=${body.nextCursor}`);
    assert.deepEqual(
      rest.body.data.map(({ name }: Json) => name),
      ['First key'],
    );
    assert.equal(rest.body.nextCursor, null);
  });
});

describe('GET /api-keys/{keyId}', () => {
  it('shows a key without its secret', async () => {
    const { key } = await makeKey(client);
    assert.deepEqual((await client.get(`/api-keys/${key.keyId}`)).body, key);
  });

  it('does not find an unknown one, and forbids that of another account', async () => {
    const { key } = await makeKey(stranger);
    assertRefused(await client.get(`/api-keys/${unknownKey}`), 'api_key_not_found');
    assertRefused(await client.get('/api-keys/key_1'), 'api_key_not_found');
    assertRefused(await client.get(`/api-keys/${key.keyId}`), 'forbidden');
  });
});

describe('PATCH /api-keys/{keyId}', () => {
  it('changes what is sent, at once, and leaves the rest alone', async () => {
    const pass = await makePass(client);
    const till = await makeKey(client, { rateLimit: 50 });
    const path = `/api-keys/${till.key.keyId}`;
    assert.equal((await till.client.post('/passes', { title: 'x', type: 'coupon' })).status, 201);

    const narrowed = await client.patch(path, { access: 'read', passIds: [pass.passId] });
    const { lastUsedAt: _, ...expected } = { ...till.key, access: 'read', passIds: [pass.passId] };
    const { lastUsedAt: __, ...found } = narrowed.body;
    assert.deepEqual(found, expected);
    assertRefused(await till.client.post('/passes', { title: 'x', type: 'coupon' }), 'insufficient_scope');
    assertRefused(await till.client.get('/workspace'), 'insufficient_scope');

    const widened = await client.patch(path, { access: 'full', passIds: null, rateLimit: null });
    assert.deepEqual(
      [widened.body.access, widened.body.passIds, widened.body.rateLimit],
      ['full', null, null],
    );
    assert.equal((await till.client.get('/workspace')).status, 200);
  });

  it('ends a key at the moment it is given', async () => {
    const till = await makeKey(client);
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    await client.patch(`/api-keys/${till.key.keyId}`, { expiresAt });
    assert.equal((await till.client.get('/me')).status, 200);
    app.advance(61_000);
    assertRefused(await till.client.get('/me'), 'invalid_api_key');
  });

  it('does not find an unknown key, and forbids that of another account', async () => {
    const { key } = await makeKey(stranger);
    assertRefused(await client.patch(`/api-keys/${unknownKey}`, { name: 'x' }), 'api_key_not_found');
    assertRefused(await client.patch(`/api-keys/${key.keyId}`, { name: 'x' }), 'forbidden');
  });

  it('refuses nothing to change, the past, and what is not a setting', async () => {
    const { key } = await makeKey(client);
    const path = `/api-keys/${key.keyId}`;
    assertRefused(await client.patch(path, {}), 'invalid_request', /at least 1 property/);
    assertRefused(
      await client.patch(path, { expiresAt: '2020-01-01T00:00:00Z' }),
      'invalid_request',
      /future/,
    );
    assertRefused(await client.patch(path, { revokedAt: null }), 'invalid_request', /revokedAt is not known/);
    assertRefused(await client.patch(path, { access: null }), 'invalid_request', /access/);
  });
});

describe('the last full-access key', () => {
  it('cannot be restricted, and nothing is changed', async () => {
    const { client: own } = await app.newWorkspace();
    const pass = await makePass(own);
    const { keyId } = (await own.get('/me')).body;
    await makeKey(own, { access: 'read' });
    await makeKey(own, { passIds: [pass.passId] });
    for (const changes of [{ access: 'read' }, { passIds: [pass.passId] }, { expiresAt: soon() }]) {
      assertRefused(await own.patch(`/api-keys/${keyId}`, changes), 'last_key');
    }
    const { body } = await own.get(`/api-keys/${keyId}`);
    assert.deepEqual([body.access, body.passIds, body.expiresAt], ['full', null, null]);
  });

  it('can be renamed, even when it has an end', async () => {
    const { client: own } = await app.newWorkspace();
    const first = (await own.get('/me')).body.keyId;
    const last = await makeKey(own, { expiresAt: soon() });
    assert.equal((await last.client.delete(`/api-keys/${first}`)).status, 200);
    const path = `/api-keys/${last.key.keyId}`;
    assert.equal((await last.client.patch(path, { name: 'Last' })).body.name, 'Last');
    const later = new Date(Date.now() + 7_200_000).toISOString();
    assert.equal((await last.client.patch(path, { expiresAt: later })).body.expiresAt, later);
    assertRefused(await last.client.patch(path, { expiresAt: soon() }), 'last_key');
    assert.equal((await last.client.patch(path, { expiresAt: null })).body.expiresAt, null);
  });
});

describe('a read-only key', () => {
  it('reads everything and changes nothing', async () => {
    const pass = await makePass(client);
    const card = await makeCard(client, pass.passId);
    const { client: reader } = await makeKey(client, { access: 'read' });
    for (const path of ['/workspace', '/api-keys', '/credits', '/passes', `/instances/${card.instanceId}`]) {
      assert.equal((await reader.get(path)).status, 200, path);
    }
    const writes = [
      reader.post('/passes', { title: 'x', type: 'coupon' }),
      reader.patch(`/passes/${pass.passId}`, { title: 'x' }),
      reader.post(`/passes/${pass.passId}/instances`, {}),
      reader.post(`/instances/${card.instanceId}/void`),
      reader.delete(`/instances/${card.instanceId}`),
      reader.post('/api-keys', { name: 'x', access: 'read' }),
    ];
    for (const reply of await Promise.all(writes)) assertRefused(reply, 'insufficient_scope', /read-only/);
    assert.equal((await client.get(`/instances/${card.instanceId}`)).body.status, 'active');
  });
});

describe('a key restricted to certain passes', () => {
  it('reaches those passes and their cards, and nothing else', async () => {
    const mine = await makePass(client);
    const other = await makePass(client);
    const otherCard = await makeCard(client, other.passId);
    const { client: till } = await makeKey(client, { passIds: [mine.passId] });

    const card = await makeCard(till, mine.passId, { holder: { name: 'Ada' } });
    assert.equal((await till.get(`/instances/${card.instanceId}`)).status, 200);
    assert.equal((await till.patch(`/passes/${mine.passId}`, { details: 'Mine' })).status, 200);
    assert.deepEqual(
      (await till.get('/passes')).body.data.map(({ passId }: Json) => passId),
      [mine.passId],
    );
    const beyond = [
      till.get(`/passes/${other.passId}`),
      till.patch(`/passes/${other.passId}`, { title: 'x' }),
      till.delete(`/passes/${other.passId}`),
      till.get(`/passes/${other.passId}/instances`),
      till.post(`/passes/${other.passId}/instances`, {}),
      till.post(`/passes/${other.passId}/instances/batch`, { instances: [{}] }),
      till.post(`/passes/${other.passId}/instances/import`, { instances: [{ barcode: '1' }] }),
      till.get(`/instances/${otherCard.instanceId}`),
      till.get(`/instances/${otherCard.instanceId}/timeline`),
      till.patch(`/instances/${otherCard.instanceId}`, { metadata: {} }),
      till.patch(`/instances/${otherCard.instanceId}/fields`, { fields: { tier: 'Gold' } }),
      till.post(`/instances/${otherCard.instanceId}/void`),
      till.post(`/instances/${otherCard.instanceId}/reactivate`),
      till.delete(`/instances/${otherCard.instanceId}`),
      till.get(`/instances/lookup?instanceId=${otherCard.instanceId}`),
      till.get(`/instances/lookup?barcode=1&passId=${other.passId}`),
    ];
    for (const reply of await Promise.all(beyond))
      assertRefused(reply, 'insufficient_scope', /does not reach/);
    const lookUp = await till.get(`/instances/lookup?barcode=${otherCard.barcode}`);
    assertRefused(lookUp, 'instance_not_found');
  });

  it('creates neither passes nor keys, and sees nothing of the workspace', async () => {
    const pass = await makePass(client);
    const { client: till } = await makeKey(client, { passIds: [pass.passId] });
    const refused = [
      till.post('/passes', { title: 'x', type: 'coupon' }),
      till.post(`/passes/${pass.passId}/clone`),
      till.post('/api-keys', { name: 'x', access: 'full' }),
      till.get('/api-keys'),
      till.get('/workspace'),
      till.patch('/workspace', { name: 'x' }),
      till.get('/credits'),
      till.get('/credits/entries'),
    ];
    for (const reply of await Promise.all(refused)) assertRefused(reply, 'insufficient_scope', /restricted/);
  });
});
