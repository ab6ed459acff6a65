import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Json, type Reply } from '../../test/client.ts';
import { makeKey, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { coffee, Till } from './till.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
let till: Till;
beforeEach(async () => {
  till = await Till.open(app);
});

const earnMany = (awards: unknown, headers: Record<string, string> = {}, by = till.client): Promise<Reply> =>
  by.send('POST', '/loyalty/points/batch', { awards }, { headers });
const adjustMany = (adjustments: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  till.client.send('POST', '/loyalty/adjust/batch', { adjustments }, { headers });
const ada = (points: unknown, more: object = {}) => ({
  passId: till.passId,
  identifier: 'ada',
  points,
  ...more,
});
const codesOf = ({ body }: Reply): unknown[] =>
  body.results.map(({ status, error }: Json) => error?.code ?? status);

describe('POST /loyalty/points/batch', () => {
  it('answers each award as if it had come alone, in its place', async () => {
    await till.card('bob', { holder: { identifier: 'bob', email: 'bob@example.com' } });
    const { status, body } = await earnMany([
      ada(3, { externalRef: 'a-1' }),
      ada(4),
      { passId: till.passId, email: 'bob@example.com', points: 2 },
      { barcode: till.ada.barcode, points: 1 },
    ]);
    assert.equal(status, 200);
    assert.deepEqual(
      body.results.map(({ status: code, award }: Json) => [code, award.points, award.balance]),
      [
        [200, 3, 3],
        [200, 4, 7],
        [200, 2, 2],
        [200, 1, 8],
      ],
    );
    const alone = await till.earn(3, { identifier: 'ada', externalRef: 'a-1' });
    assert.deepEqual(alone.body, body.results[0].award);
    assert.equal(alone.headers.get('idempotent-replayed'), 'true');
    await till.assertSound();
  });

  it('refuses items one by one', async () => {
    const stranger = await Till.open(app);
    const reply = await earnMany([
      ada(0),
      ada(1, { passId: stranger.passId }),
      ada(1, { identifier: 'nobody' }),
      ada(1, { colour: 'red' }),
      null,
      ada(1, { passId: undefined, identifier: undefined, email: 'ada@example.com' }),
      ada(1, { externalRef: 'a-1' }),
      ada(2, { externalRef: 'a-1' }),
      { passId: till.passId, barcode: 'missing', points: 1 },
    ]);
    assert.equal(reply.status, 200);
    assert.deepEqual(codesOf(reply), [
      'invalid_request',
      'forbidden',
      'holder_not_found',
      'invalid_request',
      'invalid_request',
      'invalid_request',
      200,
      'external_ref_reused',
      'instance_not_found',
    ]);
    assert.match(reply.body.results[0].error.error, /^points/);
    assert.match(reply.body.results[3].error.error, /colour/);
    assert.equal(reply.body.results[7].status, 409);
    assert.deepEqual(await till.story(), ['earn +1 = 1']);
    await till.assertSound();
  });

  it('counts nothing twice when it is sent again', async () => {
    const awards = [ada(3, { externalRef: 'a-1' }), ada(4), ada(4)];
    const key = { 'idempotency-key': 'till-7' };
    const first = await earnMany(awards, key);
    const again = await earnMany(awards, key);
    assert.deepEqual(again.body.results, first.body.results);
    assert.equal((await till.holder()).balance, 11);
    assert.deepEqual(
      (await till.entries()).map(({ externalRef }) => externalRef),
      ['a-1', null, null],
    );
    const [, changed] = (await earnMany([awards[0], ada(5), ada(4)], key)).body.results;
    assert.equal(changed.error.code, 'external_ref_reused');
    assert.match(changed.error.error, /^The key "till-7" was used/);
    // The key of a batch is apart from those of single calls.
    assert.equal((await till.earn(3, { externalRef: 'till-7' })).body.balance, 14);
  });

  it('is applied once by ten calls at the same time', async () => {
    const awards = Array.from({ length: 30 }, (_, at) => ada(1, { externalRef: `a-${at}` }));
    const replies = await Promise.all(Array.from({ length: 10 }, () => earnMany(awards)));
    for (const reply of replies) assert.deepEqual(tally(codesOf(reply) as number[]), { 200: 30 });
    assert.equal((await till.holder()).balance, 30);
    await till.assertSound();
  });

  it('takes 1,000 awards at several passes in a few transactions', async () => {
    const tills = [till, await openBeside(), await openBeside()];
    const awards = Array.from({ length: 1_000 }, (_, at) => ({
      passId: tills[at % 3]?.passId,
      identifier: 'ada',
      points: 1,
      externalRef: `a-${at}`,
    }));
    const first = await earnMany(awards);
    assert.deepEqual(tally(codesOf(first) as number[]), { 200: 1_000 });
    assert.deepEqual(
      await Promise.all(tills.map(async (one) => (await one.holder()).balance)),
      [334, 333, 333],
    );
    const [{ transactions }] = (await app.sql(
      'select count(distinct xmin::text)::int as transactions from loyalty_entries',
    )) as [{ transactions: number }];
    assert.ok(transactions <= 100, `${transactions} transactions`);
    await till.assertSound();
  });

  it('refuses the batch as a whole when it is none, or too large', async () => {
    for (const awards of [undefined, [], 'ada', Array.from({ length: 1_001 }, () => ada(1))])
      assertRefused(await earnMany(awards), 'invalid_request', /awards/);
    const big = [ada(1, { reason: 'x'.repeat(5 * 1024 * 1024) })];
    assertRefused(await earnMany(big), 'request_too_large');
  });

  it('reaches what its key reaches', async () => {
    const other = await openBeside();
    const { client } = await makeKey(till.client, { passIds: [other.passId] });
    await till.earn(1, { externalRef: 'a-1' });
    const body = [ada(1, { externalRef: 'a-1' }), ada(1, { passId: other.passId })];
    assert.deepEqual(codesOf(await earnMany(body, {}, client)), ['insufficient_scope', 200]);
    const { client: reader } = await makeKey(till.client, { access: 'read' });
    assertRefused(await earnMany(body, {}, reader), 'insufficient_scope');
  });

  /** Another pass of the workspace with a program and a card of "ada". */
  async function openBeside(): Promise<{ passId: string; holder(): Promise<Json> }> {
    const { client } = till;
    const { passId } = await makePass(client);
    const { programId } = (await client.post('/loyalty/programs', { ...coffee, passId })).body;
    await client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
    await client.post(`/passes/${passId}/instances`, { holder: { identifier: 'ada' } });
    return {
      passId,
      holder: async () => (await client.get(`/loyalty/holders/ada?passId=${passId}`)).body,
    };
  }
});

describe('POST /loyalty/adjust/batch', () => {
  it('applies each adjustment, once, and audits it', async () => {
    const why = { reason: 'Moved from another system' };
    const adjustments = [ada(9, why), ada(-20, why), ada(-4, { ...why, externalRef: 'b-1' }), ada(1)];
    const key = { 'idempotency-key': 'move-1' };
    const first = await adjustMany(adjustments, key);
    assert.deepEqual(codesOf(first), [200, 'balance_too_low', 200, 'invalid_request']);
    assert.deepEqual(first.body.results[1].error.balance, 9);
    assert.equal(first.body.results[2].adjustment.balance, 5);
    const again = await adjustMany(adjustments, key);
    assert.deepEqual(codesOf(again), codesOf(first));
    assert.deepEqual(again.body.results[2], first.body.results[2]);
    assert.equal((await till.holder()).balance, 5);
    assert.equal((await till.audits('adjustPoints')).length, 2);
    await till.assertSound();
  });

  it('refuses the batch as a whole when it is none', async () => {
    assertRefused(await adjustMany([]), 'invalid_request', /adjustments/);
  });
});
