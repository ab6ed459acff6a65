import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, type Json } from '../../test/client.ts';
import { eventsOf } from '../../test/events.ts';
import { inParallel, makeCard, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { decodeId } from '../kit/ids.ts';
import { barcodesPath, fill, makePool, numbered, poolOf } from './pool.fixture.ts';

const app = await startTestApp();
const { client } = await app.newWorkspace();

/** What the `pool.low` events of a pass say, oldest first. */
async function lows({ passId }: Json): Promise<Json[]> {
  const events = await eventsOf(client, `type=pool.low&passId=${passId}`);
  return events.map(({ actor, data: { available, total, assigned, lowAt, lowSince }, previous }) => {
    assert.match(actor, /^key_/);
    assert.equal(available + assigned, total);
    assert.ok(Math.abs(Date.parse(lowSince) - Date.now()) < 600_000);
    assert.deepEqual(previous, { lowSince: null });
    return { available, total, lowAt };
  });
}

const issue = (pass: Json, count: number) => inParallel(count, () => makeCard(client, pass.passId));
const importAll = (pass: Json, codes: readonly string[]) =>
  client.post(`/passes/${pass.passId}/instances/import`, {
    instances: codes.map((barcode) => ({ barcode })),
  });
const setLowAt = async (pass: Json, lowAt: number) => {
  const { status, body, text } = await client.patch(`/passes/${pass.passId}`, { pool: { lowAt } });
  assert.equal(status, 200, text);
  return body;
};
const remove = (pass: Json, code: string) => client.delete(`${barcodesPath(pass)}/${code}`);

describe('pool.lowAt', () => {
  it('is 100 by default, stays through changes and comes along with a clone', async () => {
    assert.equal((await makePass(client)).pool.lowAt, 100);
    const pass = await makePool(client, { lowAt: 7 });
    assert.deepEqual(pass.barcode, { mode: 'pool', format: 'qr', value: null });
    assert.equal(pass.pool.lowAt, 7);
    const aztec = await client.patch(`/passes/${pass.passId}`, { barcode: { format: 'aztec' } });
    assert.equal(aztec.body.pool.lowAt, 7);
    assert.equal((await setLowAt(pass, 8)).pool.lowAt, 8);
    const clone = (await client.post(`/passes/${pass.passId}/clone`)).body;
    assert.deepEqual([clone.pool.lowAt, clone.pool.total], [8, 0]);
    assert.deepEqual((await client.get(`/passes/${pass.passId}`)).body.pool.lowAt, 8);
  });

  it('is an integer from 0 to 1,000,000', async () => {
    for (const lowAt of [-1, 1.5, 1_000_001, '5', null]) {
      const body = { title: 'Tea', type: 'coupon', pool: { lowAt } };
      assertRefused(await client.post('/passes', body), 'invalid_request', /pool.lowAt/);
    }
    for (const lowAt of [0, 1_000_000]) await makePool(client, { lowAt });
  });

  it('is nothing that cards show: its change is no new revision of the pass', async () => {
    const pass = await makePool(client);
    await setLowAt(pass, 9);
    const [row] = await app.sql('select revision from passes where pass_id = $1', [
      decodeId('pass', pass.passId),
    ]);
    assert.deepEqual(row, { revision: '1' });
  });
});

describe('pool.low', () => {
  it('is emitted once, by the issue that reaches the mark', async () => {
    const pass = await makePool(client, { lowAt: 3 });
    await fill(client, pass, numbered(6));
    await issue(pass, 2);
    assert.deepEqual(await lows(pass), []);
    assert.equal((await poolOf(client, pass)).lowSince, null);
    await issue(pass, 1);
    assert.deepEqual(await lows(pass), [{ available: 3, total: 6, lowAt: 3 }]);
    const since = (await poolOf(client, pass)).lowSince;
    assert.ok(Math.abs(Date.parse(since) - Date.now()) < 60_000);
    await issue(pass, 3);
    assertRefused(await client.post(`/passes/${pass.passId}/instances`, {}), 'pool_exhausted');
    assert.equal((await lows(pass)).length, 1);
    assert.equal((await poolOf(client, pass)).lowSince, since);
  });

  it('is emitted once when fifty issues cross the mark at the same time', async () => {
    const other = (await app.twin()).as(client.secret);
    for (let turn = 0; turn < 3; turn++) {
      const pass = await makePool(client, { lowAt: 30 });
      await fill(client, pass, numbered(60));
      const replies = await inParallel(60, (index) =>
        (index % 2 ? other : client).post(`/passes/${pass.passId}/instances`, {}),
      );
      assert.deepEqual(tally(replies.map(({ status }) => status)), { '201': 60 });
      assert.equal((await lows(pass)).length, 1);
    }
  });

  it('is emitted again after a refill and a second crossing', async () => {
    const pass = await makePool(client, { lowAt: 2 });
    for (let turn = 1; turn <= 3; turn++) {
      const { pool } = await fill(client, pass, numbered(5, `TURN${turn}`));
      assert.equal(pool.lowSince, null);
      await issue(pass, pool.available - 2);
      assert.equal((await lows(pass)).length, turn);
      assert.notEqual((await poolOf(client, pass)).lowSince, null);
    }
  });

  it('is not emitted again when a refill is too small', async () => {
    const pass = await makePool(client, { lowAt: 10 });
    await fill(client, pass, numbered(11));
    await issue(pass, 4);
    const before = (await poolOf(client, pass)).lowSince;
    const { pool } = await fill(client, pass, numbered(3, 'MORE'));
    assert.deepEqual([pool.available, pool.lowSince], [10, before]);
    await issue(pass, 5);
    assert.equal((await lows(pass)).length, 1);
  });

  it('is emitted by the first issue from a pool that was never above its mark', async () => {
    const pass = await makePool(client, { lowAt: 100 });
    assert.equal((await fill(client, pass, numbered(5))).pool.lowSince, null);
    await issue(pass, 3);
    assert.equal((await lows(pass)).length, 1);
  });

  it('is emitted once for a pool without a code', async () => {
    const pass = await makePool(client);
    for (let turn = 0; turn < 3; turn++)
      assertRefused(await client.post(`/passes/${pass.passId}/instances`, {}), 'pool_exhausted');
    assert.deepEqual(await lows(pass), [{ available: 0, total: 0, lowAt: 100 }]);
  });

  it('with lowAt 0 is emitted when the last code goes', async () => {
    const pass = await makePool(client, { lowAt: 0 });
    await fill(client, pass, numbered(2));
    await issue(pass, 1);
    assert.equal((await lows(pass)).length, 0);
    await issue(pass, 1);
    assert.deepEqual(await lows(pass), [{ available: 0, total: 2, lowAt: 0 }]);
  });

  it('is emitted once for a batch that crosses in one go, and for one that takes more than there is', async () => {
    for (const count of [8, 20]) {
      const pass = await makePool(client, { lowAt: 4 });
      await fill(client, pass, numbered(10));
      const { body } = await client.post(`/passes/${pass.passId}/instances/batch`, {
        instances: Array.from({ length: count }, () => ({})),
      });
      const issued = body.results.filter(({ status }: Json) => status === 201).length;
      assert.equal(issued, Math.min(count, 10));
      assert.equal((await lows(pass)).length, 1);
    }
  });

  it('is emitted when an import takes codes out of the pool, wherever they are', async () => {
    const ends = { front: [0, 1, 2], mark: [5, 6, 7], back: [17, 18, 19], mixed: [0, 10, 19] };
    for (const places of Object.values(ends)) {
      const pass = await makePool(client, { lowAt: 10 });
      const codes = numbered(20);
      await fill(client, pass, codes);
      await importAll(
        pass,
        places.map((place) => codes[place] ?? ''),
      );
      await assertInvariants(app.sql);
      await issue(pass, 6);
      assert.deepEqual(await lows(pass), []);
      await issue(pass, 1);
      assert.deepEqual(await lows(pass), [{ available: 10, total: 20, lowAt: 10 }]);
    }
    const pass = await makePool(client, { lowAt: 5 });
    await fill(client, pass, numbered(20));
    await importAll(pass, numbered(20).slice(4, 19));
    assert.equal((await lows(pass)).length, 1);
  });

  it('does not mind an import of codes that are not in the pool', async () => {
    const pass = await makePool(client, { lowAt: 3 });
    await fill(client, pass, numbered(5));
    await importAll(pass, numbered(10, 'ELSEWHERE'));
    assert.equal((await lows(pass)).length, 0);
    assert.equal((await poolOf(client, pass)).available, 5);
  });

  it('is emitted when a deletion makes the pool low, and not again', async () => {
    for (const order of [numbered(6), numbered(6).reverse()]) {
      const pass = await makePool(client, { lowAt: 3 });
      await fill(client, pass, numbered(6));
      for (const [count, code] of order.entries()) {
        assert.equal((await remove(pass, code)).status, 204);
        assert.equal((await lows(pass)).length, count < 2 ? 0 : 1);
        await assertInvariants(app.sql);
      }
    }
  });

  it('follows a change of lowAt, up and down', async () => {
    const pass = await makePool(client, { lowAt: 2 });
    await fill(client, pass, numbered(10));
    await issue(pass, 2);
    assert.equal((await setLowAt(pass, 7)).pool.lowSince, null);
    assert.notEqual((await setLowAt(pass, 8)).pool.lowSince, null);
    assert.deepEqual(await lows(pass), [{ available: 8, total: 10, lowAt: 8 }]);
    assert.notEqual((await setLowAt(pass, 9)).pool.lowSince, null);
    assert.equal((await setLowAt(pass, 6)).pool.lowSince, null);
    await assertInvariants(app.sql);
    await issue(pass, 1);
    assert.equal((await lows(pass)).length, 1);
    await issue(pass, 1);
    assert.equal((await lows(pass)).length, 2);
  });

  it('is not emitted for a pass without a pool', async () => {
    const pass = await makePass(client);
    await issue(pass, 2);
    await setLowAt(pass, 1_000);
    assert.deepEqual(await lows(pass), []);
    assert.equal((await poolOf(client, pass)).lowSince, null);
  });

  it('is not emitted for a repeated issue, nor for one that is refused', async () => {
    const pass = await makePool(client, { lowAt: 1 });
    await fill(client, pass, numbered(3));
    const body = { externalRef: 'signup-1', holder: { identifier: 'ada' } };
    for (let turn = 0; turn < 3; turn++) await client.post(`/passes/${pass.passId}/instances`, body);
    await client.post(`/passes/${pass.passId}/instances`, { holder: { identifier: 'ada' } });
    await client.post(`/passes/${pass.passId}/instances`, { fields: { nothing: 'x' } });
    assert.deepEqual([(await poolOf(client, pass)).available, await lows(pass)], [2, []]);
  });

  it('agrees with the counts after a storm of everything', { timeout: 120_000 }, async () => {
    const pass = await makePool(client, { lowAt: 40 });
    await fill(client, pass, numbered(400));
    await inParallel(12, async (worker) => {
      for (let turn = 0; turn < 12; turn++) {
        const kind = (worker + turn) % 6;
        if (kind < 3) await makeCard(client, pass.passId);
        if (kind === 3) await remove(pass, `CODE-${String(399 - worker * 12 - turn).padStart(6, '0')}`);
        if (kind === 4) await importAll(pass, numbered(2, 'CODE', 100 + worker * 20 + turn));
        if (kind === 5 && turn % 3 === 0) await fill(client, pass, numbered(5, `W${worker}T${turn}`));
        if (kind === 5 && turn % 3 === 1) await setLowAt(pass, 30 + turn);
      }
    });
    await assertInvariants(app.sql);
    const { available, lowAt } = await poolOf(client, pass);
    await issue(pass, Math.max(1, available - lowAt));
    assert.notEqual((await poolOf(client, pass)).lowSince, null);
  });

  it('leaves counts, marks and codes in agreement', () => assertInvariants(app.sql));
});

describe('the front of a pool', () => {
  it('moves on as codes are taken, and never past one that is left', { timeout: 120_000 }, async () => {
    const pass = await makePool(client, { lowAt: 0 });
    await fill(client, pass, numbered(3_600));
    const front = async () => {
      const [row] = await app.sql<{ behind: number }>(
        `select (p.pool_from_seq - (select min(seq) from pool_barcodes b where b.pass_id = p.pass_id))::int as behind
         from passes p where pass_id = $1`,
        [decodeId('pass', pass.passId)],
      );
      return row?.behind ?? 0;
    };
    const issued: string[] = [];
    await inParallel(4, async () => {
      for (let turn = 0; turn < 9; turn++) {
        const { body } = await client.post(`/passes/${pass.passId}/instances/batch`, {
          instances: Array.from({ length: 100 }, () => ({})),
        });
        issued.push(...body.results.map(({ instance }: Json) => instance.barcode));
      }
    });
    assert.equal(new Set(issued).size, 3_600);
    assert.ok((await front()) > 2_000, `the front has come to ${await front()}`);
    await fill(client, pass, ['LATE']);
    assert.equal((await makeCard(client, pass.passId)).barcode, 'LATE');
    await assertInvariants(app.sql);
  });
});
