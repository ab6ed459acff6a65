import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel, makeCard, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { decodeId, encodeId, newUuidV7 } from '../kit/ids.ts';

const app = await startTestApp();
let client: Client;
let pass: Json;
let card: Json;
beforeEach(async () => {
  ({ client } = await app.newWorkspace());
  pass = await makePass(client);
  card = await makeCard(client, pass.passId, { holder: { identifier: 'ada' } });
});

type Verb = 'void' | 'reactivate';
const post = (verb: Verb, one = card, headers = {}, body?: Json) =>
  client.post(`/instances/${one.instanceId}/${verb}`, body, { headers });
const voided = async (): Promise<number> => (await client.get(`/passes/${pass.passId}`)).body.counts.voided;
const kinds = async (one = card): Promise<string[]> =>
  (await client.get(`/instances/${one.instanceId}/timeline`)).body.data.map(({ kind }: Json) => kind);

describe('POST /instances/{instanceId}/void', () => {
  it('ends a card', async () => {
    const { status, body } = await post('void');
    const { pushed, pushSkipReason, ...instance } = body;
    assert.equal(status, 200);
    assert.match(instance.voidedAt, /^20.*Z$/);
    const { voidedAt, updatedAt } = instance;
    assert.deepEqual(instance, { ...card, status: 'voided', voidedAt, updatedAt });
    assert.deepEqual([pushed, pushSkipReason], [false, 'not_installed']);
    assert.deepEqual((await client.get(`/instances/${card.instanceId}`)).body, instance);
    assert.equal(await voided(), 1);
  });

  it('changes nothing when repeated', async () => {
    await post('void');
    const repeat = await post('void');
    assert.deepEqual([repeat.status, repeat.body.pushSkipReason], [200, 'unchanged']);
    assert.equal(await voided(), 1);
    assert.deepEqual(await kinds(), ['instance.voided', 'instance.issued']);
  });

  it('keeps the reason that was given first, until the card is valid again', async () => {
    const first = await post('void', card, {}, { reason: 'lost' });
    assert.equal(first.body.voidReason, 'lost');
    const repeat = await post('void', card, {}, { reason: 'stolen' });
    assert.deepEqual([repeat.body.voidReason, repeat.body.pushSkipReason], ['lost', 'unchanged']);
    assert.equal((await client.get(`/instances/${card.instanceId}`)).body.voidReason, 'lost');
    const { voidedAt, voidReason } = (await post('reactivate')).body;
    assert.deepEqual([voidedAt, voidReason], [null, null]);
    assert.equal((await post('void')).body.voidReason, null);
  });

  it('takes no reason that is none, and no other property', async () => {
    for (const body of [{ reason: '' }, { reason: 5 }, { reason: 'x'.repeat(501) }, { why: 'lost' }, []])
      assertRefused(await post('void', card, {}, body), 'invalid_request');
    for (const body of [undefined, {}, { reason: null }])
      assert.equal((await post('void', card, {}, body)).body.voidReason, null);
  });

  it('shows no moment of a card that a former version has voided', async () => {
    await app.sql("update instances set status = 'voided' where instance_id = $1", [
      decodeId('inst', card.instanceId),
    ]);
    const { status, voidedAt, voidReason } = (await client.get(`/instances/${card.instanceId}`)).body;
    assert.deepEqual([status, voidedAt, voidReason], ['voided', null, null]);
  });

  it('voids once under concurrent requests', async () => {
    const replies = await inParallel(20, () => post('void'));
    assert.deepEqual(tally(replies.map(({ body }) => body.pushSkipReason)), {
      not_installed: 1,
      unchanged: 19,
    });
    assert.equal(await voided(), 1);
  });
});

describe('POST /instances/{instanceId}/reactivate', () => {
  it('makes a voided card valid again', async () => {
    await post('void');
    const { status, body } = await post('reactivate');
    const { pushed: _, pushSkipReason, ...instance } = body;
    assert.deepEqual([status, pushSkipReason], [200, 'not_installed']);
    assert.deepEqual(instance, { ...card, updatedAt: instance.updatedAt });
    assert.deepEqual((await client.get(`/instances/${card.instanceId}`)).body, instance);
    assert.equal(await voided(), 0);
    assert.deepEqual(await kinds(), ['instance.reactivated', 'instance.voided', 'instance.issued']);
  });

  it('changes nothing on an active card', async () => {
    assert.equal((await post('reactivate')).body.pushSkipReason, 'unchanged');
    assert.deepEqual(await kinds(), ['instance.issued']);
  });

  it('refuses when the holder got a new card since', async () => {
    await post('void');
    const next = await makeCard(client, pass.passId, { holder: { identifier: 'ada' } });
    assertRefused(await post('reactivate'), 'holder_has_active_instance');
    assert.equal(await voided(), 1);
    await post('void', next);
    assert.equal((await post('reactivate')).status, 200);
    assertRefused(await post('reactivate', next), 'holder_has_active_instance');
  });

  it('leaves a holder with one active card when all of them are reactivated at once', async () => {
    const cards = [card];
    for (let index = 0; index < 5; index++) {
      await post('void', cards.at(-1));
      cards.push(await makeCard(client, pass.passId, { holder: { identifier: 'ada' } }));
    }
    await post('void', cards.at(-1));
    const replies = await Promise.all(cards.map((one) => post('reactivate', one)));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 1, 409: 5 });
    assert.equal(await voided(), 5);
  });

  it('works on a draft and on an archived pass', async () => {
    for (const status of ['draft', 'published', 'archived']) {
      await client.patch(`/passes/${pass.passId}`, { status });
      assert.equal((await post('void')).body.status, 'voided');
      assert.equal((await post('reactivate')).body.status, 'active');
    }
  });
});

describe('voiding and reactivating', () => {
  for (const verb of ['void', 'reactivate'] as const) {
    it(`${verb} is applied once for one Idempotency-Key`, async () => {
      if (verb === 'reactivate') await post('void');
      const headers = { 'idempotency-key': 'once' };
      const first = await post(verb, card, headers);
      await post(verb === 'void' ? 'reactivate' : 'void');
      const repeat = await post(verb, card, headers);
      assert.equal(repeat.text, first.text);
      assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
      const { status } = (await client.get(`/instances/${card.instanceId}`)).body;
      assert.equal(status, verb === 'void' ? 'active' : 'voided');
      const other = await makeCard(client, pass.passId);
      assertRefused(await post(verb, other, headers), 'external_ref_reused');
    });

    it(`${verb} does not find an unknown card, and forbids that of another account`, async () => {
      assertRefused(await post(verb, { instanceId: encodeId('inst', newUuidV7()) }), 'instance_not_found');
      assertRefused(await post(verb, { instanceId: 'x' }), 'instance_not_found');
      const { client: stranger } = await app.newWorkspace();
      const foreign = await makeCard(stranger, (await makePass(stranger)).passId);
      assertRefused(await post(verb, foreign), 'forbidden');
    });
  }

  it('keep the counts right whatever meets', async () => {
    const cards = [card, ...(await inParallel(4, () => makeCard(client, pass.passId)))];
    const verbs = Array.from({ length: 60 }, (_, index): [Verb, Json] => [
      index % 2 === 0 ? 'void' : 'reactivate',
      cards[index % cards.length],
    ]);
    await Promise.all(verbs.map(([verb, one]) => post(verb, one)));
    const { data } = (await client.get(`/passes/${pass.passId}/instances?status=voided`)).body;
    assert.equal(await voided(), data.length);
  });
});
