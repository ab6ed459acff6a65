import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel, makeCard, makePass } from '../../test/factories.ts';
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

/** A workspace with so many credits. */
async function begin(balance: number): Promise<void> {
  apns.unscript();
  ({ client, workspaceId } = await app.newWorkspace('pro', balance));
  pass = await makePass(client);
}

const issue = (count: number) => inParallel(count, () => makeCard(client, pass.passId));
const credits = async (): Promise<Json> => (await client.get('/credits')).body;
const rollout = async (): Promise<Json> => (await client.get(`/passes/${pass.passId}`)).body.rollout;
const finished = () => until('the rollout is finished', async () => (await rollout())?.state === 'finished');
const settled = () => until('all is settled', async () => (await credits()).reserved === 0);
const restyle = (label: string) =>
  client.patch(`/passes/${pass.passId}`, {
    fields: [{ key: 'tier', label, value: 'Bronze', section: 'secondary' }],
  });

describe('a change of a design', () => {
  it('reaches every installed card with one push a device, at a credit a card', async () => {
    const cards = await issue(12);
    // Four phones with three cards each; two more cards without a wallet.
    const holders = await inParallel(4, (index) => phones.add(cards.slice(index * 3, index * 3 + 3)));
    await issue(2);
    const changed = await restyle('Level');
    assert.deepEqual(
      { ...changed.body.rollout, startedAt: undefined },
      {
        kind: 'design',
        state: 'running',
        cards: 12,
        done: 0,
        skipped: 0,
        startedAt: undefined,
        finishedAt: null,
      },
    );
    await finished();
    assert.deepEqual([(await rollout()).done, (await rollout()).skipped], [12, 0]);
    const shown = () =>
      holders.every((phone) => phone.cards.every((card) => JSON.stringify(card.pass).includes('Level')));
    await until('every card shows it', shown);
    await settled();
    assert.deepEqual(await credits(), { balance: 88, reserved: 0, spent: 12 });
    for (const phone of holders) {
      assert.equal(apns.deliveriesTo(phone.pushToken), 1);
      assert.deepEqual(phone.complaints, []);
    }
    await assertInvariants(app.sql);
  });

  it('goes as far as the credits reach; a top-up brings it to the rest', async () => {
    await begin(3);
    const cards = await issue(5);
    const holders = await inParallel(5, (index) => phones.add([cards[index]]));
    await restyle('Level');
    await finished();
    assert.deepEqual([(await rollout()).done, (await rollout()).skipped], [3, 2]);
    const reached = () =>
      holders.filter((phone) => JSON.stringify(phone.cards[0]?.pass).includes('Level')).length;
    await until('three show it', () => reached() === 3);
    await settled();
    assert.equal((await credits()).balance, 0);
    await app.operator.post(`/operator/workspaces/${workspaceId}/credits`, {
      amount: 9,
      externalRef: 'more',
    });
    await until('all show it', () => reached() === 5);
    await settled();
    assert.equal((await credits()).balance, 7);
    assert.deepEqual(
      holders.flatMap((phone) => phone.complaints),
      [],
    );
    await assertInvariants(app.sql);
  });

  it('changed again and again ends with the newest on every card, and pays for each card that it reaches', async () => {
    await begin(1_000);
    const cards = await issue(20);
    const holders = await inParallel(10, (index) => phones.add(cards.slice(index * 2, index * 2 + 2)));
    for (let round = 0; round < 5; round++) await restyle(`Level ${round}`);
    const newest = () =>
      holders.every((phone) => phone.cards.every((card) => JSON.stringify(card.pass).includes('Level 4')));
    await until('every card shows the newest', newest);
    await finished();
    await settled();
    await assertInvariants(app.sql);
  });

  it('is no change when only metadata or the status move', async () => {
    await phones.add(await issue(1));
    await client.patch(`/passes/${pass.passId}`, { metadata: { season: 'autumn' } });
    await client.patch(`/passes/${pass.passId}`, { status: 'archived' });
    assert.equal(await rollout(), null);
  });

  it('comes from the name of the workspace too, and not from the same name again', async () => {
    const phone = await phones.add(await issue(1));
    await client.patch('/workspace', { name: 'Blue Bean' });
    assert.equal(await rollout(), null);
    await client.patch('/workspace', { name: 'Green Bean' });
    await until('the phone shows it', () => phone.cards[0]?.pass.organizationName === 'Green Bean');
    assert.deepEqual(phone.complaints, []);
  });
});

describe('POST /passes/{passId}/messages', () => {
  const send = (text: string, headers = {}) =>
    client.post(`/passes/${pass.passId}/messages`, { text }, { headers });

  it('puts the text on the lock screen of every phone, at a credit a card', async () => {
    const cards = await issue(4);
    const holders = await inParallel(4, (index) => phones.add([cards[index]]));
    await issue(1);
    const { status, body } = await send('Double stamps until Sunday');
    assert.equal(status, 202);
    assert.match(body.messageId, /^push_/);
    assert.deepEqual([body.recipients, body.credits], [4, 4]);
    await until('every lock screen says it', () =>
      holders.every((phone) => phone.notifications.some(({ text }) => text === 'Double stamps until Sunday')),
    );
    await finished();
    await settled();
    assert.deepEqual(await credits(), { balance: 96, reserved: 0, spent: 4 });
    for (const phone of holders) assert.deepEqual(phone.complaints, []);
    await assertInvariants(app.sql);
  });

  it('sends nothing when the credits are not enough for all', async () => {
    await begin(2);
    const phone = await phones.add(await issue(3));
    assertRefused(await send('Hello'), 'insufficient_credits', /3 cards.*2 credits/);
    await sleep(200);
    assert.deepEqual(phone.notifications, []);
    assert.deepEqual(await credits(), { balance: 2, reserved: 0, spent: 0 });
    assert.equal(await rollout(), null);
  });

  it('sends once under one Idempotency-Key', async () => {
    const phone = await phones.add(await issue(1));
    const replies = await inParallel(10, () => send('Hello', { 'idempotency-key': 'hello-1' }));
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    await until('the lock screen says it', () => phone.notifications.length > 0);
    await finished();
    await settled();
    assert.equal((await credits()).balance, 99);
  });

  it('gives back what it paid for cards that were removed before their push', async () => {
    const phone = await phones.add(await issue(2));
    // The rollout waits behind this lock until one card is gone.
    const { messageId } = (await send('Hello')).body;
    assert.ok(messageId);
    await phone.remove(phone.cards[0]?.identity.serialNumber);
    await finished();
    await settled();
    const { balance, spent } = await credits();
    assert.equal(balance + spent, 100);
    assert.ok(spent === 1 || spent === 2);
    await assertInvariants(app.sql);
  });
});
