import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';

const app = await startTestApp();
let client: Client;
let pass: Json;
before(async () => {
  ({ client } = await app.newWorkspace());
});
beforeEach(async () => {
  pass = await makePass(client);
});

const count = async (passId = pass.passId) => (await client.get(`/passes/${passId}`)).body.counts.issued;

/** Sends the items; each result as its status, or its code, and the id of its card. */
async function send(kind: 'batch' | 'import', items: readonly Json[], headers = {}, passId = pass.passId) {
  const reply = await client.post(`/passes/${passId}/instances/${kind}`, { instances: items }, { headers });
  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.body.results.length, items.length);
  for (const { status, error } of reply.body.results) {
    assert.equal(error === undefined, status < 300);
    assert.equal(error?.requestId, undefined);
  }
  return reply.body.results as Json[];
}

const outcomes = (results: readonly Json[]) => results.map(({ status, error }) => error?.code ?? status);

describe('POST /passes/{passId}/instances/batch', () => {
  it('issues every card, in the order of the items', async () => {
    const items = ['a', 'b', 'c'].map((identifier) => ({ holder: { identifier } }));
    const results = await send('batch', items);
    assert.deepEqual(outcomes(results), [201, 201, 201]);
    assert.deepEqual(
      results.map(({ instance }) => instance.holder.identifier),
      ['a', 'b', 'c'],
    );
    for (const { instance } of results) {
      assert.deepEqual((await client.get(`/instances/${instance.instanceId}`)).body, instance);
    }
  });

  it('judges each item for itself', async () => {
    const had = await makeCard(client, pass.passId, { holder: { identifier: 'had' } });
    await makeCard(client, pass.passId, { barcode: 'TAKEN' });
    const results = await send('batch', [
      { holder: { identifier: 'new' } },
      { holder: { identifier: 'had' } },
      { barcode: 'TAKEN' },
      { fields: { nope: 'x' } },
      { fields: { title: 'x' } },
      { expiresAt: '2020-01-01T00:00:00Z' },
      { partnerId: encodeId('part', newUuidV7()) },
      { holder: { email: 'nobody' } },
      { unknown: 1 },
      null,
      'x',
      {},
    ]);
    assert.deepEqual(outcomes(results), [
      201,
      200,
      'barcode_taken',
      'unknown_field_key',
      'template_owned_field',
      'invalid_request',
      'partner_not_found',
      'invalid_request',
      'invalid_request',
      'invalid_request',
      'invalid_request',
      201,
    ]);
    assert.equal(results[1]?.instance.instanceId, had.instanceId);
    assert.match(results[7]?.error.error, /^holder\.email/);
    assert.match(results[8]?.error.error, /^unknown is not known/);
    assert.equal(await count(), 4);
  });

  it('takes duplicates within a batch one after the other', async () => {
    const results = await send('batch', [
      { externalRef: 'same' },
      { externalRef: 'same' },
      { externalRef: 'same', barcode: 'OTHER' },
      { holder: { identifier: 'ada' } },
      { holder: { identifier: 'ada' } },
      { barcode: 'CODE' },
      { barcode: 'CODE' },
      { externalRef: 'refused', fields: { nope: '' } },
      { externalRef: 'refused', holder: { identifier: 'grace' } },
    ]);
    assert.deepEqual(outcomes(results), [
      201,
      201,
      'external_ref_reused',
      201,
      200,
      201,
      'barcode_taken',
      'unknown_field_key',
      201,
    ]);
    assert.deepEqual(results[0], results[1]);
    assert.deepEqual(results[3]?.instance, results[4]?.instance);
    assert.equal(await count(), 4);
  });

  it('repeats nothing when it is sent again', async () => {
    const items = Array.from({ length: 20 }, (_, index) => ({ externalRef: `again-${index}` }));
    const first = await send('batch', items);
    assert.deepEqual(await send('batch', [...items].reverse()), [...first].reverse());
    const one = await client.post(`/passes/${pass.passId}/instances`, items[0]);
    assert.equal(one.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(one.body, first[0]?.instance);
    assert.equal(await count(), 20);
  });

  it('takes one Idempotency-Key for all items that have no reference of their own', async () => {
    const headers = { 'idempotency-key': 'batch-1' };
    const items = [{}, { externalRef: 'own' }, { holder: { identifier: 'ada' } }];
    const first = await send('batch', items, headers);
    assert.deepEqual(await send('batch', items, headers), first);
    assert.equal(await count(), 3);
  });

  it('gives out what the pool holds, and refuses the rest', async () => {
    const { passId } = await makePass(client, { barcode: { mode: 'pool' } });
    await app.fillPool(passId, ['A', 'B', 'C']);
    const results = await send('batch', Array(5).fill({}), {}, passId);
    assert.deepEqual(tally(outcomes(results)), { 201: 3, pool_exhausted: 2 });
    const codes = results.flatMap(({ instance }) => instance?.barcode ?? []);
    assert.deepEqual(codes.sort(), ['A', 'B', 'C']);
  });

  it('issues 1,000 cards at once', async () => {
    const items = Array.from({ length: 1_000 }, (_, index) => ({
      externalRef: `thousand-${index}`,
      holder: { identifier: `holder-${index}`, name: `Holder ${index}` },
    }));
    const results = await send('batch', items);
    assert.deepEqual(tally(outcomes(results)), { 201: 1_000 });
    assert.equal(new Set(results.map(({ instance }) => instance.barcode)).size, 1_000);
    for (const [at, { instance }] of results.entries()) {
      assert.equal(instance.holder.identifier, `holder-${at}`);
    }
    assert.equal(await count(), 1_000);
  });

  it('refuses the batch as a whole when it is none, or too large', async () => {
    const post = (body: object) => client.post(`/passes/${pass.passId}/instances/batch`, body);
    assertRefused(await post({ instances: [] }), 'invalid_request', /^instances must have at least 1/);
    assertRefused(await post({ instances: Array(1_001).fill({}) }), 'invalid_request', /^instances .*1000/);
    assertRefused(await post({ instances: {} }), 'invalid_request', /^instances must be/);
    assertRefused(await post({}), 'invalid_request', /^instances is required/);
    assertRefused(await post({ instances: [{}], dryRun: true }), 'invalid_request', /dryRun is not known/);
    const huge = { instances: [{ metadata: { a: 'x'.repeat(5 * 1024 * 1024) } }] };
    assertRefused(await post(huge), 'request_too_large', /5242880/);
    assert.equal(await count(), 0);
  });

  it('refuses a pass that is unknown or belongs to another account', async () => {
    const foreign = await makePass((await app.newWorkspace()).client);
    for (const kind of ['batch', 'import']) {
      const body = { instances: [{ barcode: 'A' }] };
      assertRefused(await client.post(`/passes/pass_1/instances/${kind}`, body), 'pass_not_found');
      assertRefused(await client.post(`/passes/${foreign.passId}/instances/${kind}`, body), 'forbidden');
    }
  });

  it('refuses every item of a pass that cannot issue', async () => {
    const draft = await makePass(client, {}, 'draft');
    assert.deepEqual(outcomes(await send('batch', [{}], {}, draft.passId)), ['pass_not_active']);
    const archived = await makePass(client, {}, 'archived');
    assert.deepEqual(outcomes(await send('batch', [{}], {}, archived.passId)), ['pass_archived']);
  });
});

describe('POST /passes/{passId}/instances/import', () => {
  it('takes cards over with their barcodes; no link of ours reaches them', async () => {
    const [one, two] = await send('import', [
      { barcode: '4006381333931', holder: { identifier: 'ada', name: 'Ada' } },
      { barcode: 'Zoë ☕', addressable: true, balance: 0 },
    ]);
    assert.deepEqual([one?.status, two?.status], [201, 201]);
    const { barcode, addressable, holder, status } = one?.instance ?? {};
    assert.deepEqual([barcode, addressable, holder.name, status], ['4006381333931', false, 'Ada', 'active']);
    assert.deepEqual([two?.instance.barcode, two?.instance.addressable], ['Zoë ☕', true]);
    const found = await client.get('/instances/lookup?barcode=4006381333931');
    assert.deepEqual(found.body, one?.instance);
  });

  it('judges each item for itself', async () => {
    await makeCard(client, pass.passId, { barcode: 'TAKEN' });
    const results = await send('import', [
      { barcode: 'A' },
      { barcode: 'A' },
      { barcode: 'TAKEN' },
      { barcode: 'B', balance: 5 },
      { barcode: 'C', balance: -1 },
      { barcode: '' },
      {},
      { barcode: 'D', fields: {} },
      { barcode: 'E', holder: { identifier: 'ada' } },
      { barcode: 'F', holder: { identifier: 'ada' } },
      { barcode: 'E', holder: { identifier: 'ada' } },
    ]);
    assert.deepEqual(outcomes(results), [
      201,
      'barcode_taken',
      'barcode_taken',
      'no_loyalty_program',
      'invalid_request',
      'invalid_request',
      'invalid_request',
      'invalid_request',
      201,
      'holder_has_active_instance',
      200,
    ]);
    assert.equal(results[10]?.instance.barcode, 'E');
    assert.equal(await count(), 3);
  });

  it('repeats nothing under its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'import-1' };
    const items = [{ barcode: 'A' }, { barcode: 'B', holder: { identifier: 'ada' } }];
    const first = await send('import', items, headers);
    assert.deepEqual(await send('import', items, headers), first);
    assert.equal(await count(), 2);
  });

  it('takes an imported code out of the pool, and never issues it again', async () => {
    const { passId } = await makePass(client, { barcode: { mode: 'pool' } });
    await app.fillPool(passId, ['A', 'B', 'C']);
    const imported = await send('import', [{ barcode: 'B' }, { barcode: 'not in it' }], {}, passId);
    assert.deepEqual(outcomes(imported), [201, 201]);
    const { pool } = (await client.get(`/passes/${passId}`)).body;
    assert.deepEqual(pool, { ...pool, total: 3, available: 2, assigned: 1 });
    const issued = await send('batch', Array(3).fill({}), {}, passId);
    assert.deepEqual(tally(outcomes(issued)), { 201: 2, pool_exhausted: 1 });
    assert.deepEqual(issued.flatMap(({ instance }) => instance?.barcode ?? []).sort(), ['A', 'C']);
    assert.deepEqual(outcomes(await send('import', [{ barcode: 'A' }], {}, passId)), ['barcode_taken']);
  });

  it('has no place in a pass whose cards share a code or have none', async () => {
    for (const barcode of [{ mode: 'simple', value: 'CLUB' }, { mode: 'none' }]) {
      const { passId } = await makePass(client, { barcode });
      assert.deepEqual(outcomes(await send('import', [{ barcode: 'A' }], {}, passId)), ['invalid_request']);
    }
  });

  it('takes over 1,000 cards at once', async () => {
    const items = Array.from({ length: 1_000 }, (_, index) => ({ barcode: `old-${index}` }));
    assert.deepEqual(tally(outcomes(await send('import', items))), { 201: 1_000 });
    assert.equal(await count(), 1_000);
  });
});
