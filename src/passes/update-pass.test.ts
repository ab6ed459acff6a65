import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';

const app = await startTestApp();
let client: Client;
before(async () => {
  ({ client } = await app.newWorkspace());
});

const pathOf = (pass: Json) => `/passes/${pass.passId}`;
const patch = (pass: Json, changes: object) => client.patch(pathOf(pass), changes);
const current = async (pass: Json): Promise<Json> => (await client.get(pathOf(pass))).body;

const whole = {
  title: 'Blue Bean Club',
  type: 'loyalty',
  details: 'Ten stamps',
  terms: 'No refunds',
  expiry: { kind: 'afterIssue', days: 30 },
  fields: [{ key: 'tier', label: 'Tier', section: 'secondary' }],
  colors: { background: '#10324a', foreground: '#ffffff', label: '#c8d7e0' },
  barcode: { mode: 'simple', format: 'qr', value: 'CLUB' },
  locations: [{ latitude: 1, longitude: 2 }],
  metadata: { a: 1 },
};

describe('PATCH /passes/{passId}', () => {
  const complete = { value: null, editable: true, changeMessage: null };
  const changes: [object, object][] = [
    [{ title: 'New' }, { title: 'New' }],
    [{ type: 'coupon' }, { type: 'coupon' }],
    [{ details: 'Other' }, { details: 'Other' }],
    [{ details: null }, { details: null }],
    [{ terms: null }, { terms: null }],
    [{ expiry: { kind: 'none' } }, { expiry: { kind: 'none' } }],
    [
      { fields: [{ key: 'a', label: 'A', section: 'back' }] },
      { fields: [{ key: 'a', label: 'A', section: 'back', ...complete }] },
    ],
    [{ fields: [] }, { fields: [] }],
    [{ colors: { label: null } }, { colors: { ...whole.colors, label: null } }],
    [
      { colors: { background: '#000000' }, title: 'Two' },
      { colors: { ...whole.colors, background: '#000000' }, title: 'Two' },
    ],
    [{ barcode: { format: 'aztec' } }, { barcode: { ...whole.barcode, format: 'aztec' } }],
    [{ barcode: { value: 'NEW' } }, { barcode: { ...whole.barcode, value: 'NEW' } }],
    [{ barcode: { mode: 'pool' } }, { barcode: { ...whole.barcode, mode: 'pool', value: null } }],
    [{ locations: [] }, { locations: [] }],
    [{ metadata: { b: 2 } }, { metadata: { b: 2 } }],
    [{ iconUrl: null }, {}],
  ];
  for (const [change, expected] of changes) {
    it(`${JSON.stringify(change).slice(0, 70)}: changes this and leaves the rest alone`, async () => {
      const pass = await makePass(client, whole, 'draft');
      app.advance(10);
      const reply = await patch(pass, change);
      assert.equal(reply.status, 200, reply.text);
      const { updatedAt, ...rest } = reply.body;
      const { updatedAt: was, ...unchanged } = pass;
      assert.deepEqual(rest, { ...unchanged, ...expected });
      assert.ok(updatedAt > was);
      assert.deepEqual(await current(pass), reply.body);
    });
  }

  it('changes nothing when one part is wrong', async () => {
    const pass = await makePass(client, whole, 'draft');
    const wrong: [object, RegExp][] = [
      [{ title: 'New', details: '' }, /^details/],
      [{ title: 'New', status: 'archived' }, /^status: a draft pass can become published/],
      [{ title: 'New', barcode: { value: null } }, /^barcode\.value: is required with mode "simple"/],
      [{ title: 'New', barcode: { mode: 'unique', value: 'A' } }, /^barcode\.value: only mode "simple"/],
      [{ title: 'New', fields: [{ key: 'title', label: 'x', section: 'back' }] }, /^fields\[0\]\.key/],
      [{ title: 'New', heroUrl: 5 }, /^heroUrl/],
      [{ title: null }, /^title/],
      [{ title: 'New', type: null }, /^type/],
      [{ title: 'New', fields: null }, /^fields/],
      [{ title: 'New', passId: 'pass_1' }, /^passId is not known/],
      [{}, /at least 1 property/],
    ];
    for (const [change, message] of wrong)
      assertRefused(await patch(pass, change), 'invalid_request', message);
    assert.deepEqual(await current(pass), pass);
  });

  it('takes a format that its shared value does not fit for a mistake', async () => {
    const pass = await makePass(client, { barcode: { mode: 'simple', value: 'Zoë' } });
    assertRefused(await patch(pass, { barcode: { format: 'code128' } }), 'invalid_request', /Code 128/);
  });

  it('does not find an unknown pass, and forbids that of another account', async () => {
    const foreign = await makePass((await app.newWorkspace()).client);
    assertRefused(await patch({ passId: encodeId('pass', newUuidV7()) }, { title: 'x' }), 'pass_not_found');
    assertRefused(await patch({ passId: 'pass_1' }, { title: 'x' }), 'pass_not_found');
    assertRefused(await patch(foreign, { title: 'x' }), 'forbidden');
  });

  it('applies concurrent changes of different parts all', async () => {
    const pass = await makePass(client);
    const parts = [{ title: 'New' }, { details: 'D' }, { terms: 'T' }, { metadata: { m: 1 } }];
    await Promise.all(parts.map((part) => patch(pass, part)));
    const { title, details, terms, metadata } = await current(pass);
    assert.deepEqual({ title, details, terms, metadata }, Object.assign({}, ...parts));
  });
});

describe('the status of a pass', () => {
  const statuses = ['draft', 'published', 'archived'] as const;
  const refused = ['draft → archived'];
  for (const from of statuses) {
    for (const to of statuses) {
      const move = `${from} → ${to}`;
      it(`${move} is ${refused.includes(move) ? 'refused' : 'allowed'}`, async () => {
        const pass = await makePass(client, {}, from);
        const reply = await patch(pass, { status: to });
        if (refused.includes(move)) {
          assertRefused(reply, 'invalid_request', /^status: a draft pass can become published, not archived/);
          assert.equal((await current(pass)).status, from);
        } else {
          assert.equal(reply.body.status, to);
          assert.equal((await current(pass)).status, to);
        }
      });
    }
  }

  it('may change together with the design', async () => {
    const pass = await makePass(client, {}, 'draft');
    const { body } = await patch(pass, { status: 'published', title: 'Open now' });
    assert.deepEqual([body.status, body.title], ['published', 'Open now']);
  });

  it('may be nothing else', async () => {
    const pass = await makePass(client);
    for (const status of ['deleted', 'Published', '', null, 1]) {
      assertRefused(await patch(pass, { status }), 'invalid_request', /^status must be/);
    }
  });
});

describe('once cards exist', () => {
  it('type and barcode mode are fixed; everything else may change', async () => {
    const pass = await makePass(client);
    await makeCard(client, pass.passId);
    const fixed: [object, RegExp][] = [
      [{ type: 'coupon' }, /^type: is fixed once instances exist/],
      [{ barcode: { mode: 'none' } }, /^barcode\.mode: is fixed once instances exist/],
      [{ barcode: { mode: 'simple', value: 'A' } }, /^barcode\.mode: is fixed/],
      [{ barcode: { mode: 'pool' } }, /^barcode\.mode: is fixed/],
    ];
    for (const [change, message] of fixed)
      assertRefused(await patch(pass, change), 'invalid_request', message);
    const { body } = await patch(pass, {
      type: pass.type,
      barcode: { mode: 'unique', format: 'aztec' },
      fields: [],
      expiry: { kind: 'afterIssue', days: 5 },
    });
    assert.deepEqual([body.barcode.format, body.fields.length, body.counts.issued], ['aztec', 0, 1]);
  });

  it('they stay fixed when every card is voided or erased', async () => {
    const pass = await makePass(client);
    const card = await makeCard(client, pass.passId);
    await client.delete(`/instances/${card.instanceId}`);
    assertRefused(await patch(pass, { type: 'coupon' }), 'invalid_request', /^type: is fixed/);
  });

  it('a change of what cards show is seen on every card at once', async () => {
    const pass = await makePass(client, { barcode: { mode: 'simple', value: 'OLD' } });
    const card = await makeCard(client, pass.passId, { fields: { tier: 'Gold' } });
    const other = await makeCard(client, pass.passId);
    await patch(pass, {
      barcode: { value: 'NEW' },
      expiry: { kind: 'fixed', at: '2030-01-01T00:00:00Z' },
      fields: [
        { key: 'tier', label: 'Level', value: 'Iron', section: 'header' },
        { key: 'seat', label: 'Seat', value: 'any', section: 'header' },
      ],
    });
    const seen = async (one: Json) => (await client.get(`/instances/${one.instanceId}`)).body;
    assert.deepEqual((await seen(card)).fields, { tier: 'Gold', seat: 'any' });
    assert.deepEqual((await seen(other)).fields, { tier: 'Iron', seat: 'any' });
    for (const one of [card, other]) {
      const { barcode, expiresAt } = await seen(one);
      assert.deepEqual([barcode, expiresAt], ['NEW', '2030-01-01T00:00:00.000Z']);
    }
  });
});
