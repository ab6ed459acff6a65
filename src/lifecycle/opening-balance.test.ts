import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Json } from '../../test/client.ts';
import { inParallel, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { coffee, Till, threeStamps } from '../loyalty/till.fixture.ts';

const app = await startTestApp();

/** Imports cards; their results. */
async function send(till: Till, instances: readonly object[], key?: string): Promise<Json[]> {
  const headers = { ...(key !== undefined && { 'idempotency-key': key }) };
  const path = `/passes/${till.passId}/instances/import`;
  const { body, status, text } = await till.client.post(path, { instances }, { headers });
  assert.equal(status, 200, text);
  return body.results;
}

/** Status or code of each result, and the balance that it shows. */
const outcomes = (results: readonly Json[]) =>
  results.map(({ status, instance, error }) => [error?.code ?? status, instance?.loyalty?.balance]);

describe('a card that is imported with a balance', () => {
  it('has it from the beginning, by an entry of its own', async () => {
    const till = await Till.open(app);
    const key = randomUUID();
    const results = await send(
      till,
      [
        { barcode: 'A', holder: { identifier: 'bob' }, balance: 12 },
        { barcode: 'B', balance: 5 },
        { barcode: 'C', balance: 0 },
        { barcode: 'D', balance: null },
        { barcode: 'E' },
      ],
      key,
    );
    assert.deepEqual(outcomes(results), [
      [201, 12],
      [201, 5],
      [201, 0],
      [201, 0],
      [201, 0],
    ]);
    const [bob, , none] = results.map(({ instance }) => instance);
    const { loyalty } = (await till.client.get(`/instances/${bob.instanceId}`)).body;
    assert.deepEqual(loyalty, bob.loyalty);
    const [entry, ...more] = await till.entries(bob);
    assert.deepEqual(more, []);
    assert.deepEqual([entry.kind, entry.points, entry.balance, entry.externalRef], ['import', 12, 12, key]);
    assert.deepEqual(await till.entries(none), []);
    assert.equal((await till.holder('bob')).lifetimePoints, 12);
    assert.equal((await till.summary()).adjusted, 17);
    await till.assertSound();
  });

  it('expires as points that were earned now, in every state of the program', async () => {
    const till = await Till.open(app, { ...coffee, expiry: { months: 1 } }, { launched: false });
    await send(till, [{ barcode: 'A', holder: { identifier: 'bob' }, balance: 3 }]);
    const { nextExpiry } = await till.holder('bob');
    assert.equal(nextExpiry.points, 3);
    const days = (Date.parse(nextExpiry.at) - Date.now()) / 86_400_000;
    assert.ok(days > 27 && days < 33, `${days}`);
    await till.change({ status: 'active' });
    await till.change({ status: 'paused' });
    assert.deepEqual(outcomes(await send(till, [{ barcode: 'B', balance: 4 }])), [[201, 4]]);
  });

  it('unlocks rewards with its stamps', async () => {
    const till = await Till.open(app, threeStamps);
    const [one, many] = await send(till, [
      { barcode: 'A', balance: 8 },
      { barcode: 'B', balance: 303 },
    ]);
    assert.deepEqual([one.instance.loyalty.balance, one.instance.loyalty.pendingRewards], [2, 2]);
    assert.deepEqual([many.error.code, many.error.error.split(':')[0]], ['invalid_request', 'balance']);
    assert.equal((await till.client.get('/instances/lookup?barcode=B')).status, 404, 'no card was made');
    await till.assertSound();
  });

  it('is not set again by a repeat, with a key or without', async () => {
    const till = await Till.open(app);
    const card = { barcode: 'A', holder: { identifier: 'bob' }, balance: 12 };
    const first = await send(till, [card], 'k');
    await till.earn(1, { identifier: 'bob' });
    assert.deepEqual(await send(till, [card], 'k'), first);
    assert.deepEqual(outcomes(await send(till, [card])), [[200, 13]]);
    assert.deepEqual(outcomes(await send(till, [{ ...card, balance: 99 }])), [[200, 13]]);
    assert.deepEqual(outcomes(await send(till, [{ ...card, balance: 99 }], 'k')), [
      ['external_ref_reused', undefined],
    ]);
    assert.equal((await till.holder('bob')).balance, 13);
  });

  it('is set once however often it is sent at once, also within a batch', async () => {
    const till = await Till.open(app);
    const cards = Array.from({ length: 20 }, (_, at) => ({
      barcode: `B-${at}`,
      holder: { identifier: `h-${at}` },
      balance: at + 1,
    }));
    const replies = await inParallel(4, () => send(till, [...cards, ...cards]));
    const made = replies.flat().filter(({ status }) => status === 201);
    assert.equal(made.length, cards.length);
    for (const { instance } of replies.flat())
      assert.equal(instance.loyalty.balance, Number(instance.barcode.slice(2)) + 1);
    assert.equal((await till.summary()).adjusted, 210);
    await till.assertSound();
  });

  it('leaves an account that it takes over as it is', async () => {
    const till = await Till.open(app);
    await till.earn(7);
    await till.void();
    const fresh = await till.card('eve');
    await till.void(fresh);
    const results = await send(till, [
      { barcode: 'A', holder: { identifier: 'ada' }, balance: 100 },
      { barcode: 'B', holder: { identifier: 'eve' }, balance: 100 },
    ]);
    assert.deepEqual(outcomes(results), [
      [201, 7],
      [201, 100],
    ]);
    await till.assertSound();
  });

  it('needs a program to hold it, and a figure that is one', async () => {
    const till = await Till.open(app);
    const { passId } = await makePass(till.client);
    const plain = await till.client.post(`/passes/${passId}/instances/import`, {
      instances: [{ barcode: 'A', balance: 5 }, { barcode: 'B', balance: 0 }, { barcode: 'C' }],
    });
    assert.deepEqual(
      outcomes(plain.body.results).map(([what]) => what),
      ['no_loyalty_program', 201, 201],
    );
    const figures = [-1, 1.5, '5', true];
    const results = await send(
      till,
      figures.map((balance, at) => ({ barcode: `F-${at}`, balance })),
    );
    assert.deepEqual(new Set(outcomes(results).map(([what]) => what)), new Set(['invalid_request']));
    const [large] = await send(till, [{ barcode: 'L', balance: Number.MAX_SAFE_INTEGER }]);
    assert.equal(large.instance.loyalty.balance, Number.MAX_SAFE_INTEGER);
  });
});
