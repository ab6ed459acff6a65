import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';

const app = await startTestApp();
let client: Client;
let stranger: Client;
let pass: Json;
before(async () => {
  ({ client } = await app.newWorkspace());
  stranger = (await app.newWorkspace()).client;
});
beforeEach(async () => {
  pass = await makePass(client);
});

async function makePartner(by = client): Promise<string> {
  return (await by.post('/partners', { name: 'Harbour' })).body.partnerId;
}

async function goneId(): Promise<string> {
  const partnerId = await makePartner();
  assert.equal((await client.delete(`/partners/${partnerId}`)).status, 204);
  return partnerId;
}

const issue = (body: object, by = client) => by.post(`/passes/${pass.passId}/instances`, body);
const issuedAt = async (card: Json) => (await client.get(`/instances/${card.instanceId}`)).body.partnerId;

describe('a card issued at a partner', () => {
  it('names the partner wherever it is shown', async () => {
    const partnerId = await makePartner();
    const card = await makeCard(client, pass.passId, { partnerId });
    assert.equal(card.partnerId, partnerId);
    assert.deepEqual((await client.get(`/instances/${card.instanceId}`)).body, card);
    assert.deepEqual((await client.get(`/passes/${pass.passId}/instances`)).body.data, [card]);
    assert.deepEqual((await client.get(`/instances/lookup?barcode=${card.barcode}`)).body, card);
  });

  it('needs none', async () => {
    for (const body of [{}, { partnerId: null }])
      assert.equal((await makeCard(client, pass.passId, body)).partnerId, null);
  });

  it('keeps it when the partner is deleted, when it is voided and when its holder is erased', async () => {
    const partnerId = await makePartner();
    const card = await makeCard(client, pass.passId, { partnerId, holder: { identifier: 'ada' } });
    await client.delete(`/partners/${partnerId}`);
    await client.post(`/instances/${card.instanceId}/void`);
    assert.equal(await issuedAt(card), partnerId);
    await client.delete(`/instances/${card.instanceId}`);
    assert.equal(await issuedAt(card), partnerId);
  });

  it('stays at the partner of its first issue', async () => {
    const [first, second] = [await makePartner(), await makePartner()];
    const holder = { identifier: 'ada' };
    const card = await makeCard(client, pass.passId, { holder, partnerId: first });
    const repeat = await issue({ holder, partnerId: second });
    assert.deepEqual([repeat.status, repeat.body], [200, card]);
  });

  it('is replayed, whatever partner the repeat names', async () => {
    const partnerId = await makePartner();
    const first = await issue({ externalRef: 'signup-1', partnerId });
    await client.delete(`/partners/${partnerId}`);
    for (const other of [partnerId, 'part_O0l', null]) {
      const repeat = await issue({ externalRef: 'signup-1', partnerId: other });
      assert.deepEqual([repeat.status, repeat.text], [201, first.text]);
    }
  });

  it('may be issued by a key that is restricted to its pass and cannot see partners', async () => {
    const partnerId = await makePartner();
    const { client: till } = await makeKey(client, { passIds: [pass.passId] });
    assertRefused(await till.get(`/partners/${partnerId}`), 'insufficient_scope');
    const { status, body } = await issue({ partnerId }, till);
    assert.deepEqual([status, body.partnerId], [201, partnerId]);
  });
});

describe('issue refuses with partner_not_found, and issues nothing,', () => {
  const ids: readonly (readonly [what: string, id: () => Promise<string>])[] = [
    ['an unknown id', async () => encodeId('part', newUuidV7())],
    ['a partner that is deleted', goneId],
    ['a partner of another account', () => makePartner(stranger)],
    ['a malformed id', async () => 'part_O0l'],
    ['an id in capitals', async () => (await makePartner()).toUpperCase()],
    ['an id of another kind', async () => encodeId('pass', newUuidV7())],
  ];
  for (const [what, id] of ids) {
    it(what, async () => {
      const partnerId = await id();
      assertRefused(await issue({ partnerId, externalRef: what }), 'partner_not_found');
      assert.equal((await issue({ externalRef: what })).status, 201);
      assert.equal((await client.get(`/passes/${pass.passId}`)).body.counts.issued, 1);
    });
  }

  it('after the pass and the body were found good', async () => {
    const partnerId = encodeId('part', newUuidV7());
    assertRefused(await issue({ partnerId, fields: { nope: 'x' } }), 'unknown_field_key');
    await client.patch(`/passes/${pass.passId}`, { status: 'archived' });
    assertRefused(await issue({ partnerId }), 'pass_archived');
  });
});

it('each item of a batch has its own partner, or its own refusal', async () => {
  const [one, other, gone, foreign] = [
    await makePartner(),
    await makePartner(),
    await goneId(),
    await makePartner(stranger),
  ];
  const named = [one, other, gone, undefined, foreign, 'part_O0l', one, null];
  const { body } = await client.post(`/passes/${pass.passId}/instances/batch`, {
    instances: named.map((partnerId) => ({ ...(partnerId !== undefined && { partnerId }) })),
  });
  const outcomes = body.results.map(({ instance, error }: Json) => error?.code ?? instance.partnerId);
  const missing = 'partner_not_found';
  assert.deepEqual(outcomes, [one, other, missing, null, missing, missing, one, null]);
  for (const [at, { instance }] of body.results.entries())
    if (instance !== undefined) assert.equal(await issuedAt(instance), named[at] ?? null);
});
