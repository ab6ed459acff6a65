import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';

const app = await startTestApp();
let client: Client;
let pass: Json;
beforeEach(async () => {
  ({ client } = await app.newWorkspace());
  pass = await makePass(client);
});

const composed = 'Zo\u00eb \u1e69 \uac00';
const decomposed = composed.normalize('NFD');
const spellings = [composed, decomposed, 'Zo\u00eb s\u0323\u0307 \u1100\u1161'];

const issue = (body: object) => client.post(`/passes/${pass.passId}/instances`, body);
const lookUp = (query: Record<string, string>) =>
  client.get(`/instances/lookup?${new URLSearchParams(query)}`);

describe('a text that grows in the form in which texts are compared', () => {
  const grows = '\ufb2c'.repeat(255);

  it('is refused where it would be too long', async () => {
    const card = await makeCard(client, pass.passId);
    const order = { passId: pass.passId, total: { amount: '1.00', currency: 'EUR' } };
    const one = `/instances/${card.instanceId}`;
    const calls = {
      'holder.identifier': issue({ holder: { identifier: grows } }),
      barcode: issue({ barcode: grows }),
      externalId: client.post('/partners', { name: 'Harbour', externalId: grows }),
      identifier: client.post(`/passes/${pass.passId}/invites`, {
        email: 'a@example.com',
        identifier: grows,
      }),
      'barcode.value': client.patch(`/passes/${pass.passId}`, { barcode: { mode: 'simple', value: grows } }),
      'customer.id': client.post('/orders/process', { ...order, orderId: '1', customer: { id: grows } }),
      orderId: client.post('/orders/process', { ...order, orderId: grows, customer: { id: 'c' } }),
      refundId: client.post('/orders/1/refunds', { refundId: grows, amount: order.total }),
    };
    for (const [parameter, call] of Object.entries(calls))
      assertRefused(await call, 'invalid_request', new RegExp(`^${parameter}: has more than 255`));
    const changed = await client.patch(one, { holder: { identifier: grows } });
    assertRefused(changed, 'invalid_request', /^holder\.identifier/);
  });

  it('does not spoil the other cards of a batch', async () => {
    const cards = [{ holder: { identifier: grows } }, { holder: { identifier: 'cust_1' } }];
    const { results } = (await client.post(`/passes/${pass.passId}/instances/batch`, { instances: cards }))
      .body;
    assert.deepEqual(
      results.map(({ status }: Json) => status),
      [400, 201],
    );
  });

  it('may be as long as it is allowed to be', async () => {
    const identifier = '\ufb2c'.repeat(85);
    const card = await makeCard(client, pass.passId, { holder: { identifier } });
    assert.equal(card.holder.identifier.length, 255);
  });
});

describe('an identifier', () => {
  for (const [at, first] of spellings.entries()) {
    it(`is the same holder in every Unicode spelling (${at})`, async () => {
      assert.equal(new Set(spellings).size, 3);
      const card = await makeCard(client, pass.passId, { holder: { identifier: first } });
      for (const identifier of spellings) {
        assert.equal((await issue({ holder: { identifier } })).body.instanceId, card.instanceId);
        const listed = await client.get(
          `/passes/${pass.passId}/instances?identifier=${encodeURIComponent(identifier)}`,
        );
        assert.equal(listed.body.data.length, 1);
      }
    });
  }

  it('is the same after a change, too', async () => {
    const card = await makeCard(client, pass.passId);
    const changed = await client.patch(`/instances/${card.instanceId}`, {
      holder: { identifier: decomposed },
    });
    assert.equal(changed.body.holder.identifier, composed);
    for (const identifier of spellings) {
      assert.equal((await issue({ holder: { identifier } })).body.instanceId, card.instanceId);
    }
    const other = await makeCard(client, pass.passId);
    for (const identifier of spellings) {
      const taken = await client.patch(`/instances/${other.instanceId}`, { holder: { identifier } });
      assertRefused(taken, 'holder_has_active_instance');
    }
  });

  it('distinguishes a shared code in every spelling', async () => {
    const shared = await makePass(client, { barcode: { mode: 'simple', value: 'CLUB' } });
    const card = await makeCard(client, shared.passId, { holder: { identifier: decomposed } });
    await makeCard(client, shared.passId, { holder: { identifier: 'other' } });
    for (const identifier of spellings) {
      assert.equal((await lookUp({ barcode: 'CLUB', identifier })).body.instanceId, card.instanceId);
    }
  });

  it('minds case, accents and width', async () => {
    const distinct = ['zoe', 'Zoe', 'zoë', 'ｚｏｅ', 'ß', 'ss', 'ﬁ', 'fi', 'I', 'ı', 'zoe ', '１', '1'];
    const cards = new Set<string>();
    for (const identifier of distinct) cards.add((await issue({ holder: { identifier } })).body.instanceId);
    assert.equal(cards.size, distinct.length);
  });
});

describe('a barcode', () => {
  for (const [at, first] of spellings.entries()) {
    it(`is found and taken in every Unicode spelling (${at})`, async () => {
      const card = await makeCard(client, pass.passId, { barcode: first });
      assert.equal(card.barcode, composed);
      for (const barcode of spellings) {
        assert.equal((await lookUp({ barcode })).body.instanceId, card.instanceId);
        assertRefused(await issue({ barcode }), 'barcode_taken');
      }
    });

    it(`that all cards share is found in every Unicode spelling (${at})`, async () => {
      const shared = await makePass(client, { barcode: { mode: 'simple', value: first } });
      assert.equal(shared.barcode.value, composed);
      const card = await makeCard(client, shared.passId);
      for (const barcode of spellings) {
        assert.equal((await lookUp({ barcode })).body.instanceId, card.instanceId);
      }
    });
  }

  it('is the same within a batch, too', async () => {
    const path = `/passes/${pass.passId}/instances/import`;
    const { body } = await client.post(path, { instances: spellings.map((barcode) => ({ barcode })) });
    assert.deepEqual(
      body.results.map((result: Json) => result.status),
      [201, 409, 409],
    );
  });
});

describe('a reference', () => {
  it('is the same for both spellings of an identifier', async () => {
    const first = await issue({ externalRef: 'one', holder: { identifier: composed } });
    const repeat = await issue({ externalRef: 'one', holder: { identifier: decomposed } });
    assert.equal(repeat.text, first.text);
  });
});
