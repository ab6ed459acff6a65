import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel, makeCard, makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { coffee, Till, threeStamps } from './till.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
let till: Till;
beforeEach(async () => {
  till = await Till.open(app);
});

const holderOf = (identifier: string, { passId }: { passId: string } = till, by = till.client) =>
  by.get(`/loyalty/holders/${encodeURIComponent(identifier)}?passId=${passId}`);
const list = (query: string, by: Client = till.client) => by.get(`/loyalty/entries?${query}`);

/** All pages of a list, of `limit` entries each. */
async function pages(query: string, limit: number): Promise<Json[][]> {
  const found: Json[][] = [];
  for (let cursor = ''; ; ) {
    const { body, text } = await list(`${query}&limit=${limit}${cursor}`);
    assert.ok(body.data, text);
    found.push(body.data);
    if (body.nextCursor === null) return found;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
}

describe('GET /loyalty/holders/{identifier}', () => {
  it('says what the holder has', async () => {
    await till.earn(25);
    await till.redeem();
    assert.deepEqual(await till.holder(), {
      identifier: 'ada',
      instanceId: till.ada.instanceId,
      passId: till.passId,
      programId: till.program.programId,
      mode: 'POINTS',
      balance: 15,
      lifetimePoints: 25,
      pendingRewards: 0,
      tier: null,
      threshold: null,
      cost: 10,
      nextExpiry: null,
    });
  });

  it('has zeros for a holder who never earned, also before the launch and while paused', async () => {
    till = await Till.open(app, threeStamps, { launched: false });
    const early = await till.holder();
    assert.deepEqual(
      [early.mode, early.balance, early.lifetimePoints, early.pendingRewards, early.threshold, early.cost],
      ['STAMPS', 0, 0, 0, 3, null],
    );
    await till.change({ status: 'active' });
    await till.earn(4);
    await till.change({ status: 'paused' });
    const paused = await till.holder();
    assert.deepEqual([paused.balance, paused.pendingRewards], [1, 1]);
  });

  it('says when the next points expire, and how many', async () => {
    till = await Till.open(app, { ...coffee, expiry: { months: 2 } });
    await till.earn(5, { occurredAt: new Date(Date.now() - 20 * 86_400_000).toISOString() });
    await till.earn(7);
    const { nextExpiry } = await till.holder();
    assert.equal(nextExpiry.points, 5);
    assert.match(nextExpiry.at, /T00:00:00\.000Z$/);
    await till.redeem();
    assert.equal((await till.holder()).nextExpiry.points, 2);
  });

  it('shows a debt as a balance below zero', async () => {
    const earned = await till.earn(10);
    await till.redeem();
    await till.reverse(earned);
    const { balance, lifetimePoints } = await till.holder();
    assert.deepEqual([balance, lifetimePoints], [-10, 0]);
  });

  it('finds identifiers of any script, in either form, and with signs of URLs in them', async () => {
    for (const identifier of ['Jos\u00e9', '東京/1?2#3', 'a b+c%20', '../passes', '👩🏽‍🚀']) {
      const { instanceId } = await till.card(identifier);
      const found = await till.holder(identifier.normalize('NFD'));
      assert.deepEqual([found.instanceId, found.identifier], [instanceId, identifier]);
    }
  });

  it('shows the present card of a holder, which has the account of the former', async () => {
    await till.earn(5);
    await till.void();
    assert.equal((await till.holder()).instanceId, till.ada.instanceId);
    const next = await till.card('ada');
    const { instanceId, balance } = await till.holder();
    assert.deepEqual([instanceId, balance], [next.instanceId, 5]);
  });

  it('refuses strangers, unknown holders and passes', async () => {
    const other = await Till.open(app);
    const plain = await makePass(till.client);
    assertRefused(await holderOf('bob'), 'holder_not_found');
    assertRefused(await holderOf('ADA'), 'holder_not_found');
    assertRefused(await holderOf('ada', other), 'forbidden');
    assertRefused(await holderOf('ada', plain), 'no_loyalty_program');
    assertRefused(await holderOf('ada', { passId: encodeId('pass', newUuidV7()) }), 'pass_not_found');
    assertRefused(await till.client.get('/loyalty/holders/ada'), 'invalid_request', /passId/);
    const { client: elsewhere } = await makeKey(till.client, { passIds: [plain.passId] });
    assertRefused(await holderOf('ada', till, elsewhere), 'insufficient_scope');
  });

  it('serves keys that may only read, and keys of the pass', async () => {
    for (const settings of [{ access: 'read' }, { passIds: [till.passId] }]) {
      const { client } = await makeKey(till.client, settings);
      assert.equal((await holderOf('ada', till, client)).status, 200);
    }
  });

  it('no longer knows a person who was erased', async () => {
    await till.earn(5);
    await till.client.delete(`/instances/${till.ada.instanceId}`);
    assertRefused(await holderOf('ada'), 'holder_not_found');
    assertRefused(await list(`passId=${till.passId}&identifier=ada`), 'holder_not_found');
    assert.equal((await list(`instanceId=${till.ada.instanceId}`)).body.data.length, 1);
  });
});

describe('GET /loyalty/entries of a card', () => {
  it('shows every part of an entry', async () => {
    await till.earn(7, { externalRef: 'r-1', reason: 'Opening day' });
    const at = new Date(Date.now() + 1_000);
    const [{ entryId, occurredAt, createdAt, ...rest }] = (await list(`instanceId=${till.ada.instanceId}`))
      .body.data;
    assert.deepEqual(rest, {
      seq: 1,
      kind: 'earn',
      points: 7,
      balance: 7,
      externalRef: 'r-1',
      reason: 'Opening day',
      limitedBy: null,
      partnerId: null,
      orderId: null,
      reversalOf: null,
      instanceId: till.ada.instanceId,
      actor: (await till.client.get('/me')).body.keyId,
      deviceId: null,
    });
    assert.match(entryId, /^entry_/);
    assert.equal(occurredAt, createdAt);
    assert.ok(createdAt <= at.toISOString());
  });

  it('is newest first, in pages without gaps or repeats', async () => {
    await inParallel(23, () => till.earn(1));
    const bob = await till.card('bob');
    await till.earn(1, { instanceId: bob.instanceId });
    for (const query of [
      `instanceId=${till.ada.instanceId}`,
      `passId=${till.passId}&identifier=ada`,
      `passId=${till.passId}&instanceId=${till.ada.instanceId}`,
    ]) {
      const found = await pages(query, 5);
      assert.deepEqual(
        found.map((page) => page.length),
        [5, 5, 5, 5, 3],
      );
      assert.deepEqual(
        found.flat().map(({ seq }) => seq),
        Array.from({ length: 23 }, (_, at) => 23 - at),
      );
    }
    assert.equal((await list(`instanceId=${till.ada.instanceId}`)).body.data.length, 23);
  });

  it('goes on where the page before ended, whatever is added between the pages', async () => {
    await inParallel(6, () => till.earn(1));
    const query = `instanceId=${till.ada.instanceId}&limit=4`;
    const first = (await list(query)).body;
    await inParallel(3, () => till.earn(1));
    const second = (await list(`${query}&cursor=${encodeURIComponent(first.nextCursor)}`)).body;
    assert.deepEqual(
      [...first.data, ...second.data].map(({ seq }: Json) => seq),
      [6, 5, 4, 3, 2, 1],
    );
    assert.equal(second.nextCursor, null);
  });

  it('is empty for a card that never earned, and for one of a pass without a program', async () => {
    const plain = await makePass(till.client);
    const card = await makeCard(till.client, plain.passId);
    for (const { instanceId } of [till.ada, card])
      assert.deepEqual((await list(`instanceId=${instanceId}`)).body, { data: [], nextCursor: null });
    assert.deepEqual((await list(`passId=${till.passId}&identifier=ada`)).body.data, []);
  });

  it('belongs to the card: an instanceId of another pass than the passId next to it is not found', async () => {
    const other = await makePass(till.client);
    await till.earn(1);
    const query = `passId=${other.passId}&instanceId=${till.ada.instanceId}`;
    assertRefused(await list(query), 'instance_not_found');
  });
});

describe('GET /loyalty/entries of a pass', () => {
  it('has those of all its cards, newest first, and of no other pass', async () => {
    const bob = await till.card('bob');
    const other = await Till.open(app);
    await other.earn(1);
    for (let turn = 0; turn < 4; turn++) {
      await till.earn(turn + 1);
      await till.earn(turn + 10, { instanceId: bob.instanceId });
    }
    const found = await pages(`passId=${till.passId}`, 3);
    assert.deepEqual(
      found.map((page) => page.length),
      [3, 3, 2],
    );
    assert.deepEqual(
      found.flat().map(({ points }) => points),
      [13, 4, 12, 3, 11, 2, 10, 1],
    );
  });

  it('keeps the order of the entries of each card, also of those made at once', async () => {
    till = await Till.open(app, threeStamps);
    const bob = await till.card('bob');
    await inParallel(30, (at) => till.earn(2, at % 2 === 0 ? {} : { instanceId: bob.instanceId }));
    const all = (await pages(`passId=${till.passId}`, 100)).flat();
    for (const { instanceId } of [till.ada, bob]) {
      const seqs = all.filter((entry) => entry.instanceId === instanceId).map(({ seq }) => seq);
      assert.equal(seqs.length, 25);
      assert.deepEqual(
        seqs,
        seqs.toSorted((a, b) => b - a),
      );
    }
  });
});

describe('GET /loyalty/entries refuses', () => {
  it('to guess whose entries are meant', async () => {
    const { instanceId } = till.ada;
    for (const query of [
      '',
      'identifier=ada',
      `identifier=ada&instanceId=${instanceId}&passId=${till.passId}`,
      `instanceId=${instanceId}&limit=0`,
      `instanceId=${instanceId}&limit=101`,
      `instanceId=${instanceId}&kind=earned`,
    ])
      assertRefused(await list(query), 'invalid_request', /./);
  });

  it('cursors of another list, card, pass or workspace, and tampered ones', async () => {
    const bob = await till.card('bob');
    const other = await Till.open(app);
    for (const one of [till, other]) await inParallel(3, () => one.earn(1));
    await till.earn(1, { instanceId: bob.instanceId });
    const first = (await list(`instanceId=${till.ada.instanceId}&limit=1`)).body.nextCursor;
    const ofPass = (await list(`passId=${till.passId}&limit=1`)).body.nextCursor;
    const foreign = (await list(`passId=${other.passId}&limit=1`, other.client)).body.nextCursor;
    for (const [query, cursor] of [
      [`instanceId=${bob.instanceId}`, first],
      [`passId=${till.passId}`, first],
      [`passId=${till.passId}`, foreign],
      [`instanceId=${till.ada.instanceId}`, ofPass],
      [`instanceId=${till.ada.instanceId}`, `${first}x`],
      [`instanceId=${till.ada.instanceId}`, 'x'],
    ])
      assertRefused(await list(`${query}&cursor=${encodeURIComponent(cursor)}`), 'invalid_request', /cursor/);
  });

  it('what belongs to another account, or does not exist', async () => {
    const other = await Till.open(app);
    const plain = await makePass(till.client);
    assertRefused(await list(`instanceId=${other.ada.instanceId}`), 'forbidden');
    assertRefused(await list(`passId=${other.passId}`), 'forbidden');
    assertRefused(await list(`passId=${other.passId}&identifier=ada`), 'forbidden');
    assertRefused(await list(`instanceId=${encodeId('inst', newUuidV7())}`), 'instance_not_found');
    assertRefused(await list(`passId=${plain.passId}`), 'no_loyalty_program');
    assertRefused(await list(`passId=${till.passId}&identifier=bob`), 'holder_not_found');
    assertRefused(await list('passId=pass_1'), 'pass_not_found');
    const { client: elsewhere } = await makeKey(till.client, { passIds: [plain.passId] });
    assertRefused(await list(`instanceId=${till.ada.instanceId}`, elsewhere), 'insufficient_scope');
    assertRefused(await list(`passId=${till.passId}`, elsewhere), 'insufficient_scope');
  });

  it('nothing to keys that may only read, or of the pass', async () => {
    for (const settings of [{ access: 'read' }, { passIds: [till.passId] }]) {
      const { client } = await makeKey(till.client, settings);
      assert.equal((await list(`passId=${till.passId}`, client)).status, 200);
      assert.equal((await list(`instanceId=${till.ada.instanceId}`, client)).status, 200);
    }
  });
});
