import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';

const app = await startTestApp();
let client: Client;
let pass: Json;
before(async () => {
  ({ client } = await app.newWorkspace());
  pass = await makePass(client);
});

const issue = (passId: string, body: Json = {}) => client.post(`/passes/${passId}/instances`, body);
const anonymous = { identifier: null, name: null, email: null, phone: null, locale: null };

/** Issues a card and makes sure that it reads the same afterwards. */
async function issued(passId: string, body: object = {}): Promise<Json> {
  const card = await makeCard(client, passId, body);
  assert.deepEqual((await client.get(`/instances/${card.instanceId}`)).body, card);
  return card;
}

describe('POST /passes/{passId}/instances', () => {
  it('issues a card from an empty body', async () => {
    const { instanceId, barcode, links, createdAt, updatedAt, ...rest } = await issued(pass.passId);
    assert.equal(updatedAt, createdAt);
    assert.match(instanceId, /^inst_[0-9a-z]{26}$/);
    assert.match(barcode, /^[0-9A-Z]{16}$/);
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000);
    assert.match(links.add, /^https:\/\/cards\.example\.test\/p\/[A-Za-z0-9_-]{64}$/);
    assert.deepEqual(links, {
      add: links.add,
      apple: `${links.add}/apple.pkpass`,
      google: `${links.add}/google`,
      card: `${links.add}/card`,
      qr: `${links.add}/qr.svg`,
    });
    assert.deepEqual(rest, {
      passId: pass.passId,
      status: 'active',
      addressable: true,
      holder: null,
      fields: { tier: 'Bronze' },
      expiresAt: null,
      partnerId: null,
      metadata: {},
      wallets: { apple: 0, google: 0, web: 0 },
      loyalty: null,
      externalRef: null,
      installedAt: null,
      lastPush: null,
      voidedAt: null,
      voidReason: null,
    });
  });

  it('keeps what it is given', async () => {
    const body = {
      holder: { identifier: 'cust_8841', name: 'Ada Lovelace', email: 'ada@example.com', locale: 'en-GB' },
      fields: { tier: 'Silver' },
      barcode: 'A-8841',
      expiresAt: '2099-12-31T23:59:59.5+01:00',
      partnerId: null,
      metadata: { table: 4, note: 'süß' },
    };
    const card = await issued(pass.passId, body);
    assert.deepEqual(card.holder, { ...anonymous, ...body.holder });
    assert.deepEqual(card.fields, body.fields);
    assert.equal(card.barcode, body.barcode);
    assert.equal(card.expiresAt, '2099-12-31T22:59:59.500Z');
    assert.deepEqual(card.metadata, body.metadata);
  });

  it('knows no person behind a card when the call does not name the holder', async () => {
    for (const holder of [null, {}, { name: null, email: null }]) {
      assert.equal((await issued(pass.passId, { holder })).holder, null);
    }
  });

  it('counts the cards of a pass', async () => {
    const { passId } = await makePass(client);
    for (let index = 0; index < 3; index++) await issued(passId);
    assert.deepEqual((await client.get(`/passes/${passId}`)).body.counts, {
      issued: 3,
      installed: 0,
      voided: 0,
    });
  });

  it('gives every card a link of its own', async () => {
    const [one, two] = [await issued(pass.passId), await issued(pass.passId)];
    assert.notEqual(one.links.add, two.links.add);
    assert.notEqual(one.links.add.slice(-22), two.links.add.slice(-22));
  });
});

describe('a card of a pass with barcode mode', () => {
  const plain = { value: 'CLUB-2027' };

  it('simple carries the shared value', async () => {
    const { passId } = await makePass(client, { barcode: { mode: 'simple', ...plain } });
    assert.deepEqual(
      [(await issued(passId)).barcode, (await issued(passId)).barcode],
      [plain.value, plain.value],
    );
    assertRefused(await issue(passId, { barcode: 'A' }), 'invalid_request', /^barcode: .*"simple"/);
  });

  it('unique carries a code of its own, generated or brought', async () => {
    const { passId } = await makePass(client, { barcode: { mode: 'unique' } });
    const codes = new Set<string>();
    for (let index = 0; index < 20; index++) codes.add((await issued(passId)).barcode);
    assert.equal(codes.size, 20);
    assert.equal((await issued(passId, { barcode: 'mine ☕' })).barcode, 'mine ☕');
    assertRefused(await issue(passId, { barcode: 'mine ☕' }), 'barcode_taken', /mine ☕/);
    assert.equal((await issued(passId, { barcode: null })).barcode.length, 16);
  });

  it('unique lets another pass of the workspace, and another workspace, use the same code', async () => {
    const [one, two] = [await makePass(client), await makePass(client)];
    const { client: other } = await app.newWorkspace();
    const three = await makePass(other);
    for (const [who, { passId }] of [
      [client, one],
      [client, two],
      [other, three],
    ] as const) {
      assert.equal((await makeCard(who, passId, { barcode: 'SAME' })).barcode, 'SAME');
    }
  });

  it('unique keeps the code of a voided card, and frees that of an erased one', async () => {
    const { passId } = await makePass(client);
    const card = await issued(passId, { barcode: 'ONCE' });
    await client.post(`/instances/${card.instanceId}/void`);
    assertRefused(await issue(passId, { barcode: 'ONCE' }), 'barcode_taken');
    await client.delete(`/instances/${card.instanceId}`);
    assert.equal((await issued(passId, { barcode: 'ONCE' })).barcode, 'ONCE');
  });

  it('pool carries the next code of the pool, oldest first, until it is empty', async () => {
    const { passId } = await makePass(client, { barcode: { mode: 'pool' } });
    assertRefused(await issue(passId), 'pool_exhausted');
    await app.fillPool(passId, ['C', 'A', 'B']);
    assertRefused(await issue(passId, { barcode: 'A' }), 'invalid_request', /^barcode: .*"pool"/);
    const codes = [];
    for (let index = 0; index < 3; index++) codes.push((await issued(passId)).barcode);
    assert.deepEqual(codes, ['C', 'A', 'B']);
    assertRefused(await issue(passId), 'pool_exhausted', /Upload more/);
    const { counts, pool } = (await client.get(`/passes/${passId}`)).body;
    assert.equal(counts.issued, 3);
    assert.deepEqual(pool, { ...pool, total: 3, available: 0, assigned: 3 });
    await app.fillPool(passId, ['D']);
    assert.equal((await issued(passId)).barcode, 'D');
  });

  it('pool does not use up a code for a holder who has the card', async () => {
    const { passId } = await makePass(client, { barcode: { mode: 'pool' } });
    await app.fillPool(passId, ['A', 'B']);
    const holder = { identifier: 'ada' };
    const card = await issued(passId, { holder });
    assert.deepEqual((await issue(passId, { holder })).body, card);
    assert.equal((await client.get(`/passes/${passId}`)).body.pool.available, 1);
  });

  it('none carries no code', async () => {
    const { passId } = await makePass(client, { barcode: { mode: 'none' } });
    assert.equal((await issued(passId)).barcode, null);
    assertRefused(await issue(passId, { barcode: 'A' }), 'invalid_request', /^barcode: .*"none"/);
  });

  it('unique in Code 128 takes only what scanners read', async () => {
    const { passId } = await makePass(client, { barcode: { mode: 'unique', format: 'code128' } });
    assert.equal((await issued(passId, { barcode: 'Az 09~' })).barcode, 'Az 09~');
    for (const barcode of ['é', '日本', 'x'.repeat(81)]) {
      assertRefused(await issue(passId, { barcode }), 'invalid_request', /^barcode: a Code 128/);
    }
  });
});

describe('the holder’s own fields', () => {
  const field = (key: string, more: object = {}) => ({ key, label: key, section: 'back', ...more });

  it('lie over the defaults of the pass; null clears', async () => {
    const { passId } = await makePass(client, {
      fields: [field('a', { value: 'A' }), field('b', { value: 'B' }), field('c')],
    });
    const card = await issued(passId, { fields: { a: 'mine', b: null } });
    assert.deepEqual(card.fields, { a: 'mine', b: null, c: null });
  });

  it('are refused for keys that holders cannot have, and no card is issued', async () => {
    const fixed = await makePass(client, { fields: [field('a', { editable: false })] });
    assertRefused(await issue(fixed.passId, { fields: { a: 'x' } }), 'fields_not_editable');
    assert.equal((await issue(fixed.passId, { fields: {} })).status, 201);
    const mixed = await makePass(client, { fields: [field('a', { editable: false }), field('b')] });
    for (const key of ['title', 'details', 'terms', 'expiry']) {
      assertRefused(await issue(mixed.passId, { fields: { [key]: 'x' } }), 'template_owned_field');
    }
    for (const key of ['a', 'nope', 'B', 'toString', '']) {
      assertRefused(
        await issue(mixed.passId, { fields: { [key]: 'x' } }),
        'unknown_field_key',
        /Valid keys: b\./,
      );
    }
    assert.equal((await client.get(`/passes/${mixed.passId}`)).body.counts.issued, 0);
  });
});

describe('the expiry of a card', () => {
  it('is its own, or else that of its pass', async () => {
    const days = await makePass(client, { expiry: { kind: 'afterIssue', days: 30 } });
    const card = await issued(days.passId);
    assert.equal(Date.parse(card.expiresAt) - Date.parse(card.createdAt), 30 * 86_400_000);
    const fixed = await makePass(client, { expiry: { kind: 'fixed', at: '2031-01-01T00:00:00Z' } });
    assert.equal((await issued(fixed.passId)).expiresAt, '2031-01-01T00:00:00.000Z');
    const own = await issued(fixed.passId, { expiresAt: '2030-01-01T00:00:00Z' });
    assert.equal(own.expiresAt, '2030-01-01T00:00:00.000Z');
  });

  it('must lie ahead', async () => {
    const past = new Date(Date.now() - 1_000).toISOString();
    assertRefused(await issue(pass.passId, { expiresAt: past }), 'invalid_request', /^expiresAt: .*future/);
  });
});

describe('a pass that cannot issue', () => {
  it('is a draft: pass_not_active, or archived: pass_archived', async () => {
    const draft = await makePass(client, {}, 'draft');
    assertRefused(await issue(draft.passId), 'pass_not_active', /[Pp]ublish/);
    const archived = await makePass(client, {}, 'archived');
    assertRefused(await issue(archived.passId), 'pass_archived', /[Pp]ublish/);
    for (const { passId } of [draft, archived]) {
      assert.equal((await client.get(`/passes/${passId}`)).body.counts.issued, 0);
      await client.patch(`/passes/${passId}`, { status: 'published' });
      assert.equal((await issue(passId)).status, 201);
    }
  });

  it('leaves its cards as they are', async () => {
    const { passId } = await makePass(client);
    const card = await issued(passId);
    for (const status of ['draft', 'published', 'archived']) {
      await client.patch(`/passes/${passId}`, { status });
      assert.deepEqual((await client.get(`/instances/${card.instanceId}`)).body, card);
      assert.equal((await app.anyone.get(card.links.apple)).status, 200);
    }
  });

  it('is unknown, or belongs to another account', async () => {
    for (const id of [encodeId('pass', newUuidV7()), 'pass_1', encodeId('inst', newUuidV7())]) {
      assertRefused(await issue(id), 'pass_not_found');
    }
    const foreign = await makePass((await app.newWorkspace()).client);
    assertRefused(await issue(foreign.passId), 'forbidden');
  });
});

describe('POST /passes/{passId}/instances refuses with invalid_request', () => {
  const wrong: [string, Json, RegExp][] = [
    ['an unknown property', { pass: 1 }, /^pass is not known/],
    ['an unknown property of the holder', { holder: { age: 5 } }, /^holder\.age is not known/],
    ['an empty identifier', { holder: { identifier: '' } }, /^holder\.identifier/],
    ['a number as identifier', { holder: { identifier: 8841 } }, /^holder\.identifier must be/],
    ['an identifier of 256 characters', { holder: { identifier: 'x'.repeat(256) } }, /identifier .*255/],
    ['a line break in an identifier', { holder: { identifier: 'a\nb' } }, /^holder\.identifier/],
    ['a name of 201 characters', { holder: { name: 'x'.repeat(201) } }, /^holder\.name .*200/],
    ['an e-mail address without @', { holder: { email: 'ada' } }, /^holder\.email .*e-mail/],
    ['an e-mail address with a space', { holder: { email: 'a da@example.com' } }, /^holder\.email/],
    ['a telephone number in words', { holder: { phone: 'five five' } }, /^holder\.phone/],
    ['a locale in words', { holder: { locale: 'English' } }, /^holder\.locale/],
    ['a list as holder', { holder: [] }, /^holder must be/],
    ['fields as a list', { fields: [] }, /^fields must be/],
    ['null as fields', { fields: null }, /^fields must be/],
    ['a number as field value', { fields: { tier: 5 } }, /^fields\.tier must be/],
    ['a field value of 1,001 characters', { fields: { tier: 'x'.repeat(1_001) } }, /^fields\.tier .*1000/],
    ['an empty barcode', { barcode: '' }, /^barcode/],
    ['a blank barcode', { barcode: ' ' }, /^barcode must not be blank/],
    ['a barcode of 256 characters', { barcode: 'x'.repeat(256) }, /^barcode .*255/],
    ['a line break in a barcode', { barcode: 'a\nb' }, /^barcode/],
    ['a number as barcode', { barcode: 5 }, /^barcode must be/],
    ['a day as expiry', { expiresAt: '2027-01-31' }, /^expiresAt/],
    ['nested metadata', { metadata: { a: [] } }, /^metadata/],
    ['null as metadata', { metadata: null }, /^metadata/],
    ['an empty externalRef', { externalRef: '' }, /^externalRef/],
    ['null as externalRef', { externalRef: null }, /^externalRef/],
    ['a number as externalRef', { externalRef: 1 }, /^externalRef must be/],
    ['a balance', { balance: 5 }, /^balance is not known/],
  ];
  for (const [what, body, message] of wrong) {
    it(what, async () => assertRefused(await issue(pass.passId, body), 'invalid_request', message));
  }

  it('and with partner_not_found for an unknown partner', async () => {
    assertRefused(
      await issue(pass.passId, { partnerId: encodeId('part', newUuidV7()) }),
      'partner_not_found',
    );
  });
});
