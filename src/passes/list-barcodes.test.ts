import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, type Json } from '../../test/client.ts';
import { inParallel, makeCard, makeKey, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import {
  barcodesPath,
  fill,
  listAll,
  makePool,
  namesOf,
  numbered,
  poolOf,
  uploadJson,
} from './pool.fixture.ts';

const app = await startTestApp();
const { client } = await app.newWorkspace();

const remove = (pass: Json, code: string) =>
  client.delete(`${barcodesPath(pass)}/${encodeURIComponent(code)}`);

describe('GET /passes/{passId}/barcodes', () => {
  it('lists codes in the order of their upload, with the cards that carry them', async () => {
    const pass = await makePool(client);
    await fill(client, pass, ['C', 'A']);
    await fill(client, pass, ['B']);
    const card = await makeCard(client, pass.passId);
    const { body } = await client.get(barcodesPath(pass));
    const [first, ...others] = body.data;
    assert.ok(Date.parse(first.assignedAt) > 0);
    assert.deepEqual(first, {
      barcode: 'C',
      state: 'assigned',
      instanceId: card.instanceId,
      assignedAt: first.assignedAt,
    });
    const available = { state: 'available', instanceId: null, assignedAt: null };
    assert.deepEqual(others, [
      { barcode: 'A', ...available },
      { barcode: 'B', ...available },
    ]);
    assert.equal(body.nextCursor, null);
  });

  it('filters by state and pages without loss, while codes come and go', async () => {
    const pass = await makePool(client);
    const codes = numbered(250);
    await fill(client, pass, codes);
    await client.post(`/passes/${pass.passId}/instances/import`, {
      instances: codes.filter((_, at) => at % 3 === 0).map((barcode) => ({ barcode })),
    });
    assert.deepEqual(await namesOf(client, pass), codes);
    const taken = codes.filter((_, at) => at % 3 === 0);
    assert.deepEqual(await namesOf(client, pass, '&state=assigned'), taken);
    const left = codes.filter((_, at) => at % 3 !== 0);
    assert.deepEqual(await namesOf(client, pass, '&state=available'), left);
    for (const limit of [1, 7]) {
      const page = (await client.get(`${barcodesPath(pass)}?state=available&limit=${limit}`)).body;
      assert.equal(page.data.length, limit);
      await remove(pass, page.data[0].barcode);
      await fill(client, pass, [`NEW-${limit}`]);
      const next = `${barcodesPath(pass)}?state=available&limit=1&cursor=${encodeURIComponent(page.nextCursor)}`;
      assert.equal((await client.get(next)).body.data[0].barcode, left[limit === 1 ? 1 : 8]);
    }
  });

  it('shows an empty pool, and that of a pass without one', async () => {
    for (const pass of [await makePool(client), await makePass(client)])
      assert.deepEqual((await client.get(barcodesPath(pass))).body, { data: [], nextCursor: null });
  });

  it('refuses cursors of other lists, and states that there are not', async () => {
    const [pass, other] = [await makePool(client), await makePool(client)];
    await fill(client, pass, numbered(3));
    const cursor = encodeURIComponent((await client.get(`${barcodesPath(pass)}?limit=1`)).body.nextCursor);
    assertRefused(await client.get(`${barcodesPath(other)}?cursor=${cursor}`), 'invalid_request', /^cursor/);
    const filtered = `${barcodesPath(pass)}?state=available&cursor=${cursor}`;
    assertRefused(await client.get(filtered), 'invalid_request', /^cursor/);
    assertRefused(await client.get(`${barcodesPath(pass)}?state=used`), 'invalid_request', /state/);
  });

  it('is open to keys that only read, and to no other account', async () => {
    const pass = await makePool(client);
    const reader = await makeKey(client, { access: 'read' });
    assert.equal((await reader.client.get(barcodesPath(pass))).status, 200);
    const { client: stranger } = await app.newWorkspace();
    assertRefused(await stranger.get(barcodesPath(pass)), 'forbidden');
  });
});

describe('DELETE /passes/{passId}/barcodes/{barcode}', () => {
  it('takes a code out of the pool', async () => {
    const pass = await makePool(client);
    await fill(client, pass, ['A', 'B', 'C']);
    assert.equal((await remove(pass, 'B')).status, 204);
    assert.deepEqual(await namesOf(client, pass), ['A', 'C']);
    assertRefused(await remove(pass, 'B'), 'barcode_not_found', /no such barcode/);
    const { total, available } = await poolOf(client, pass);
    assert.deepEqual([total, available], [2, 2]);
    await fill(client, pass, ['B']);
    assert.deepEqual(await namesOf(client, pass), ['A', 'C', 'B']);
  });

  it('refuses a code that is on a card, and names the card', async () => {
    const pass = await makePool(client);
    await fill(client, pass, ['A']);
    const { instanceId } = await makeCard(client, pass.passId);
    assertRefused(await remove(pass, 'A'), 'invalid_request', new RegExp(instanceId));
    await client.post(`/instances/${instanceId}/void`);
    assertRefused(await remove(pass, 'A'), 'invalid_request', new RegExp(instanceId));
  });

  it('finds a code however it has to be written in a path', async () => {
    const codes = [
      'a/b',
      'a b',
      'a%20b',
      'a?b#c',
      'カード',
      '🎟'.repeat(60),
      'é',
      'a+b',
      ';=&',
      '日'.repeat(255),
    ];
    const pass = await makePool(client);
    await fill(client, pass, codes);
    for (const code of codes) assert.equal((await remove(pass, code)).status, 204, code);
    assert.equal((await poolOf(client, pass)).total, 0);
  });

  it('compares in NFC', async () => {
    const pass = await makePool(client);
    await uploadJson(client, pass, ['caf\u00e9']);
    assert.equal((await remove(pass, 'cafe\u0301')).status, 204);
  });

  it('finds no code of another pass, and is kept from other accounts', async () => {
    const [pass, other] = [await makePool(client), await makePool(client)];
    await fill(client, other, ['A']);
    assertRefused(await remove(pass, 'A'), 'barcode_not_found');
    const { client: stranger } = await app.newWorkspace();
    assertRefused(await stranger.delete(`${barcodesPath(other)}/A`), 'forbidden');
    assertRefused(await remove({ passId: 'pass_none' }, 'A'), 'pass_not_found');
  });

  it('of many at once, and of one by many, counts each code once', async () => {
    const pass = await makePool(client);
    await fill(client, pass, numbered(20));
    const replies = await inParallel(40, (index) => remove(pass, numbered(20)[index % 20] ?? ''));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { '204': 20, '404': 20 });
    assert.deepEqual((await poolOf(client, pass)).total, 0);
  });

  it('and issues at the same time never take the same code', async () => {
    const pass = await makePool(client);
    const codes = numbered(40);
    await fill(client, pass, codes);
    const [removed, issued] = await Promise.all([
      inParallel(40, (index) => remove(pass, codes[index] ?? '')),
      inParallel(40, () => client.post(`/passes/${pass.passId}/instances`, {})),
    ]);
    const gone = removed.filter(({ status }) => status === 204).length;
    const cards = issued.filter(({ status }) => status === 201).length;
    assert.equal(gone + cards, 40);
    assert.equal((await listAll(client, pass)).length, cards);
  });

  it('leaves counts, marks and codes in agreement', () => assertInvariants(app.sql));
});
