import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';

const app = await startTestApp();
const ada = {
  identifier: 'ada',
  name: 'Ada',
  email: 'ada@example.com',
  phone: '+4930901820',
  locale: 'en',
};

let client: Client;
let pass: Json;
let card: Json;
beforeEach(async () => {
  ({ client } = await app.newWorkspace());
  pass = await makePass(client);
  card = await makeCard(client, pass.passId, { holder: ada, metadata: { a: 1 } });
});

const patch = (changes: Json, one = card) => client.patch(`/instances/${one.instanceId}`, changes);
const current = async (one = card): Promise<Json> => (await client.get(`/instances/${one.instanceId}`)).body;
const issue = (identifier: string) =>
  client.post(`/passes/${pass.passId}/instances`, { holder: { identifier } });

describe('PATCH /instances/{instanceId}', () => {
  const future = '2099-01-01T00:00:00.000Z';
  const changes: [object, object, string][] = [
    [{ holder: { name: 'Grace' } }, { holder: { ...ada, name: 'Grace' } }, 'unchanged'],
    [{ holder: { email: null, phone: null } }, { holder: { ...ada, email: null, phone: null } }, 'unchanged'],
    [{ holder: { identifier: 'grace' } }, { holder: { ...ada, identifier: 'grace' } }, 'unchanged'],
    [{ holder: { identifier: null } }, { holder: { ...ada, identifier: null } }, 'unchanged'],
    [{ holder: {} }, {}, 'unchanged'],
    [{ metadata: { b: 2 } }, { metadata: { b: 2 } }, 'unchanged'],
    [{ metadata: {} }, { metadata: {} }, 'unchanged'],
    [{ expiresAt: future }, { expiresAt: future }, 'not_installed'],
    [{ expiresAt: null }, {}, 'unchanged'],
    [
      { expiresAt: future, metadata: {}, holder: { name: null } },
      { expiresAt: future, metadata: {}, holder: { ...ada, name: null } },
      'not_installed',
    ],
  ];
  for (const [change, expected, reason] of changes) {
    it(`${JSON.stringify(change)}: changes this and leaves the rest alone`, async () => {
      const reply = await patch(change);
      assert.equal(reply.status, 200, reply.text);
      const { pushed, pushSkipReason, ...instance } = reply.body;
      const { updatedAt } = instance;
      assert.deepEqual(instance, { ...card, ...expected, updatedAt });
      assert.equal(updatedAt > card.updatedAt, Object.keys(expected).length > 0);
      assert.deepEqual([pushed, pushSkipReason], [false, reason]);
      assert.deepEqual(await current(), instance);
    });
  }

  it('knows no person behind the card once everything is cleared', async () => {
    const cleared = Object.fromEntries(Object.keys(ada).map((key) => [key, null]));
    assert.equal((await patch({ holder: cleared })).body.holder, null);
    assert.equal((await current()).holder, null);
    assert.deepEqual((await patch({ holder: { name: 'New' } })).body.holder, { ...cleared, name: 'New' });
    assert.deepEqual((await current()).holder, { ...cleared, name: 'New' });
  });

  it('falls back on the expiry of the pass when its own is cleared', async () => {
    await client.patch(`/passes/${pass.passId}`, { expiry: { kind: 'fixed', at: '2050-01-01T00:00:00Z' } });
    await patch({ expiresAt: '2040-01-01T00:00:00Z' });
    assert.equal((await patch({ expiresAt: null })).body.expiresAt, '2050-01-01T00:00:00.000Z');
  });

  it('frees the old identifier and takes the new one', async () => {
    await patch({ holder: { identifier: 'grace' } });
    assert.equal((await issue('grace')).body.instanceId, card.instanceId);
    assert.equal((await issue('ada')).status, 201);
  });

  it('refuses an identifier that has an active card of the pass', async () => {
    const other = await makeCard(client, pass.passId, { holder: { identifier: 'grace' } });
    const change = { holder: { identifier: 'grace', name: 'Grace' }, metadata: {} };
    assertRefused(await patch(change), 'holder_has_active_instance');
    assert.deepEqual(await current(), card);
    await client.post(`/instances/${other.instanceId}/void`);
    assert.equal((await patch(change)).status, 200);
  });

  it('lets a voided card keep an identifier that has a new one', async () => {
    await client.post(`/instances/${card.instanceId}/void`);
    const next = await makeCard(client, pass.passId, { holder: { identifier: 'ada' } });
    const { body } = await patch({ holder: { name: 'Former' } });
    assert.deepEqual([body.holder.identifier, body.status], ['ada', 'voided']);
    assert.equal((await issue('ada')).body.instanceId, next.instanceId);
  });

  const wrong: [Json, RegExp][] = [
    [{}, /at least 1 property/],
    [{ holder: null }, /^holder must be/],
    [{ holder: { email: 'nobody' } }, /^holder\.email/],
    [{ holder: { identifier: '' } }, /^holder\.identifier/],
    [{ holder: { age: 5 } }, /^holder\.age is not known/],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, /^expiresAt: must be in the future/],
    [{ expiresAt: 'tomorrow' }, /^expiresAt/],
    [{ metadata: null }, /^metadata must be/],
    [{ metadata: { a: {} } }, /^metadata/],
    [{ fields: {} }, /^fields must have at least 1/],
    [{ fields: { tier: { useDefault: 1 } } }, /^fields\.tier/],
    [{ status: 'voided' }, /^status is not known/],
    [{ barcode: 'A' }, /^barcode is not known/],
  ];
  for (const [change, message] of wrong) {
    it(`refuses ${JSON.stringify(change)}`, async () => {
      assertRefused(await patch(change), 'invalid_request', message);
      assert.deepEqual(await current(), card);
    });
  }

  it('does not find an unknown card, and forbids that of another account', async () => {
    assertRefused(
      await patch({ metadata: {} }, { instanceId: encodeId('inst', newUuidV7()) }),
      'instance_not_found',
    );
    const { client: stranger } = await app.newWorkspace();
    const foreign = await makeCard(stranger, (await makePass(stranger)).passId);
    assertRefused(await patch({ metadata: {} }, foreign), 'forbidden');
  });
});
