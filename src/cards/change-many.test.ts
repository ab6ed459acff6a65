import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel, makeCard, makeKey, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';

const app = await startTestApp();
const field = (key: string, more: object = {}) => ({ key, label: key, section: 'back', ...more });

let client: Client;
let pass: Json;
let card: Json;
beforeEach(async () => {
  ({ client } = await app.newWorkspace());
  pass = await makePass(client, { fields: [field('tier', { value: 'Bronze' }), field('note')] });
  card = await makeCard(client, pass.passId);
});

type Kind = 'fields' | 'void';

/** Sends the items; the results in their places. */
async function send(kind: Kind, items: readonly unknown[], headers = {}, caller = client): Promise<Json[]> {
  const body = kind === 'fields' ? { updates: items } : { voids: items };
  const reply = await caller.post(`/instances/${kind}/batch`, body, { headers });
  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.body.results.length, items.length);
  for (const { status, error } of reply.body.results) {
    assert.equal(error === undefined, status < 300);
    assert.equal(error?.requestId, undefined);
  }
  return reply.body.results;
}

const outcomes = (results: readonly Json[]) => results.map(({ status, error }) => error?.code ?? status);
const current = async ({ instanceId }: Json): Promise<Json> =>
  (await client.get(`/instances/${instanceId}`)).body;
const kindsOf = async ({ instanceId }: Json): Promise<string[]> =>
  (await client.get(`/instances/${instanceId}/timeline?limit=100`)).body.data.map(({ kind }: Json) => kind);
const issue = async (count: number): Promise<Json[]> => {
  const path = `/passes/${pass.passId}/instances/batch`;
  const { body } = await client.post(path, { instances: Array.from({ length: count }, () => ({})) });
  assert.deepEqual(tally(outcomes(body.results).map(String)), { 201: count });
  return body.results.map(({ instance }: Json) => instance);
};

for (const [kind, bodyOf, isDone] of [
  ['fields', () => ({ fields: { tier: 'Gold' } }), ({ fields }: Json) => fields.tier === 'Gold'],
  ['void', () => ({ reason: 'lost' }), (one: Json) => one.status === 'voided' && one.voidReason === 'lost'],
] as [Kind, () => Json, (instance: Json) => boolean][]) {
  describe(`POST /instances/${kind}/batch`, () => {
    const of = ({ instanceId }: Json) => ({ instanceId, ...bodyOf() });

    it('changes cards of several passes, each answered in its place', async () => {
      const other = await makeCard(client, (await makePass(client)).passId);
      const results = await send(kind, [of(card), of(other)]);
      assert.deepEqual(outcomes(results), [200, 200]);
      for (const [at, one] of [card, other].entries()) {
        const { pushed, pushSkipReason, ...instance } = results[at]?.instance ?? {};
        assert.deepEqual([pushed, pushSkipReason], [false, 'not_installed']);
        assert.ok(isDone(instance));
        assert.deepEqual(await current(one), instance);
      }
      await assertInvariants(app.sql);
    });

    it('judges each item for itself', async () => {
      const { client: stranger } = await app.newWorkspace();
      const foreign = await makeCard(stranger, (await makePass(stranger)).passId);
      const results = await send(kind, [
        of({ instanceId: encodeId('inst', newUuidV7()) }),
        of({ instanceId: 'inst_1' }),
        of(foreign),
        of(card),
        { ...of(card), unknown: 1 },
        { ...of(card), instanceId: 5 },
        {},
        null,
        'x',
      ]);
      assert.deepEqual(outcomes(results), [
        'instance_not_found',
        'instance_not_found',
        'forbidden',
        200,
        ...Array.from({ length: 5 }, () => 'invalid_request'),
      ]);
      assert.match(results[4]?.error.error, /^unknown is not known/);
      assert.ok(!isDone((await stranger.get(`/instances/${foreign.instanceId}`)).body));
    });

    it('takes a card that is named twice one time after the other', async () => {
      const results = await send(kind, [of(card), of(card), of(card)]);
      assert.deepEqual(
        results.map(({ instance }) => instance.pushSkipReason),
        ['not_installed', 'unchanged', 'unchanged'],
      );
      assert.equal((await kindsOf(card)).length, 2);
    });

    it('changes 1,000 cards in few transactions, and refuses more', async () => {
      const cards = await issue(1_000);
      const lanes =
        "select count(distinct xmin::text)::int as n from instances where status = 'voided' or fields <> '{}'";
      const results = await send(kind, cards.map(of));
      assert.deepEqual(tally(outcomes(results).map(String)), { 200: 1_000 });
      assert.deepEqual(
        results.map(({ instance }) => instance.instanceId),
        cards.map(({ instanceId }) => instanceId),
      );
      const [row] = await app.sql<{ n: number }>(lanes);
      assert.ok((row?.n ?? 99) <= 40, `${row?.n} transactions`);
      const name = kind === 'fields' ? 'updates' : 'voids';
      for (const items of [[], [...cards, card].map(of)])
        assertRefused(await client.post(`/instances/${kind}/batch`, { [name]: items }), 'invalid_request');
      await assertInvariants(app.sql);
    });

    it('repeats by the Idempotency-Key and the place', async () => {
      const other = await makeCard(client, pass.passId);
      const headers = { 'idempotency-key': 'nightly' };
      const first = await send(kind, [of(card), of(other)], headers);
      if (kind === 'void') await client.post(`/instances/${card.instanceId}/reactivate`);
      else await client.patch(`/instances/${card.instanceId}/fields`, { fields: { tier: 'Iron' } });
      assert.deepEqual(await send(kind, [of(card), of(other)], headers), first);
      assert.ok(!isDone(await current(card)));
      const swapped = await send(kind, [of(other), of(card)], headers);
      assert.deepEqual(outcomes(swapped), ['external_ref_reused', 'external_ref_reused']);
      assert.match(swapped[0]?.error.error, /"nightly"/);
    });

    it('is applied once when it is sent many times at once', async () => {
      const cards = [card, ...(await issue(9))];
      const all = await inParallel(8, () => send(kind, cards.map(of)));
      const reasons = all.flat().map(({ instance }) => instance.pushSkipReason);
      assert.deepEqual(tally(reasons), { not_installed: 10, unchanged: 70 });
      await assertInvariants(app.sql);
    });

    it('lets a key reach its passes alone, and shows it no replay', async () => {
      const other = await makeCard(client, (await makePass(client)).passId);
      const { client: till } = await makeKey(client, { passIds: [pass.passId] });
      const headers = { 'idempotency-key': 'mine' };
      await send(kind, [of(card), of(other)], headers);
      const results = await send(kind, [of(card), of(other)], headers, till);
      assert.deepEqual(outcomes(results), [200, 'insufficient_scope']);
    });
  });
}

describe('POST /instances/fields/batch', () => {
  it('refuses what PATCH …/fields refuses', async () => {
    const { instanceId } = card;
    const voided = await makeCard(client, pass.passId);
    await client.post(`/instances/${voided.instanceId}/void`);
    const bare = await makeCard(client, (await makePass(client, { fields: [] })).passId);
    const fields = { tier: 'x' };
    const results = await send('fields', [
      { instanceId: voided.instanceId, fields },
      { instanceId: bare.instanceId, fields },
      { instanceId, fields: { title: 'x' } },
      { instanceId, fields: { tier: 'x', nope: 'y' } },
      { instanceId, fields: {} },
      { instanceId },
    ]);
    assert.deepEqual(outcomes(results), [
      'instance_voided',
      'fields_not_editable',
      'template_owned_field',
      'unknown_field_key',
      'invalid_request',
      'invalid_request',
    ]);
    assert.equal((await current(card)).fields.tier, 'Bronze');
  });

  it('takes null and useDefault', async () => {
    const { instanceId } = card;
    await send('fields', [{ instanceId, fields: { tier: 'Gold', note: 'Hi' } }]);
    const [result] = await send('fields', [
      { instanceId, fields: { tier: { useDefault: true }, note: null } },
    ]);
    assert.deepEqual(result?.instance.fields, { tier: 'Bronze', note: null });
  });

  it('knows the externalRef of an item, as PATCH …/fields does', async () => {
    const { instanceId } = card;
    const update = { instanceId, fields: { tier: 'Gold' }, externalRef: 'up-1' };
    const [first, twin, reused] = await send('fields', [
      update,
      update,
      { ...update, fields: { tier: 'Iron' } },
    ]);
    assert.deepEqual(twin, first);
    assert.equal(reused?.error.code, 'external_ref_reused');
    const { instanceId: _, ...body } = update;
    const one = await client.patch(`/instances/${instanceId}/fields`, body);
    assert.equal(one.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(one.body, first?.instance);
    assert.deepEqual(await kindsOf(card), ['instance.updated', 'instance.issued']);
  });

  it('takes 5 MiB', async () => {
    const cards = await issue(1_000);
    const updates = cards.map(({ instanceId }) => ({ instanceId, fields: { note: 'é'.repeat(1_000) } }));
    assert.deepEqual(tally(outcomes(await send('fields', updates)).map(String)), { 200: 1_000 });
    const tooMuch = updates.map((one) => ({ ...one, fields: { note: '語'.repeat(1_900) } }));
    assertRefused(await client.post('/instances/fields/batch', { updates: tooMuch }), 'request_too_large');
  });
});
