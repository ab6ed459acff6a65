import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { routes } from '../routes.ts';

const logged: string[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    logged.push(String(chunk));
    done();
  },
});
const app = await startTestApp({}, pino({ level: 'trace' }, sink));
let client: Client;
let pass: Json;
beforeEach(async () => {
  ({ client } = await app.newWorkspace());
  pass = await makePass(client, {
    fields: [
      { key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary' },
      { key: 'greeting', label: 'Hello', section: 'back' },
    ],
  });
});

const person = {
  identifier: 'cust-Hypatia-8841',
  name: 'Hypatia Theonos',
  email: 'hypatia@museion.example',
  phone: '+2034839999',
  locale: 'el',
};
/** Everything by which the person could be recognised. */
const traces = [
  ...Object.values(person).slice(0, 4),
  'Dear Hypatia',
  'Agora 5',
  'Hypatia',
  'Drowned at Canopus',
];

const erase = (card: Json) => client.delete(`/instances/${card.instanceId}`);

describe('DELETE /instances/{instanceId}', () => {
  it('leaves no trace of the person, whatever happened with the card', async () => {
    const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
    const body = { holder: person, fields: { greeting: 'Dear Hypatia' }, metadata: { home: 'Agora 5' } };
    const path = `/passes/${pass.passId}/instances`;
    const card = (await client.post(path, body, keyed('issue'))).body;
    const one = `/instances/${card.instanceId}`;
    await client.post(path, { holder: { identifier: person.identifier } }, keyed('issue again'));
    await client.post(
      `${path}/batch`,
      { instances: [body, { externalRef: 'in batch', ...body }] },
      keyed('batch'),
    );
    const imported = { barcode: card.barcode, holder: { identifier: person.identifier } };
    await client.post(`${path}/import`, { instances: [imported] }, keyed('import'));
    const fields = { greeting: 'Dear Hypatia', tier: 'Gold' };
    await client.patch(`${one}/fields`, { fields }, keyed('fields'));
    await client.patch(`${one}/fields`, { fields }, keyed('same fields'));
    const changes = { holder: { name: 'Hypatia Theonos' }, metadata: { home: 'Agora 5' } };
    await client.patch(one, changes, keyed('change'));
    await client.post(`${one}/void`, { reason: 'Drowned at Canopus' }, keyed('void'));
    await client.post(`${one}/void`, undefined, keyed('void again'));
    await client.post(`${one}/reactivate`, undefined, keyed('reactivate'));
    const { instanceId } = card;
    await client.post('/instances/fields/batch', { updates: [{ instanceId, fields }] }, keyed('batch'));
    await client.post(
      '/instances/void/batch',
      { voids: [{ instanceId, reason: 'Drowned at Canopus' }] },
      keyed('batch'),
    );
    await client.post(`${one}/push`, undefined, keyed('push'));
    await app.anyone.get(card.links.add);
    await app.anyone.get(card.links.apple);
    const before = await app.dump();
    for (const trace of traces) assert.ok(before.includes(trace), `${trace} was never there`);

    assert.equal((await erase(card)).status, 204);
    const after = `${await app.dump()}\n${logged.join('')}`;
    assert.ok(logged.length > 10);
    for (const trace of traces) assert.ok(!after.includes(trace), `${trace} is still there`);
  });

  it('knows every call whose kept answer shows a card: the test above makes each of them', () => {
    const showing = routes.filter(
      ({ endpoint }) => endpoint.idempotent === true && JSON.stringify(endpoint.answers).includes('"holder"'),
    );
    assert.deepEqual(
      showing.map(({ endpoint }) => endpoint.op),
      [
        'issueInstance',
        'issueBatch',
        'importInstances',
        'updateInstance',
        'updateFields',
        'voidInstance',
        'updateFieldsBatch',
        'voidBatch',
        'reactivateInstance',
        'pushInstance',
      ],
    );
  });

  it('voids the card and keeps its row, without the person', async () => {
    const card = await makeCard(client, pass.passId, { holder: person, fields: { tier: 'Gold' } });
    const reply = await erase(card);
    assert.deepEqual([reply.status, reply.text], [204, '']);
    const erased = (await client.get(`/instances/${card.instanceId}`)).body;
    assert.notEqual(erased.barcode, card.barcode);
    assert.deepEqual(erased, {
      ...card,
      barcode: erased.barcode,
      status: 'voided',
      voidedAt: erased.voidedAt,
      updatedAt: erased.updatedAt,
      holder: null,
      fields: { tier: 'Bronze', greeting: null },
      metadata: {},
    });
    assert.deepEqual((await client.get(`/passes/${pass.passId}`)).body.counts, {
      issued: 1,
      installed: 0,
      voided: 1,
    });
  });

  it('closes the card’s links', async () => {
    const card = await makeCard(client, pass.passId, { holder: person });
    await app.anyone.get(card.links.apple);
    await erase(card);
    for (const link of [card.links.add, card.links.apple, card.links.qr]) {
      assertRefused(await app.anyone.get(link), 'instance_not_found');
    }
  });

  it('makes replays answer the erased card instead of the person', async () => {
    const body = { externalRef: 'signup-1', holder: person };
    const path = `/passes/${pass.passId}/instances`;
    const card = (await client.post(path, body)).body;
    await erase(card);
    const replay = await client.post(path, body);
    assert.equal(replay.status, 201);
    assert.equal(replay.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(replay.body, (await client.get(`/instances/${card.instanceId}`)).body);
    assert.equal((await client.get(`/passes/${pass.passId}`)).body.counts.issued, 1);
  });

  it('makes a replay of what changed the person answer the erased card', async () => {
    const { instanceId } = await makeCard(client, pass.passId, { holder: person });
    const headers = { 'idempotency-key': 'new-name' };
    const change = () =>
      client.patch(`/instances/${instanceId}`, { holder: { name: 'Countess Lovelace' } }, { headers });
    assert.match((await change()).text, /Countess/);
    await client.delete(`/instances/${instanceId}`);
    const replay = await change();
    assert.equal(replay.headers.get('idempotent-replayed'), 'true');
    assert.doesNotMatch(replay.text, /Countess/);
  });

  it('frees the identifier', async () => {
    const card = await makeCard(client, pass.passId, { holder: person });
    await erase(card);
    assertRefused(
      await client.get(`/instances/lookup?barcode=${card.barcode}&identifier=${person.identifier}`),
      'instance_not_found',
    );
    const next = await makeCard(client, pass.passId, { holder: { identifier: person.identifier } });
    assert.notEqual(next.instanceId, card.instanceId);
  });

  it('changes nothing when repeated, and nothing about the card can be changed afterwards', async () => {
    const card = await makeCard(client, pass.passId, { holder: person });
    await erase(card);
    const path = `/instances/${card.instanceId}`;
    const before = (await client.get(path)).text;
    assert.equal((await erase(card)).status, 204);
    assertRefused(await client.patch(path, { holder: { name: 'x' } }), 'invalid_request', /erased/);
    assertRefused(await client.patch(`${path}/fields`, { fields: { tier: 'x' } }), 'instance_voided');
    assertRefused(await client.post(`${path}/reactivate`), 'invalid_request', /erased/);
    assert.equal((await client.post(`${path}/void`)).body.pushSkipReason, 'unchanged');
    assert.equal((await client.get(path)).text, before);
    const { data } = (await client.get(`${path}/timeline`)).body;
    assert.deepEqual(
      data.map(({ kind }: Json) => kind),
      ['instance.erased', 'instance.issued'],
    );
  });

  it('erases a voided card, too, and counts it once', async () => {
    const card = await makeCard(client, pass.passId, { holder: person });
    await client.post(`/instances/${card.instanceId}/void`);
    await erase(card);
    assert.equal((await client.get(`/instances/${card.instanceId}`)).body.holder, null);
    assert.equal((await client.get(`/passes/${pass.passId}`)).body.counts.voided, 1);
  });

  it('leaves other cards alone', async () => {
    const other = await makeCard(client, pass.passId, { holder: { identifier: 'other', name: 'Other' } });
    await erase(await makeCard(client, pass.passId, { holder: person }));
    assert.deepEqual((await client.get(`/instances/${other.instanceId}`)).body, other);
  });

  it('does not find an unknown card, and forbids that of another account', async () => {
    assertRefused(await erase({ instanceId: encodeId('inst', newUuidV7()) }), 'instance_not_found');
    const { client: stranger } = await app.newWorkspace();
    const foreign = await makeCard(stranger, (await makePass(stranger)).passId, { holder: person });
    assertRefused(await erase(foreign), 'forbidden');
    assert.equal((await stranger.get(`/instances/${foreign.instanceId}`)).body.holder.name, person.name);
    await stranger.delete(`/instances/${foreign.instanceId}`);
  });
});
