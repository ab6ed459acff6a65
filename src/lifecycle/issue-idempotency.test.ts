import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json, type Reply } from '../../test/client.ts';
import { inParallel, makeCard, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';

const app = await startTestApp();
let client: Client;
let pass: Json;
before(async () => {
  ({ client } = await app.newWorkspace());
});
beforeEach(async () => {
  pass = await makePass(client);
});

let serial = 0;
const freshRef = () => `ref-${serial++}`;

const issue = (body: object, headers: Record<string, string> = {}, passId = pass.passId) =>
  client.post(`/passes/${passId}/instances`, body, { headers });
const count = async (passId = pass.passId) => (await client.get(`/passes/${passId}`)).body.counts.issued;

/** The second answer has the status and the bytes of the first, and says that it is a replay. */
function assertReplay(repeat: Reply, first: Reply): void {
  assert.equal(repeat.status, first.status);
  assert.equal(repeat.text, first.text);
  assert.equal(first.headers.get('idempotent-replayed'), null);
  assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
  assert.equal(repeat.headers.get('content-type'), first.headers.get('content-type'));
  assert.notEqual(repeat.headers.get('x-request-id'), first.headers.get('x-request-id'));
}

describe('an issue with externalRef', () => {
  it('issues one card, and replays its answer byte for byte', async () => {
    const body = { externalRef: freshRef(), holder: { identifier: 'ada', name: 'Ada' } };
    const first = await issue(body);
    assert.equal(first.status, 201);
    assertReplay(await issue(body), first);
    assert.equal(await count(), 1);
  });

  it('is the same with the header Idempotency-Key, or with both', async () => {
    const key = freshRef();
    const header = { 'idempotency-key': key };
    const first = await issue({}, header);
    assertReplay(await issue({}, header), first);
    assertReplay(await issue({ externalRef: key }), first);
    assertReplay(await issue({ externalRef: key }, header), first);
    const differing = await issue({ externalRef: key }, { 'idempotency-key': 'other' });
    assertRefused(differing, 'invalid_request', /Idempotency-Key and externalRef differ/);
    assert.equal(await count(), 1);
  });

  it('replays the first answer whatever became of the card and the pass since', async () => {
    const body = { externalRef: freshRef(), holder: { identifier: 'ada', name: 'Ada' } };
    const first = await issue(body);
    const path = `/instances/${first.body.instanceId}`;
    const changes = [
      () => client.patch(`${path}/fields`, { fields: { tier: 'Gold' } }),
      () => client.patch(path, { holder: { name: 'Grace' }, metadata: { a: 1 } }),
      () => client.patch(`/passes/${pass.passId}`, { title: 'New', fields: [] }),
      () => client.patch(`/passes/${pass.passId}`, { status: 'draft' }),
      () => client.post(`${path}/void`),
      () => client.patch(`/passes/${pass.passId}`, { status: 'published' }),
      () => client.patch(`/passes/${pass.passId}`, { status: 'archived' }),
    ];
    for (const change of changes) {
      assert.equal((await change()).status, 200);
      assertReplay(await issue(body), first);
    }
    assertRefused(await issue({}), 'pass_archived');
  });

  it('does not mind harmless differences', async () => {
    const body = { externalRef: freshRef(), holder: { identifier: 'ada' } };
    const first = await issue(body);
    const harmless = [
      { holder: { identifier: 'ada', name: 'Ada', email: 'ada@example.com' } },
      { fields: { tier: 'Gold' } },
      { metadata: { try: 2 } },
      { expiresAt: '2099-01-01T00:00:00Z' },
      { barcode: null },
    ];
    for (const more of harmless) assertReplay(await issue({ ...body, ...more }), first);
    assert.equal(await count(), 1);
  });

  it('refuses another effect under the same reference, and the first one stays', async () => {
    const body = { externalRef: freshRef(), holder: { identifier: 'ada' }, barcode: 'A' };
    const first = await issue(body);
    const other = await makePass(client);
    const different = [
      issue({ ...body, holder: { identifier: 'grace' } }),
      issue({ ...body, holder: null }),
      issue({ ...body, barcode: 'B' }),
      issue({ ...body, barcode: undefined }),
      issue(body, {}, other.passId),
    ];
    for (const reply of await Promise.all(different)) {
      assertRefused(reply, 'external_ref_reused', new RegExp(body.externalRef));
    }
    assertReplay(await issue(body), first);
    assert.deepEqual([await count(), await count(other.passId)], [1, 0]);
  });

  it('waits for a concurrent duplicate and then replays it', async () => {
    const body = { externalRef: freshRef() };
    const replies = await inParallel(100, () => issue(body));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 201: 100 });
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    const replayed = replies.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
    assert.equal(replayed.length, 99);
    assert.equal(await count(), 1);
  });

  it('gives the reference back when it is refused', async () => {
    const body = { externalRef: freshRef() };
    await client.patch(`/passes/${pass.passId}`, { status: 'archived' });
    assertRefused(await issue(body), 'pass_archived');
    assertRefused(await issue(body), 'pass_archived');
    assertRefused(await issue({ ...body, holder: { identifier: '' } }), 'invalid_request');
    await client.patch(`/passes/${pass.passId}`, { status: 'published' });
    const first = await issue({ ...body, holder: { identifier: 'ada' } });
    assert.equal(first.status, 201);
    assertReplay(await issue({ ...body, holder: { identifier: 'ada' } }), first);
  });

  it('gives it back when the pool is empty, and when the barcode is taken', async () => {
    const pooled = await makePass(client, { barcode: { mode: 'pool' } });
    const body = { externalRef: freshRef() };
    assertRefused(await issue(body, {}, pooled.passId), 'pool_exhausted');
    await app.fillPool(pooled.passId, ['A']);
    assert.equal((await issue(body, {}, pooled.passId)).body.barcode, 'A');

    await makeCard(client, pass.passId, { barcode: 'TAKEN' });
    const taken = { externalRef: freshRef(), barcode: 'TAKEN' };
    assertRefused(await issue(taken), 'barcode_taken');
    assert.equal((await issue({ ...taken, barcode: 'FREE' })).status, 201);
  });

  it('is known to its workspace and its operation only', async () => {
    const key = freshRef();
    const header = { 'idempotency-key': key };
    const issued = await issue({}, header);
    const created = await client.post('/passes', { title: 'x', type: 'coupon' }, { headers: header });
    const voided = await client.post(`/instances/${issued.body.instanceId}/void`, undefined, {
      headers: header,
    });
    const { client: other } = await app.newWorkspace();
    const elsewhere = await makePass(other);
    const foreign = await other.post(`/passes/${elsewhere.passId}/instances`, {}, { headers: header });
    for (const reply of [issued, created, voided, foreign]) {
      assert.ok(reply.status < 300, reply.text);
      assert.equal(reply.headers.get('idempotent-replayed'), null);
    }
    assertReplay(await issue({}, header), issued);
  });

  it('replays the 200 of a holder who had the card', async () => {
    const card = await makeCard(client, pass.passId, { holder: { identifier: 'ada' } });
    const body = { externalRef: freshRef(), holder: { identifier: 'ada' } };
    const first = await issue(body);
    assert.equal(first.status, 200);
    assert.deepEqual(first.body, card);
    await client.post(`/instances/${card.instanceId}/void`);
    assertReplay(await issue(body), first);
    assert.equal(await count(), 1);
  });

  const distinct = [
    'a',
    'A',
    'a ',
    ' a',
    'ä',
    'a\u0308',
    '1',
    '01',
    'x'.repeat(255),
    '😀'.repeat(255),
    '%',
    '_',
    "a'b",
  ];
  it('is compared character by character', async () => {
    const cards = new Set<string>();
    for (const externalRef of distinct) cards.add((await issue({ externalRef })).body.instanceId);
    assert.equal(cards.size, distinct.length);
    for (const externalRef of distinct) assert.ok(cards.has((await issue({ externalRef })).body.instanceId));
  });

  for (const key of ['x'.repeat(256), 'é', '']) {
    it(`refuses the header ${JSON.stringify(key).slice(0, 12)}`, async () => {
      assertRefused(await issue({}, { 'idempotency-key': key }), 'invalid_request', /Idempotency-Key/);
    });
  }
});

describe('an issue for an identifier', () => {
  const holder = { identifier: 'ada', name: 'Ada' };

  it('answers 200 with the card that the holder has, as it is now', async () => {
    const card = await makeCard(client, pass.passId, { holder });
    await client.patch(`/instances/${card.instanceId}/fields`, { fields: { tier: 'Gold' } });
    const repeat = await issue({ holder: { ...holder, name: 'Other' }, fields: { tier: 'Iron' } });
    assert.equal(repeat.status, 200);
    assert.equal(repeat.headers.get('idempotent-replayed'), null);
    assert.deepEqual(repeat.body, (await client.get(`/instances/${card.instanceId}`)).body);
    assert.deepEqual([repeat.body.fields.tier, repeat.body.holder.name], ['Gold', 'Ada']);
    assert.equal(await count(), 1);
  });

  it('issues one card under 100 concurrent requests', async () => {
    const replies = await inParallel(100, () => issue({ holder }));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 99, 201: 1 });
    assert.equal(new Set(replies.map(({ body }) => body.instanceId)).size, 1);
    assert.equal(await count(), 1);
  });

  it('issues a new card once the old one is voided', async () => {
    const card = await makeCard(client, pass.passId, { holder });
    await client.post(`/instances/${card.instanceId}/void`);
    const next = await makeCard(client, pass.passId, { holder });
    assert.notEqual(next.instanceId, card.instanceId);
    assert.equal((await issue({ holder })).body.instanceId, next.instanceId);
  });

  it('minds the pass and the workspace', async () => {
    const other = await makePass(client);
    const { client: stranger } = await app.newWorkspace();
    const foreign = await makePass(stranger);
    await makeCard(client, pass.passId, { holder });
    await makeCard(client, other.passId, { holder });
    await makeCard(stranger, foreign.passId, { holder });
  });

  it('does not answer with a card when the pass cannot issue', async () => {
    await makeCard(client, pass.passId, { holder });
    await client.patch(`/passes/${pass.passId}`, { status: 'archived' });
    assertRefused(await issue({ holder }), 'pass_archived');
  });
});
