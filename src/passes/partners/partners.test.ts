import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json, type Reply } from '../../../test/client.ts';
import { inParallel, makeKey, tally } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { decodeId, encodeId, newUuidV7 } from '../../kit/ids.ts';

const app = await startTestApp();
let client: Client;
before(async () => {
  ({ client } = await app.newWorkspace());
});

async function created(body: object, by = client): Promise<Json> {
  const reply = await by.post('/partners', body);
  assert.equal(reply.status, 201, reply.text);
  assert.deepEqual((await by.get(`/partners/${reply.body.partnerId}`)).body, reply.body);
  return reply.body;
}

async function deleted(by = client): Promise<Json> {
  const partner = await created({ name: 'Gone', externalId: 'gone' }, by);
  assert.equal((await by.delete(`/partners/${partner.partnerId}`)).status, 204);
  return partner;
}

const names = (reply: Json) => reply.body.data.map(({ name }: Json) => name);
const auditOf = (partner: Json) =>
  app.sql<{ action: string; actor: string; detail: Json }>(
    'select action, actor, detail from audit_log where target = $1 order by audit_id',
    [partner.partnerId],
  );

/** Gives a partner an external id that another may have: former versions let it. */
async function makeTwin({ partnerId }: Json, externalId: string): Promise<void> {
  await app.sql('update partners set external_id = $2 where partner_id = $1', [
    decodeId('part', partnerId),
    externalId,
  ]);
}

describe('an externalId', () => {
  const codes = (replies: readonly Reply[]) => tally(replies.map(({ status, body }) => body.code ?? status));

  it('is that of one partner, however many ask for it at once', async () => {
    const own = (await app.newWorkspace()).client;
    const forms = ['caf\u00e9', 'cafe\u0301'];
    const replies = await inParallel(8, (at) =>
      own.post('/partners', { name: `P ${at}`, externalId: forms[at % 2] }),
    );
    assert.deepEqual(codes(replies), { 201: 1, external_id_taken: 7 });
    assert.equal((await own.get('/partners')).body.data.length, 1);
    const others = await inParallel(4, (at) => created({ name: `Q ${at}` }, own));
    const moves = await inParallel(4, (at) =>
      own.patch(`/partners/${others[at]?.partnerId}`, { externalId: 'moved' }),
    );
    assert.deepEqual(codes(moves), { 200: 1, external_id_taken: 3 });
    const mixed = await inParallel(6, (at) =>
      at % 2 === 0
        ? own.post('/partners', { name: 'New', externalId: 'both' })
        : own.patch(`/partners/${others[at % 4]?.partnerId}`, { externalId: 'both', name: 'Old' }),
    );
    assert.equal(mixed.filter(({ status }) => status < 300).length > 0, true);
    assert.equal((await own.get('/partners?externalId=both')).body.data.length, 1);
  });

  it('may be kept, given up and taken by another, and is free in other workspaces and once its partner is deleted', async () => {
    const own = (await app.newWorkspace()).client;
    const first = await created({ name: 'A', externalId: 'one' }, own);
    const path = `/partners/${first.partnerId}`;
    assert.equal((await own.patch(path, { externalId: 'one' })).status, 200);
    assertRefused(await own.post('/partners', { name: 'B', externalId: 'one' }), 'external_id_taken');
    await created({ name: 'C', externalId: 'one' }, (await app.newWorkspace()).client);
    await own.patch(path, { externalId: null });
    const second = await created({ name: 'B', externalId: 'one' }, own);
    assertRefused(await own.patch(path, { externalId: 'one' }), 'external_id_taken');
    await own.delete(`/partners/${second.partnerId}`);
    assert.equal((await own.patch(path, { externalId: 'one' })).status, 200);
  });

  it('of before it was unique goes on, and is taken for others', async () => {
    const own = (await app.newWorkspace()).client;
    await created({ name: 'A', externalId: 'one' }, own);
    const twin = await created({ name: 'B' }, own);
    await makeTwin(twin, 'one');
    const kept = await own.patch(`/partners/${twin.partnerId}`, { name: 'C', externalId: 'one' });
    assert.deepEqual([kept.status, kept.body.name], [200, 'C']);
    assertRefused(await own.post('/partners', { name: 'D', externalId: 'one' }), 'external_id_taken');
  });
});

describe('POST /partners', () => {
  it('needs a name and fills in the rest', async () => {
    const { partnerId, createdAt, updatedAt, ...rest } = await created({ name: 'Harbour' });
    assert.match(partnerId, /^part_[0-9a-z]{26}$/);
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000);
    assert.equal(updatedAt, createdAt);
    assert.deepEqual(rest, { name: 'Harbour', externalId: null, location: null, metadata: {} });
  });

  it('keeps what it is given', async () => {
    const body = {
      name: '青い豆 ☕',
      externalId: 'store 12/ß',
      metadata: { city: 'Porto', seats: 40, open: true, note: null },
    };
    const { name, externalId, metadata } = await created(body);
    assert.deepEqual({ name, externalId, metadata }, body);
  });

  it('replays the same key, however often and at once', async () => {
    const body = { name: 'Once', externalId: 'once' };
    const headers = { 'idempotency-key': 'partner-once' };
    const replies = await inParallel(5, () => client.post('/partners', body, { headers }));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 201: 5 });
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.equal(replies.filter((reply) => reply.headers.get('idempotent-replayed') === 'true').length, 4);
    assert.equal((await client.get('/partners?externalId=once')).body.data.length, 1);
    assertRefused(
      await client.post('/partners', { name: 'Twice' }, { headers }),
      'external_ref_reused',
      /createPartner/,
    );
  });

  it('replays what it answered also after the partner was deleted', async () => {
    const headers = { 'idempotency-key': 'partner-deleted' };
    const first = await client.post('/partners', { name: 'Gone' }, { headers });
    await client.delete(`/partners/${first.body.partnerId}`);
    const repeat = await client.post('/partners', { name: 'Gone' }, { headers });
    assert.deepEqual([repeat.status, repeat.text], [201, first.text]);
  });

  const wrong: [string, object, RegExp][] = [
    ['no name', {}, /^name is required/],
    ['an empty name', { name: '' }, /^name must not be empty/],
    ['a blank name', { name: '   ' }, /^name/],
    ['a name of two lines', { name: 'a\nb' }, /^name/],
    ['a name that is too long', { name: 'x'.repeat(201) }, /^name/],
    ['null as name', { name: null }, /^name/],
    ['an empty externalId', { name: 'a', externalId: '' }, /^externalId/],
    ['a number as externalId', { name: 'a', externalId: 12 }, /^externalId/],
    ['an externalId that is too long', { name: 'a', externalId: 'x'.repeat(256) }, /^externalId/],
    ['nested metadata', { name: 'a', metadata: { a: {} } }, /^metadata/],
    ['null as metadata', { name: 'a', metadata: null }, /^metadata/],
    ['an unknown property', { name: 'a', city: 'Porto' }, /^city is not known/],
  ];
  for (const [what, body, message] of wrong) {
    it(`refuses ${what}`, async () =>
      assertRefused(await client.post('/partners', body), 'invalid_request', message));
  }
});

describe('GET /partners', () => {
  it('lists those of the workspace, newest first, a page at a time, without the deleted', async () => {
    const own = (await app.newWorkspace()).client;
    for (const name of ['A', 'B', 'C']) await created({ name }, own);
    await deleted(own);
    assert.deepEqual(names(await own.get('/partners')), ['C', 'B', 'A']);
    const first = await own.get('/partners?limit=2');
    assert.deepEqual(names(first), ['C', 'B']);
    const second = await own.get(`/partners?limit=2&cursor=${first.body.nextCursor}`);
    assert.deepEqual([names(second), second.body.nextCursor], [['A'], null]);
    assertRefused(await client.get(`/partners?cursor=${first.body.nextCursor}`), 'invalid_request', /cursor/);
  });

  it('finds by externalId, in any form of Unicode, also several of before it was unique', async () => {
    const own = (await app.newWorkspace()).client;
    await created({ name: 'A', externalId: 'caf\u00e9' }, own);
    const second = await created({ name: 'B', externalId: 'x' }, own);
    await makeTwin(second, 'caf\u00e9');
    await created({ name: 'C', externalId: 'Caf\u00e9' }, own);
    await created({ name: 'D' }, own);
    for (const form of ['caf\u00e9', 'cafe\u0301'])
      assert.deepEqual(names(await own.get(`/partners?externalId=${encodeURIComponent(form)}`)), ['B', 'A']);
    assert.deepEqual(names(await own.get('/partners?externalId=nobody')), []);
    assert.deepEqual(names(await client.get('/partners?externalId=caf%C3%A9')), []);
    assertRefused(await own.get('/partners?externalId='), 'invalid_request', /externalId/);
    assertRefused(await own.get('/partners?name=A'), 'invalid_request', /name/);
  });
});

describe('PATCH /partners/{partnerId}', () => {
  it('changes what is named and leaves the rest alone', async () => {
    const partner = await created({ name: 'Old', externalId: 'e-1', metadata: { a: 1, b: 2 } });
    app.advance(1_000);
    const path = `/partners/${partner.partnerId}`;
    const renamed = await client.patch(path, { name: 'New' });
    assert.ok(renamed.body.updatedAt > partner.updatedAt);
    assert.deepEqual(renamed.body, { ...partner, name: 'New', updatedAt: renamed.body.updatedAt });
    const cleared = (await client.patch(path, { externalId: null, metadata: { b: 3 } })).body;
    assert.deepEqual([cleared.name, cleared.externalId, cleared.metadata], ['New', null, { b: 3 }]);
    assert.deepEqual((await client.get(path)).body, cleared);
    assert.equal((await client.patch(path, { externalId: 'cafe\u0301' })).body.externalId, 'caf\u00e9');
  });

  it('takes a location, and names what is wrong with one', async () => {
    const [here, there] = [
      { latitude: 52.52, longitude: 13.405 },
      { latitude: -33.9, longitude: 18.4 },
    ];
    const partner = await created({ name: 'A', location: here });
    assert.deepEqual(partner.location, here);
    const path = `/partners/${partner.partnerId}`;
    assert.deepEqual((await client.patch(path, { name: 'B' })).body.location, here);
    assert.deepEqual((await client.patch(path, { location: there })).body.location, there);
    const [, , last] = await auditOf(partner);
    assert.deepEqual(last?.detail, { before: { location: here }, after: { location: there } });
    assert.equal((await client.patch(path, { location: null })).body.location, null);
    for (const [location, param] of [
      [{ latitude: 91, longitude: 0 }, /^location\.latitude .*90/],
      [{ latitude: 0, longitude: '1' }, /^location\.longitude .*number/],
      [{ latitude: 0 }, /^location\.longitude .*required/],
      [{ ...here, radius: 1 }, /^location\.radius/],
    ] as const)
      assertRefused(await client.patch(path, { location }), 'invalid_request', param);
  });

  it('refuses what it does not know, and nothing at all', async () => {
    const { partnerId } = await created({ name: 'A' });
    const path = `/partners/${partnerId}`;
    for (const body of [{}, { name: null }, { metadata: null }, { partnerId }, { deletedAt: null }])
      assertRefused(await client.patch(path, body), 'invalid_request');
  });
});

describe('DELETE /partners/{partnerId}', () => {
  it('hides the partner and keeps its row', async () => {
    const partner = await deleted();
    assertRefused(await client.delete(`/partners/${partner.partnerId}`), 'partner_not_found');
    const rows = await app.sql<{ name: string; gone: boolean }>(
      'select name, deleted_at is not null as gone from partners where partner_id = $1',
      [decodeId('part', partner.partnerId)],
    );
    assert.deepEqual(rows, [{ name: 'Gone', gone: true }]);
  });

  it('happens once, however many ask at once', async () => {
    const { partnerId } = await created({ name: 'Racy' });
    const replies = await inParallel(5, () => client.delete(`/partners/${partnerId}`));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 204: 1, 404: 4 });
    assert.equal((await auditOf({ partnerId })).length, 2);
  });
});

describe('partner_not_found, never forbidden', () => {
  const ids: readonly (readonly [what: string, id: () => Promise<string>])[] = [
    ['that is unknown', async () => encodeId('part', newUuidV7())],
    ['that is deleted', async () => (await deleted()).partnerId],
    [
      'of another account',
      async () => (await created({ name: 'X' }, (await app.newWorkspace()).client)).partnerId,
    ],
    ['that is malformed', async () => 'part_O0l'],
    ['of another kind', async () => encodeId('pass', newUuidV7())],
  ];
  for (const [what, id] of ids) {
    it(`for an id ${what}`, async () => {
      const path = `/partners/${await id()}`;
      assertRefused(await client.get(path), 'partner_not_found');
      assertRefused(await client.patch(path, { name: 'Mine' }), 'partner_not_found');
      assertRefused(await client.delete(path), 'partner_not_found');
      assertRefused(await client.get(`${path}/statement?month=2026-11`), 'partner_not_found');
      assertRefused(await client.get(`${path}/statement.csv?month=2026-11`), 'partner_not_found');
    });
  }
});

it('every write is audited, with the key that made it', async () => {
  const { key, client: till } = await makeKey(client);
  const partner = await created({ name: 'A', externalId: 'e-1' }, till);
  await till.patch(`/partners/${partner.partnerId}`, { name: 'B' });
  await till.delete(`/partners/${partner.partnerId}`);
  const actor = key.keyId;
  assert.deepEqual(await auditOf(partner), [
    { action: 'createPartner', actor, detail: { name: 'A', externalId: 'e-1' } },
    { action: 'updatePartner', actor, detail: { before: { name: 'A' }, after: { name: 'B' } } },
    { action: 'deletePartner', actor, detail: { before: { name: 'B', externalId: 'e-1' } } },
  ]);
});
