import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import type { Client, Json } from '../../test/client.ts';
import { inParallel, makeCard, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { formerCards } from '../cards/holders.sql.ts';
import { decodeId } from '../kit/ids.ts';
import { moveAccounts } from '../ledger/take-over.sql.ts';
import { award, makeProgram } from '../loyalty/account.fixture.ts';

const app = await startTestApp();
let client: Client;
let pass: Json;
let program: Json;
before(async () => {
  ({ client } = await app.newWorkspace('pro', 1_000));
  ({ pass, program } = await makeProgram(client));
});

const cardOf = (identifier: string, body: object = {}) =>
  makeCard(client, pass.passId, { holder: { identifier }, ...body });
const get = async (card: Json) => (await client.get(`/instances/${card.instanceId}`)).body;
const voided = (card: Json) => client.post(`/instances/${card.instanceId}/void`);
const account = (balance: number, pendingRewards = 0) => ({
  programId: program.programId,
  mode: 'STAMPS',
  balance,
  pendingRewards,
  tier: null,
});
const accountsOf = async (...cards: Json[]) => {
  const ids = cards.map(({ instanceId }) => decodeId('inst', instanceId));
  const rows = await app.sql('select 1 from loyalty_accounts where instance_id = any($1)', [ids]);
  return rows.length;
};

/** A voided card with seven stamps and two rewards. */
async function formerCard(identifier: string): Promise<Json> {
  const card = await cardOf(identifier);
  await award(client, card, 27);
  await voided(card);
  return card;
}

describe('the answers of cards', () => {
  it('have what the card has in the program of its pass', async () => {
    const card = await cardOf(randomUUID());
    assert.deepEqual(card.loyalty, account(0));
    await award(client, card, 27);
    assert.deepEqual((await get(card)).loyalty, account(7, 2));
    const repeat = await client.post(`/passes/${pass.passId}/instances`, { holder: card.holder });
    assert.equal(repeat.status, 200);
    assert.deepEqual(repeat.body.loyalty, account(7, 2));
    const { body: list } = await client.get(
      `/passes/${pass.passId}/instances?identifier=${card.holder.identifier}`,
    );
    assert.deepEqual(list.data[0].loyalty, account(7, 2));
    assert.deepEqual(
      (await client.get(`/instances/lookup?barcode=${card.barcode}`)).body.loyalty,
      account(7, 2),
    );
    const { body: updated } = await client.patch(`/instances/${card.instanceId}/fields`, {
      fields: { tier: 'Gold' },
    });
    assert.deepEqual(updated.loyalty, account(7, 2));
    assert.deepEqual((await voided(card)).body.loyalty, account(7, 2));
  });

  it('have nothing of it where the pass has no program, and zeros before the launch', async () => {
    const plain = await makePass(client);
    assert.equal((await makeCard(client, plain.passId)).loyalty, null);
    const early = await makeProgram(
      client,
      { mode: 'POINTS', reward: { title: 'Bun', cost: 5 } },
      { launched: false },
    );
    const card = await makeCard(client, early.pass.passId);
    const { programId } = early.program;
    assert.deepEqual(card.loyalty, { programId, mode: 'POINTS', balance: 0, pendingRewards: 0, tier: null });
    assert.deepEqual(await get(card), card);
  });
});

describe('a new card for the holder of a voided one', () => {
  it('takes over the account, and says so in the answer to the issue', async () => {
    const identifier = randomUUID();
    const former = await formerCard(identifier);
    const card = await cardOf(identifier);
    assert.deepEqual(card.loyalty, account(7, 2));
    assert.deepEqual((await get(card)).loyalty, account(7, 2));
    assert.deepEqual((await get(former)).loyalty, account(0));
    assert.equal((await award(client, card, 1)).balance, 8);
    assert.equal(await accountsOf(former, card), 1, 'it goes on with the same account');
    await assertInvariants(app.sql);
  });

  it('does so in batches, imports and however the identifier is written', async () => {
    const [one, other, third] = [randomUUID(), `Zoe\u0308 ${randomUUID()}`, randomUUID()];
    await formerCard(one);
    await formerCard(other.normalize('NFC'));
    const items = [one, other, third].map((identifier) => ({ holder: { identifier } }));
    const { body } = await client.post(`/passes/${pass.passId}/instances/batch`, { instances: items });
    const loyalty = body.results.map(({ instance }: Json) => instance.loyalty);
    assert.deepEqual(loyalty, [account(7, 2), account(7, 2), account(0)]);
    await voided(body.results[0].instance);
    const imported = [{ barcode: randomUUID(), holder: { identifier: one } }];
    const repeat = await client.post(`/passes/${pass.passId}/instances/import`, { instances: imported });
    assert.deepEqual(repeat.body.results[0].instance.loyalty, account(7, 2));
  });

  it('replays its answer as it was', async () => {
    const identifier = randomUUID();
    await formerCard(identifier);
    const body = { holder: { identifier }, externalRef: randomUUID() };
    const first = await client.post(`/passes/${pass.passId}/instances`, body);
    await award(client, first.body, 2);
    const replay = await client.post(`/passes/${pass.passId}/instances`, body);
    assert.equal(replay.text, first.text);
  });

  it('takes nothing of other holders, of other passes and of an erased card', async () => {
    const identifier = randomUUID();
    const former = await formerCard(identifier);
    const other = await makeProgram(client);
    assert.equal((await makeCard(client, other.pass.passId, { holder: { identifier } })).loyalty.balance, 0);
    assert.equal((await cardOf(randomUUID())).loyalty.balance, 0);
    assert.equal((await makeCard(client, pass.passId)).loyalty.balance, 0);
    await client.delete(`/instances/${former.instanceId}`);
    assert.equal((await cardOf(identifier)).loyalty.balance, 0);
    assert.deepEqual((await get(former)).loyalty, account(7, 2), 'the account stays where it was');
  });

  it('gives none to a card that is not there, which has lost its barcode since', async () => {
    const identifier = randomUUID();
    const former = await formerCard(identifier);
    const heirs = [{ instanceId: randomUUID(), identifier }];
    const [owner] = await app.sql<{ workspaceId: string; passId: string }>(
      'select workspace_id as "workspaceId", pass_id as "passId" from passes where pass_id = $1',
      [decodeId('pass', pass.passId)],
    );
    assert.ok(owner);
    const taken = await app.running.app.database.transaction((tx) =>
      moveAccounts(tx, owner.workspaceId, formerCards(owner, heirs), heirs.length),
    );
    assert.equal(taken.length, 0);
    assert.deepEqual((await get(former)).loyalty, account(7, 2));
  });

  it('takes it over once, however many are issued at once', async () => {
    const identifier = randomUUID();
    const former = await formerCard(identifier);
    const replies = await inParallel(20, () =>
      client.post(`/passes/${pass.passId}/instances`, { holder: { identifier } }),
    );
    assert.deepEqual(tally(replies.map(({ status }) => status)), { '200': 19, '201': 1 });
    for (const { body } of replies) assert.deepEqual(body.loyalty, account(7, 2));
    assert.equal((await get(former)).loyalty.balance, 0);
    await assertInvariants(app.sql);
  });

  it('waits for a call that changes the account of the former card', async () => {
    const identifier = randomUUID();
    const former = await formerCard(identifier);
    const lane = await app.running.app.database.pool.connect();
    try {
      const instanceId = decodeId('inst', former.instanceId);
      await lane.query('begin');
      await lane.query('select 1 from instances where instance_id = $1 for no key update', [instanceId]);
      const issued = cardOf(identifier);
      const winner = await Promise.race([
        issued.then(() => 'issued'),
        new Promise((done) => setTimeout(done, 300)),
      ]);
      assert.equal(winner, undefined);
      await lane.query('commit');
      assert.deepEqual((await issued).loyalty, account(7, 2));
    } finally {
      lane.release();
    }
  });
});

describe('a card that becomes the present one', () => {
  it('gets the account back from the card that had it since', async () => {
    const identifier = randomUUID();
    const former = await formerCard(identifier);
    const since = await cardOf(identifier);
    await voided(since);
    const { body } = await client.post(`/instances/${former.instanceId}/reactivate`);
    assert.deepEqual(body.loyalty, account(7, 2));
    assert.deepEqual((await get(former)).loyalty, account(7, 2));
    assert.deepEqual((await get(since)).loyalty, account(0));
  });

  it('takes nothing when it has an account itself', async () => {
    const identifier = randomUUID();
    const former = await formerCard(identifier);
    const other = await cardOf(randomUUID());
    await award(client, other, 1);
    const changed = await client.patch(`/instances/${other.instanceId}`, { holder: { identifier } });
    assert.equal(changed.status, 200);
    assert.deepEqual(changed.body.loyalty, account(1));
    assert.deepEqual((await get(former)).loyalty, account(7, 2));
  });

  it('takes it with the identifier of a former card, and is shown anew', async () => {
    const identifier = randomUUID();
    const former = await formerCard(identifier);
    const card = await makeCard(client, pass.passId);
    const fileOf = async () => (await app.anyone.get(card.links.apple)).headers.get('last-modified');
    const before = await fileOf();
    const changed = await client.patch(`/instances/${card.instanceId}`, { holder: { identifier } });
    assert.deepEqual(changed.body.loyalty, account(7, 2));
    assert.deepEqual((await get(former)).loyalty, account(0));
    assert.notEqual(await fileOf(), before);
    const unchanged = await client.patch(`/instances/${card.instanceId}`, { holder: { name: 'Ada' } });
    assert.equal(unchanged.body.pushSkipReason, 'unchanged');
  });

  it('leaves the account to one of two that are made valid at once', async () => {
    const identifier = randomUUID();
    const former = await formerCard(identifier);
    const since = await cardOf(identifier);
    await voided(since);
    const replies = await inParallel(2, (at) =>
      client.post(`/instances/${(at === 0 ? former : since).instanceId}/reactivate`),
    );
    assert.deepEqual(tally(replies.map(({ status }) => status)), { '200': 1, '409': 1 });
    const valid = replies.find(({ status }) => status === 200);
    assert.deepEqual(valid?.body.loyalty, account(7, 2));
    await assertInvariants(app.sql);
  });
});
