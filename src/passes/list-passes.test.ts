import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';

const app = await startTestApp();
let client: Client;
/** Newest first. */
const passes: Json[] = [];
before(async () => {
  ({ client } = await app.newWorkspace());
  const statuses = ['draft', 'published', 'archived', 'published', 'draft', 'published', 'draft'];
  for (const status of statuses) passes.unshift(await makePass(client, {}, status));
});

const ids = (list: readonly Json[]) => list.map(({ passId }) => passId);

/** Follows the cursors to the end. */
async function pages(who: Client, query: string): Promise<Json[][]> {
  const all: Json[][] = [];
  let cursor = '';
  do {
    const { status, body, text } = await who.get(`/passes?${query}${cursor}`);
    assert.equal(status, 200, text);
    all.push(body.data);
    cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`;
  } while (cursor !== '');
  return all;
}

describe('GET /passes', () => {
  it('lists the newest first, whole', async () => {
    const { body } = await client.get('/passes');
    assert.deepEqual(body, { data: passes, nextCursor: null });
  });

  it('pages through them without loss or repetition', async () => {
    for (const limit of [1, 2, 3, 7, 8, 100]) {
      const found = await pages(client, `limit=${limit}`);
      assert.deepEqual(ids(found.flat()), ids(passes));
      assert.ok(found.every((page, at) => page.length === limit || at === found.length - 1));
    }
  });

  it('keeps its place when passes are added and deleted between the pages', async () => {
    const { client: own } = await app.newWorkspace();
    const made = [];
    for (let index = 0; index < 4; index++) made.unshift(await makePass(own));
    const first = (await own.get('/passes?limit=2')).body;
    await makePass(own);
    await own.delete(`/passes/${made[1].passId}`);
    const second = (await own.get(`/passes?limit=2&cursor=${first.nextCursor}`)).body;
    assert.deepEqual(ids([...first.data, ...second.data]), ids(made));
  });

  it('filters by status, page by page', async () => {
    for (const status of ['draft', 'published', 'archived']) {
      const expected = passes.filter((pass) => pass.status === status);
      assert.deepEqual(ids((await pages(client, `status=${status}&limit=2`)).flat()), ids(expected));
    }
  });

  it('shows a restricted key its own passes only', async () => {
    const [one, , three] = passes;
    const { client: till } = await makeKey(client, { passIds: [one.passId, three.passId] });
    assert.deepEqual(ids((await pages(till, 'limit=1')).flat()), ids([one, three]));
  });

  it('shows nothing of other workspaces', async () => {
    const { client: other } = await app.newWorkspace();
    assert.deepEqual((await other.get('/passes')).body, { data: [], nextCursor: null });
  });

  it('refuses a cursor that it did not give out for this very list', async () => {
    const { nextCursor } = (await client.get('/passes?limit=2')).body;
    const { client: other } = await app.newWorkspace();
    const otherThan = (character: string) => (character === 'A' ? 'B' : 'A');
    const tampered = [
      `${nextCursor.slice(0, -1)}${otherThan(nextCursor.at(-1))}`,
      `${otherThan(nextCursor[0])}${nextCursor.slice(1)}`,
      `${nextCursor}A`,
      nextCursor.slice(0, -4),
      Buffer.from('["0190a000-0000-7000-8000-000000000001"]').toString('base64url'),
      'x',
      "' or 1=1 --",
    ];
    for (const cursor of tampered) {
      const reply = await client.get(`/passes?cursor=${encodeURIComponent(cursor)}`);
      assertRefused(reply, 'invalid_request', /^cursor/);
    }
    const elsewhere = [
      client.get(`/passes?status=draft&cursor=${nextCursor}`),
      client.get(`/api-keys?cursor=${nextCursor}`),
      other.get(`/passes?cursor=${nextCursor}`),
    ];
    for (const reply of await Promise.all(elsewhere)) assertRefused(reply, 'invalid_request', /^cursor/);
  });

  const wrong: [string, RegExp][] = [
    ['limit=0', /parameter limit /],
    ['limit=101', /parameter limit /],
    ['limit=-1', /parameter limit /],
    ['limit=ten', /parameter limit /],
    ['limit=1.5', /parameter limit /],
    ['limit=', /parameter limit /],
    ['limit=1&limit=2', /limit/],
    ['cursor=', /parameter cursor /],
    ['status=deleted', /parameter status /],
    ['status=', /parameter status /],
    ['page=2', /page is not known/],
  ];
  for (const [query, message] of wrong) {
    it(`refuses ?${query}`, async () => {
      assertRefused(await client.get(`/passes?${query}`), 'invalid_request', message);
    });
  }
});

describe('GET /passes/{passId}', () => {
  it('shows a pass with its counts and its pool', async () => {
    const pass = await makePass(client, { barcode: { mode: 'pool' } });
    await app.fillPool(pass.passId, ['A', 'B', 'C']);
    const card = await makeCard(client, pass.passId);
    await makeCard(client, pass.passId);
    await client.post(`/instances/${card.instanceId}/void`);
    const { body } = await client.get(`/passes/${pass.passId}`);
    assert.deepEqual(body, {
      ...pass,
      counts: { issued: 2, installed: 0, voided: 1 },
      pool: { total: 3, available: 1, assigned: 2, lowAt: 100, lowSince: body.pool.lowSince },
    });
    const { data } = (await client.get('/passes?limit=1')).body;
    assert.deepEqual(data, [body]);
  });

  for (const id of [encodeId('pass', newUuidV7()), encodeId('inst', newUuidV7()), 'pass_', 'pass_1', 'x']) {
    it(`does not find ${id}`, async () => {
      assertRefused(await client.get(`/passes/${id}`), 'pass_not_found', /No pass has the id/);
    });
  }

  it('takes an id in its own spelling only', async () => {
    const { passId } = passes[0];
    assertRefused(await client.get(`/passes/${passId.toUpperCase()}`), 'pass_not_found');
    assertRefused(await client.get(`/passes/${passId}%20`), 'pass_not_found');
  });

  it('forbids that of another account', async () => {
    const foreign = await makePass((await app.newWorkspace()).client);
    assertRefused(await client.get(`/passes/${foreign.passId}`), 'forbidden');
  });
});
