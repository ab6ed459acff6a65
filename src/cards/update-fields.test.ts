import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel, makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';

const app = await startTestApp();
const field = (key: string, more: object = {}) => ({ key, label: key, section: 'back', ...more });
const fields = [
  field('tier', { value: 'Bronze' }),
  field('note'),
  field('seat', { value: 'any' }),
  field('fixed', { value: 'F', editable: false }),
];
const defaults = { tier: 'Bronze', note: null, seat: 'any', fixed: 'F' };

let client: Client;
let pass: Json;
let card: Json;
beforeEach(async () => {
  ({ client } = await app.newWorkspace());
  pass = await makePass(client, { fields });
  card = await makeCard(client, pass.passId);
});

const patch = (changes: Json, more: object = {}, headers = {}, one = card) =>
  client.patch(`/instances/${one.instanceId}/fields`, { fields: changes, ...more }, { headers });
const current = async (one = card): Promise<Json> => (await client.get(`/instances/${one.instanceId}`)).body;

describe('PATCH /instances/{instanceId}/fields', () => {
  it('changes what is sent and leaves the rest alone', async () => {
    const reply = await patch({ tier: 'Gold' });
    assert.equal(reply.status, 200);
    const { pushed, pushSkipReason, ...instance } = reply.body;
    assert.deepEqual([pushed, pushSkipReason], [false, 'not_installed']);
    const { updatedAt } = instance;
    assert.deepEqual(instance, { ...card, fields: { ...defaults, tier: 'Gold' }, updatedAt });
    assert.deepEqual(await current(), instance);
    assert.deepEqual((await patch({ note: 'Hi', seat: '4B' })).body.fields, {
      ...defaults,
      tier: 'Gold',
      note: 'Hi',
      seat: '4B',
    });
  });

  it('clears with null, which is not the empty text and not the default', async () => {
    assert.equal((await patch({ tier: null })).body.fields.tier, null);
    assert.equal((await patch({ tier: '' })).body.fields.tier, '');
    assert.equal((await current()).fields.tier, '');
  });

  it('returns a field to the value of the pass, which it follows again', async () => {
    await patch({ tier: 'Gold', note: 'Hi' });
    const { fields: back, pushSkipReason } = (await patch({ tier: { useDefault: true } })).body;
    assert.deepEqual([back, pushSkipReason], [{ ...defaults, note: 'Hi' }, 'not_installed']);
    assert.equal((await patch({ tier: { useDefault: true } })).body.pushSkipReason, 'unchanged');
    await client.patch(`/passes/${pass.passId}`, { fields: [field('tier', { value: 'Iron' })] });
    assert.equal((await current()).fields.tier, 'Iron');
    for (const value of [{ useDefault: false }, { useDefault: true, more: 1 }, { useDefault: 'true' }, {}])
      assertRefused(await patch({ tier: value }), 'invalid_request', /^fields\.tier/);
  });

  it('gives one holder a value; the others keep theirs', async () => {
    const other = await makeCard(client, pass.passId);
    await patch({ tier: 'Gold' });
    assert.deepEqual((await current(other)).fields, defaults);
  });

  it('keeps own values when the default changes, and follows it elsewhere', async () => {
    await patch({ tier: 'Gold' });
    const changed = fields.map((one) => ({ ...one, value: 'new default' }));
    await client.patch(`/passes/${pass.passId}`, { fields: changed });
    assert.deepEqual((await current()).fields, {
      tier: 'Gold',
      note: 'new default',
      seat: 'new default',
      fixed: 'new default',
    });
  });

  it('says unchanged when the card shows the same as before', async () => {
    await patch({ tier: 'Gold', note: null });
    const same = [{ tier: 'Gold' }, { note: null }, { seat: 'any' }, { tier: 'Gold', seat: 'any' }];
    for (const changes of same) {
      const { body } = await patch(changes);
      assert.deepEqual([body.pushed, body.pushSkipReason], [false, 'unchanged'], JSON.stringify(changes));
    }
    assert.equal((await patch({ tier: 'Iron', seat: 'any' })).body.pushSkipReason, 'not_installed');
  });

  it('keeps a value that equals the default when the default changes', async () => {
    await patch({ seat: 'any' });
    await client.patch(`/passes/${pass.passId}`, { fields: [field('seat', { value: 'other' })] });
    assert.equal((await current()).fields.seat, 'any');
  });

  it('applies concurrent changes of different fields all', async () => {
    const parts = [{ tier: 'Gold' }, { note: 'Hi' }, { seat: '4B' }];
    await Promise.all([...parts, ...parts, ...parts].map((part) => patch(part)));
    assert.deepEqual((await current()).fields, { ...defaults, ...Object.assign({}, ...parts) });
  });

  it('takes values of every language, and of 1,000 characters', async () => {
    for (const value of [
      'שלום',
      '日本語',
      '👩🏽‍🚀'.repeat(50),
      'a\nb\tc',
      '<b>&"\'',
      '%@',
      'x'.repeat(1_000),
    ]) {
      assert.equal((await patch({ note: value })).body.fields.note, value);
    }
  });
});

describe('PATCH /instances/{instanceId}/fields refuses', () => {
  const refused: [string, Json, Parameters<typeof assertRefused>[1], RegExp][] = [
    ['a template-owned key', { title: 'x' }, 'template_owned_field', /"title".*PATCH \/passes/],
    ['details', { details: 'x' }, 'template_owned_field', /"details"/],
    ['terms', { terms: null }, 'template_owned_field', /"terms"/],
    ['expiry', { expiry: 'x' }, 'template_owned_field', /"expiry"/],
    ['an unknown key', { nope: 'x' }, 'unknown_field_key', /"nope".*Valid keys: tier, note, seat\./],
    ['a field that is not editable', { fixed: 'x' }, 'unknown_field_key', /Valid keys: tier, note, seat\./],
    ['a key in other letters', { Tier: 'x' }, 'unknown_field_key', /"Tier"/],
    ['a name of every object', { toString: 'x' }, 'unknown_field_key', /"toString"/],
    ['one bad key among good ones', { tier: 'x', nope: 'y' }, 'unknown_field_key', /"nope"/],
    ['the first bad key', { tier: 'x', terms: 'y', nope: 'z' }, 'template_owned_field', /"terms"/],
    ['no field at all', {}, 'invalid_request', /^fields must have at least 1/],
    ['null as fields', null, 'invalid_request', /^fields/],
    ['a list', ['tier'], 'invalid_request', /^fields must be/],
    ['a number', { tier: 5 }, 'invalid_request', /^fields\.tier must be/],
    ['an object', { tier: { a: 1 } }, 'invalid_request', /^fields\.tier must be/],
    ['1,001 characters', { tier: 'x'.repeat(1_001) }, 'invalid_request', /^fields\.tier .*1000/],
    [
      '41 fields',
      Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`f${i}`, ''])),
      'invalid_request',
      /40/,
    ],
  ];
  for (const [what, changes, code, message] of refused) {
    it(`${what}: ${code}`, async () => {
      await patch({ tier: 'Gold' });
      const before = await current();
      assertRefused(await patch(changes), code, message);
      assert.deepEqual(await current(), before);
    });
  }

  it('a pass without editable fields: fields_not_editable, before it looks at the keys', async () => {
    for (const design of [{ fields: [] }, { fields: [field('a', { editable: false })] }]) {
      const { passId } = await makePass(client, design);
      const one = await makeCard(client, passId);
      for (const key of ['a', 'title', 'nope'])
        assertRefused(await patch({ [key]: 'x' }, {}, {}, one), 'fields_not_editable');
    }
  });

  it('an imported card: fields_update_unsupported, after it has looked at the keys', async () => {
    const path = `/passes/${pass.passId}/instances/import`;
    const { results } = (
      await client.post(path, { instances: [{ barcode: 'A' }, { barcode: 'B', addressable: true }] })
    ).body;
    const [imported, addressable] = results.map((result: Json) => result.instance);
    for (const changes of [{ tier: 'x' }, { tier: null }]) {
      assertRefused(await patch(changes, {}, {}, imported), 'fields_update_unsupported', /[Rr]e-adding/);
    }
    assertRefused(await patch({ title: 'x' }, {}, {}, imported), 'template_owned_field');
    assertRefused(await patch({ nope: 'x' }, {}, {}, imported), 'unknown_field_key');
    assert.equal((await patch({ tier: 'x' }, {}, {}, addressable)).status, 200);
  });

  it('a voided card: instance_voided', async () => {
    await client.post(`/instances/${card.instanceId}/void`);
    assertRefused(await patch({ tier: 'x' }), 'instance_voided', /reactivate/);
  });

  it('an unknown card, and one of another account', async () => {
    const unknown = { instanceId: encodeId('inst', newUuidV7()) };
    assertRefused(await patch({ tier: 'x' }, {}, {}, unknown), 'instance_not_found');
    assertRefused(await patch({ tier: 'x' }, {}, {}, { instanceId: 'inst_1' }), 'instance_not_found');
    const { client: stranger } = await app.newWorkspace();
    const foreign = await makeCard(stranger, (await makePass(stranger)).passId);
    assertRefused(await patch({ tier: 'x' }, {}, {}, foreign), 'forbidden');
  });
});

describe('PATCH /instances/{instanceId}/fields with externalRef', () => {
  it('is applied once, and replayed byte for byte after other changes', async () => {
    const first = await patch({ tier: 'Gold' }, { externalRef: 'upgrade-1' });
    await patch({ tier: 'Iron' });
    const repeat = await patch({ tier: 'Gold' }, { externalRef: 'upgrade-1' });
    assert.equal(repeat.text, first.text);
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
    assert.equal((await current()).fields.tier, 'Iron');
  });

  it('is the same with the header Idempotency-Key', async () => {
    const first = await patch({ tier: 'Gold' }, {}, { 'idempotency-key': 'upgrade-1' });
    assert.equal((await patch({ tier: 'Gold' }, { externalRef: 'upgrade-1' })).text, first.text);
  });

  it('is applied once under concurrent requests', async () => {
    const replies = await inParallel(30, () => patch({ tier: 'Gold' }, { externalRef: 'upgrade-1' }));
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    const { data } = (await client.get(`/instances/${card.instanceId}/timeline`)).body;
    assert.deepEqual(
      data.map(({ kind }: Json) => kind),
      ['instance.updated', 'instance.issued'],
    );
  });

  it('refuses another change, or another card, under the same reference', async () => {
    await patch({ tier: 'Gold' }, { externalRef: 'upgrade-1' });
    assertRefused(await patch({ tier: 'Iron' }, { externalRef: 'upgrade-1' }), 'external_ref_reused');
    const other = await makeCard(client, pass.passId);
    const elsewhere = await patch({ tier: 'Gold' }, { externalRef: 'upgrade-1' }, {}, other);
    assertRefused(elsewhere, 'external_ref_reused');
  });

  it('gives the reference back when it is refused', async () => {
    assertRefused(await patch({ nope: 'x' }, { externalRef: 'upgrade-1' }), 'unknown_field_key');
    assert.equal((await patch({ tier: 'x' }, { externalRef: 'upgrade-1' })).status, 200);
  });
});
