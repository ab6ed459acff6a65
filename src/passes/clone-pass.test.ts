import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused, type Client } from '../../test/client.ts';
import { inParallel, makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';

const app = await startTestApp();
let client: Client;
before(async () => {
  ({ client } = await app.newWorkspace());
});

const unknownPass = encodeId('pass', newUuidV7());

describe('POST /passes/{passId}/clone', () => {
  it('copies the design into a new draft, without cards and pool codes', async () => {
    const original = await makePass(client, { barcode: { mode: 'pool' }, terms: 'T', metadata: { a: 1 } });
    await app.fillPool(original.passId, ['A', 'B']);
    await makeCard(client, original.passId);
    const reply = await client.post(`/passes/${original.passId}/clone`);
    assert.equal(reply.status, 201);
    const { passId, createdAt, updatedAt, ...clone } = reply.body;
    const { passId: otherId, createdAt: _, updatedAt: __, ...design } = original;
    assert.notEqual(passId, otherId);
    assert.deepEqual(clone, {
      ...design,
      status: 'draft',
      counts: { issued: 0, installed: 0, voided: 0 },
      pool: { ...original.pool, total: 0, available: 0, assigned: 0, lowSince: null },
    });
    assert.deepEqual((await client.get(`/passes/${passId}`)).body, reply.body);
  });

  it('takes another title, and works in every status', async () => {
    for (const status of ['draft', 'published', 'archived']) {
      const original = await makePass(client, {}, status);
      const { body } = await client.post(`/passes/${original.passId}/clone`, { title: `Copy of ${status}` });
      assert.deepEqual([body.title, body.status], [`Copy of ${status}`, 'draft']);
    }
  });

  it('makes one clone for one Idempotency-Key', async () => {
    const { passId } = await makePass(client);
    const headers = { 'idempotency-key': 'clone-1' };
    const replies = await inParallel(10, () => client.post(`/passes/${passId}/clone`, {}, { headers }));
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    const bodiless = await client.post(`/passes/${passId}/clone`, undefined, { headers });
    assert.equal(bodiless.text, replies[0]?.text);
    const titled = await client.post(`/passes/${passId}/clone`, { title: 'Other' }, { headers });
    assertRefused(titled, 'external_ref_reused');
    const other = await makePass(client);
    const reused = await client.post(`/passes/${other.passId}/clone`, {}, { headers });
    assertRefused(reused, 'external_ref_reused');
  });

  it('refuses a wrong title, unknown passes and those of another account', async () => {
    const { passId } = await makePass(client);
    assertRefused(await client.post(`/passes/${passId}/clone`, { title: '' }), 'invalid_request', /^title/);
    assertRefused(await client.post(`/passes/${passId}/clone`, { type: 'coupon' }), 'invalid_request');
    assertRefused(await client.post(`/passes/${unknownPass}/clone`), 'pass_not_found');
    const foreign = await makePass((await app.newWorkspace()).client);
    assertRefused(await client.post(`/passes/${foreign.passId}/clone`), 'forbidden');
  });
});

describe('DELETE /passes/{passId}', () => {
  it('removes a pass without cards, and its pool', async () => {
    const { passId } = await makePass(client, { barcode: { mode: 'pool' } });
    await app.fillPool(passId, ['A', 'B']);
    const reply = await client.delete(`/passes/${passId}`);
    assert.deepEqual([reply.status, reply.text], [204, '']);
    assertRefused(await client.get(`/passes/${passId}`), 'pass_not_found');
    assertRefused(await client.delete(`/passes/${passId}`), 'pass_not_found');
  });

  it('refuses a pass with cards, voided ones included', async () => {
    const { passId } = await makePass(client);
    const card = await makeCard(client, passId);
    await client.post(`/instances/${card.instanceId}/void`);
    assertRefused(await client.delete(`/passes/${passId}`), 'invalid_request', /1 instances?.*[Aa]rchive/);
    assert.equal((await client.get(`/passes/${passId}`)).status, 200);
  });

  it('never removes a pass while cards are issued from it', async () => {
    const passes = await inParallel(10, () => makePass(client));
    const outcomes = await Promise.all(
      passes.map(async ({ passId }) => {
        const [issued, deleted] = await Promise.all([
          client.post(`/passes/${passId}/instances`, {}),
          client.delete(`/passes/${passId}`),
        ]);
        return `${issued.status} ${deleted.status}`;
      }),
    );
    for (const outcome of outcomes) assert.match(outcome, /^(201 400|404 204)$/);
  });

  it('does not find an unknown pass, and forbids that of another account', async () => {
    assertRefused(await client.delete(`/passes/${unknownPass}`), 'pass_not_found');
    const foreign = await makePass((await app.newWorkspace()).client);
    assertRefused(await client.delete(`/passes/${foreign.passId}`), 'forbidden');
  });
});
