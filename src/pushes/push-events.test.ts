import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Client, Json } from '../../test/client.ts';
import { eventsOf } from '../../test/events.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { Phones, startDevelopmentApns, until } from '../../test/wallets.ts';

const apns = await startDevelopmentApns();
const app = await startTestApp({ APNS_URL: apns.url, ROLLOUT_DEVICES_PER_SECOND: '100000' });
const phones = new Phones(app, apns);

let client: Client;
let workspaceId: string;
let pass: Json;
beforeEach(() => begin(100));

async function begin(balance: number): Promise<void> {
  apns.unscript();
  ({ client, workspaceId } = await app.newWorkspace('pro', balance));
  pass = await makePass(client);
}

const setTier = (card: Json, tier: string) =>
  client.patch(`/instances/${card.instanceId}/fields`, { fields: { tier } });
const topUp = (amount: number, externalRef: string) =>
  app.operator.post(`/operator/workspaces/${workspaceId}/credits`, { amount, externalRef });
const settled = () => until('all is settled', async () => (await client.get('/credits')).body.reserved === 0);
const eventsBy = async (filter: string) =>
  (await eventsOf(client, filter)).map(({ type, data }) => ({ type, ...data }));

describe('the events of pushes', () => {
  it('report once each push that a wallet was notified of, with the request that caused it', async () => {
    const card = await makeCard(client, pass.passId);
    await phones.add([card]);
    await phones.add([card]);
    const { headers } = await setTier(card, 'Gold');
    await settled();
    await setTier(card, 'Gold');
    const events = await eventsOf(client, `type=push.delivered&instanceId=${card.instanceId}`);
    assert.deepEqual(
      events.map(({ data, actor, passId, requestId }) => [data, actor, passId, requestId]),
      [
        [
          { wallet: 'apple', reason: null, messageIds: [] },
          'system',
          pass.passId,
          headers.get('x-request-id'),
        ],
      ],
    );
    assert.deepEqual(await eventsBy('type=push.skipped'), []);
  });

  it('report those that failed, and why', async () => {
    const card = await makeCard(client, pass.passId);
    const phone = await phones.add([card]);
    apns.script(
      { status: 410, reason: 'Unregistered', timestamp: new Date(Date.now() + 60_000) },
      { token: phone.pushToken },
    );
    await setTier(card, 'Gold');
    await settled();
    assert.deepEqual(
      (await eventsBy(`instanceId=${card.instanceId}`)).filter(({ type }) => type.startsWith('push.')),
      [{ type: 'push.failed', wallet: 'apple', reason: 'Unregistered', messageIds: [] }],
    );
  });

  it('report those that no credit was left for, and their delivery after a top-up', async () => {
    await begin(0);
    const card = await makeCard(client, pass.passId);
    const phone = await phones.add([card]);
    const update = await setTier(card, 'Gold');
    assert.equal(update.status, 202);
    await topUp(5, 'more');
    await until('the phone shows it', () => JSON.stringify(phone.cards[0]?.pass).includes('Gold'));
    await settled();
    const ofCard = await eventsOf(client, `instanceId=${card.instanceId}`);
    const events = ofCard.filter(({ type }) => type.startsWith('push.'));
    assert.deepEqual(
      events.map(({ type, data }) => [type, data.wallet, data.reason]),
      [
        ['push.skipped', null, 'insufficient_credits'],
        ['push.delivered', 'apple', null],
      ],
    );
    assert.equal(events[0]?.actor, (await client.get('/me')).body.keyId);
    for (const { requestId } of events) assert.equal(requestId, update.headers.get('x-request-id'));
    const { data } = (await client.get('/credits/entries')).body;
    for (const { kind, requestId } of data.filter(({ kind }: Json) => kind !== 'grant'))
      assert.equal(requestId, update.headers.get('x-request-id'), kind);
    await assertInvariants(app.sql);
  });
});

describe('the events of messages and rollouts', () => {
  it('report that a message was sent, reached each card, and is finished', async () => {
    const card = await makeCard(client, pass.passId);
    await phones.add([card]);
    const path = `/passes/${pass.passId}/messages`;
    const headers = { 'idempotency-key': 'hello' };
    const { body } = await client.post(path, { text: 'Hello' }, { headers });
    await client.post(path, { text: 'Hello' }, { headers });
    await client.post(path, { text: 'Hello', dryRun: true });
    const { messageId } = body;
    await until('it is through', async () => {
      const { state, waiting } = (await client.get(`/messages/${messageId}`)).body;
      return state === 'finished' && waiting === 0;
    });
    const events = await eventsOf(client, `passId=${pass.passId}`);
    const sent = events.filter(({ type }) => type === 'message.sent');
    assert.deepEqual(
      sent.map(({ data }) => [data.messageId, data.text, data.recipients, data.waiting]),
      [[messageId, 'Hello', 1, 1]],
    );
    const delivered = events.filter(({ type }) => type === 'push.delivered');
    assert.deepEqual(
      delivered.map(({ data }) => data.messageIds),
      [[messageId]],
    );
    const finished = events.filter(({ type }) => type === 'rollout.finished');
    assert.deepEqual(
      finished.map(({ data: { messageId: id, kind, state, done }, previous }) => [
        id,
        kind,
        state,
        done,
        previous,
      ]),
      [[messageId, 'message', 'finished', 1, { state: 'running', finishedAt: null }]],
    );
    assert.equal(new Set([...sent, ...delivered, ...finished].map(({ requestId }) => requestId)).size, 1);
  });

  it('report that a design is on all cards', async () => {
    await phones.add([await makeCard(client, pass.passId)]);
    await client.patch(`/passes/${pass.passId}`, { title: 'Tea Club' });
    await until('it is reported', async () => (await eventsBy('type=rollout.finished')).length === 1);
    const [finished] = await eventsBy('type=rollout.finished');
    assert.equal(finished?.messageId, null);
    assert.match(finished?.rolloutId, /^push_/);
    const { rollout } = (await client.get(`/passes/${pass.passId}`)).body;
    assert.deepEqual({ ...finished, ...rollout }, finished);
  });
});

describe('the events of credits', () => {
  it('report top-ups and corrections once, and low credits once after each top-up', async () => {
    await begin(0);
    await topUp(20, 'first');
    await topUp(20, 'first');
    const card = await makeCard(client, pass.passId);
    await phones.add([card]);
    for (const tier of ['A', 'B']) {
      await setTier(card, tier);
      await settled();
    }
    assert.deepEqual(await eventsBy('type=credits.low'), []);
    await topUp(-16, 'correction');
    assert.deepEqual(await eventsBy('type=credits.low'), []);
    for (const tier of ['C', 'D']) {
      await setTier(card, tier);
      await settled();
    }
    await topUp(10, 'second');
    await topUp(-10, 'third');
    assert.deepEqual(
      (await eventsBy('type=credits.added')).map(({ amount, balance, externalRef }) => [
        amount,
        balance,
        externalRef,
      ]),
      [
        [20, 20, 'first'],
        [-16, 2, 'correction'],
        [10, 10, 'second'],
        [-10, 0, 'third'],
      ],
    );
    assert.deepEqual(
      (await eventsBy('type=credits.low')).map(({ balance, lowAt }) => [balance, lowAt]),
      [
        [1, 2],
        [0, 1],
      ],
    );
    const [added] = await eventsOf(client, 'type=credits.added');
    assert.deepEqual([added?.actor, added?.previous], ['operator', { balance: 0 }]);
    await assertInvariants(app.sql);
  });
});
