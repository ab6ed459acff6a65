import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import type { Client, Json } from '../../test/client.ts';
import { eventsOf } from '../../test/events.ts';
import { inParallel, makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { Device, takeCard } from '../delivery/apple/device.fixture.ts';
import { decodeId } from '../kit/ids.ts';
import { award, makeProgram } from '../loyalty/account.fixture.ts';

const app = await startTestApp();
const program = { mode: 'POINTS', reward: { title: 'Tea', cost: 5 } };
let client: Client;
let passId: string;
let card: Json;
before(async () => {
  ({ client } = await app.newWorkspace());
  ({
    pass: { passId },
  } = await makeProgram(client, program));
});
beforeEach(async () => {
  card = await makeCard(client, passId, { holder: { identifier: crypto.randomUUID() } });
});

const shown = async (of = card): Promise<Json> => (await client.get(`/instances/${of.instanceId}`)).body;
const at = async (of = card): Promise<string> => (await shown(of)).updatedAt;

/** The card as a change answers it: like a later look at it, and later than it was before. */
async function changed(call: () => Promise<Json>): Promise<void> {
  const earlier = await at();
  const { body, status, text } = await call();
  assert.equal(status, 200, text);
  const { pushed: _, pushSkipReason: __, ...instance } = body;
  assert.deepEqual(await shown(), instance);
  assert.ok(instance.updatedAt > earlier, `${instance.updatedAt} after ${earlier}`);
}

describe('updatedAt of a card', () => {
  it('is that of its issue, then that of each change, as its answer has it', async () => {
    assert.equal(card.updatedAt, card.createdAt);
    const path = `/instances/${card.instanceId}`;
    await changed(() => client.patch(`${path}/fields`, { fields: { tier: 'Gold' } }));
    await changed(() => client.patch(path, { holder: { name: 'Ada' } }));
    await changed(() => client.patch(path, { metadata: { a: 1 } }));
    await changed(() => client.patch(path, { expiresAt: '2099-01-01T00:00:00Z', fields: { tier: null } }));
    await changed(() => client.post(`${path}/void`));
    await changed(() => client.post(`${path}/reactivate`));
    const before = await at();
    await client.delete(path);
    assert.ok((await at()) > before, 'erased');
  });

  it('moves with the points, also before the program is launched', async () => {
    const { pass } = await makeProgram(client, program, { launched: false });
    const early = await makeCard(client, pass.passId);
    const adjust = { passId: pass.passId, instanceId: early.instanceId, points: 3, reason: 'Welcome' };
    assert.equal((await client.post('/loyalty/adjust', adjust)).status, 200);
    assert.ok((await at(early)) > early.updatedAt);
    await award(client, card, 10);
    const awarded = await at();
    assert.ok(awarded > card.updatedAt);
    const { status } = await client.post('/loyalty/redeem', { passId, instanceId: card.instanceId });
    assert.equal(status, 200);
    assert.ok((await at()) > awarded);
  });

  it('stays where nothing changes: a repeat, a refusal, a wallet that takes the card, a change of the pass', async () => {
    const { pass } = await makeProgram(client, program);
    const body = { holder: { identifier: 'ada', name: 'Ada' }, fields: { tier: 'Gold' }, externalRef: 'i-1' };
    card = await makeCard(client, pass.passId, body);
    const path = `/instances/${card.instanceId}`;
    await client.patch(`${path}/fields`, { fields: { tier: 'Gold' } });
    await client.patch(`${path}/fields`, { fields: { nope: 'x' } });
    await client.patch(path, { holder: { name: 'Ada' }, metadata: {}, expiresAt: null });
    await client.post(`/passes/${pass.passId}/instances`, { holder: { identifier: 'ada' } });
    await client.post(`${path}/reactivate`);
    await new Device(app).register(await takeCard(app, card));
    await client.patch(`/passes/${pass.passId}`, { title: 'Another' });
    assert.equal(await at(), card.updatedAt);
    assert.equal((await shown()).wallets.apple, 1);
  });

  it('is no part of what was otherwise before', async () => {
    await client.patch(`/instances/${card.instanceId}`, { holder: { name: 'Ada' } });
    const [event] = await eventsOf(client, `instanceId=${card.instanceId}&type=instance.updated`);
    assert.deepEqual(Object.keys(event?.previous), ['holder']);
    assert.equal(event?.data.updatedAt, await at());
  });

  it('is that of the new card where it takes an account over, and the former has it then too', async () => {
    await award(client, card, 3);
    const { identifier } = card.holder;
    await client.post(`/instances/${card.instanceId}/void`);
    const voided = await at();
    const heir = await makeCard(client, passId, { holder: { identifier } });
    assert.deepEqual(await shown(heir), heir);
    assert.equal(heir.loyalty.balance, 3);
    assert.deepEqual([(await shown()).loyalty.balance, (await at()) > voided], [0, true]);
    await client.post(`/instances/${heir.instanceId}/void`);
    await changed(() => client.post(`/instances/${card.instanceId}/reactivate`));
    assert.equal((await shown()).loyalty.balance, 3);
  });

  it('differs for each of many changes at once, and is the latest in the end', async () => {
    const replies = await inParallel(20, (index) =>
      client.patch(`/instances/${card.instanceId}`, { metadata: { index } }),
    );
    const moments = replies.map(({ body }) => body.updatedAt).sort();
    assert.equal(new Set(moments).size, 20);
    assert.equal(await at(), moments.at(-1));
  });

  it('of a card that a former version has changed is that of what it shows', async () => {
    const moment = '2098-01-01T00:00:00.000Z';
    await app.sql('update instances set modified_at = $2 where instance_id = $1', [
      decodeId('inst', card.instanceId),
      moment,
    ]);
    assert.equal(await at(), moment);
    await changed(() => client.patch(`/instances/${card.instanceId}`, { metadata: { a: 1 } }));
  });
});

it('a list and a look-up show it as the card does', async () => {
  const { passId: own } = await makePass(client);
  const issued = await makeCard(client, own);
  await client.patch(`/instances/${issued.instanceId}`, { metadata: { a: 1 } });
  const expected = await shown(issued);
  assert.deepEqual((await client.get(`/passes/${own}/instances`)).body.data, [expected]);
  assert.deepEqual((await client.get(`/instances/lookup?barcode=${issued.barcode}`)).body, expected);
});
