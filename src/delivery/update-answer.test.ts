import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertRefused, type Client, type Json, type Reply } from '../../test/client.ts';
import { inParallel, makeCard, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { Phones, startDevelopmentApns, until } from '../../test/wallets.ts';
import { decodeId } from '../kit/ids.ts';

const apns = await startDevelopmentApns();
const app = await startTestApp({ APNS_URL: apns.url });
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

const card = (body: object = {}): Promise<Json> => makeCard(client, pass.passId, body);
const tier = ({ instanceId }: Json, value: string, extra: object = {}): Promise<Reply> =>
  client.patch(`/instances/${instanceId}/fields`, { fields: { tier: value }, ...extra });
const credits = async (): Promise<Json> => (await client.get('/credits')).body;
const topUp = (amount: number, externalRef = 'invoice-1') =>
  app.operator.post(`/operator/workspaces/${workspaceId}/credits`, { amount, externalRef });
const kinds = async ({ instanceId }: Json): Promise<string[]> => {
  const { body } = await client.get(`/instances/${instanceId}/timeline?limit=100`);
  return body.data.map(({ kind }: Json) => kind).reverse();
};
const settled = () => until('the push is settled', async () => (await credits()).reserved === 0);

describe('the answer to an update', () => {
  it('is pushed, at one credit that is held until Apple has taken the push', async () => {
    const held = await card();
    const phone = await phones.add([held]);
    apns.script({ status: 200, delayMs: 300 }, { token: phone.pushToken, times: 1 });
    const reply = await tier(held, 'Gold');
    assert.equal(reply.status, 200);
    assert.equal(reply.body.pushed, true);
    assert.equal('pushSkipReason' in reply.body, false);
    assert.deepEqual(await credits(), { balance: 99, reserved: 1, spent: 0 });
    await settled();
    assert.deepEqual(await credits(), { balance: 99, reserved: 0, spent: 1 });
    await until('the phone shows it', () => phone.shows('tier') === 'Gold');
    assert.deepEqual(phone.complaints, []);
    const entries = (await client.get('/credits/entries')).body.data.map(
      ({ kind, amount, reserved, balance }: Json) => [kind, amount, reserved, balance],
    );
    assert.deepEqual(entries, [
      ['settle', 0, -1, 99],
      ['reserve', -1, 1, 99],
      ['grant', 100, 0, 100],
    ]);
    assert.deepEqual(
      (await kinds(held)).filter((kind) => kind !== 'instance.fetched'),
      ['instance.issued', 'instance.installed', 'instance.updated', 'push.delivered'],
    );
  });

  it('says that no wallet holds the card, and costs nothing', async () => {
    const { body, status } = await tier(await card(), 'Gold');
    assert.deepEqual([status, body.pushed, body.pushSkipReason], [200, false, 'not_installed']);
    assert.deepEqual(await credits(), { balance: 100, reserved: 0, spent: 0 });
  });

  it('says that nothing which the card shows has changed, and costs nothing', async () => {
    const held = await card({ fields: { tier: 'Gold' } });
    await phones.add([held]);
    const { body, status } = await tier(held, 'Gold');
    assert.deepEqual([status, body.pushed, body.pushSkipReason], [200, false, 'unchanged']);
    await sleep(100);
    assert.deepEqual(await credits(), { balance: 100, reserved: 0, spent: 0 });
  });

  it('is 202 without credits: applied, not pushed, with a warning that says how to make up for it', async () => {
    await begin(0);
    const held = await card();
    const phone = await phones.add([held]);
    const { body, status } = await tier(held, 'Gold');
    assert.equal(status, 202);
    assert.deepEqual([body.pushed, body.pushSkipReason], [false, 'insufficient_credits']);
    assert.equal(body.fields.tier, 'Gold');
    assert.equal(body.warnings.length, 1);
    assert.equal(body.warnings[0].code, 'insufficient_credits');
    assert.match(body.warnings[0].message, /POST \/instances\/\{instanceId\}\/push/);
    assert.equal((await kinds(held)).at(-1), 'push.skipped');
    await sleep(200);
    assert.equal(phone.shows('tier'), 'Bronze');
    await assertInvariants(app.sql);
  });

  it('asks for credits before it asks for wallets', async () => {
    await begin(0);
    const held = await card();
    const { body, status } = await tier(held, 'Gold');
    assert.deepEqual([status, body.pushSkipReason], [202, 'insufficient_credits']);
  });

  it('promises no delivery where no wallet holds the card, and a top-up makes none', async () => {
    await begin(0);
    const held = await card();
    const { body } = await tier(held, 'Gold');
    assert.deepEqual(
      body.warnings.map(({ code }: Json) => code),
      ['insufficient_credits'],
    );
    const { message } = body.warnings[0];
    assert.match(message, /no wallet holds the card.* a wallet that adds the card gets its newest state/);
    assert.doesNotMatch(message, /delivers|\/push/);
    await topUp(5);
    assert.deepEqual(await kinds(held), ['instance.issued', 'instance.updated']);
    assert.deepEqual(await credits(), { balance: 5, reserved: 0, spent: 0 });
  });

  it('replays its 202 under the same externalRef, also after a top-up', async () => {
    await begin(0);
    const held = await card();
    await phones.add([held]);
    const first = await tier(held, 'Gold', { externalRef: 'till-1' });
    await topUp(5);
    const repeat = await tier(held, 'Gold', { externalRef: 'till-1' });
    assert.equal(repeat.status, 202);
    assert.equal(repeat.text, first.text);
  });
});

describe('one credit and many updates', () => {
  it('pushes exactly one of 50 cards, and applies all 50', async () => {
    await begin(1);
    const cards = await inParallel(50, () => card());
    await phones.add(cards);
    const replies = await Promise.all(cards.map((each) => tier(each, 'Gold')));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 1, 202: 49 });
    assert.deepEqual(tally(replies.map(({ body }) => body.pushed)), { true: 1, false: 49 });
    assert.deepEqual(new Set(replies.map(({ body }) => body.fields.tier)), new Set(['Gold']));
    await settled();
    assert.deepEqual((await credits()).balance, 0);
    await assertInvariants(app.sql);
  });

  it('pushes exactly one of 50 updates of one card, and the card has the last', async () => {
    await begin(1);
    const held = await card();
    await phones.add([held]);
    const replies = await inParallel(50, (index) => tier(held, `Level ${index}`));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 1, 202: 49 });
    await settled();
    assert.equal((await credits()).balance, 0);
    const changes = (await kinds(held)).filter((kind) => kind === 'instance.updated');
    assert.equal(changes.length, 50);
    await assertInvariants(app.sql);
  });
});

describe('a top-up after a 202', () => {
  it('delivers what was skipped; the re-send is pushed and free', async () => {
    await begin(0);
    const held = await card();
    const phone = await phones.add([held]);
    assert.equal((await tier(held, 'Gold')).status, 202);
    await topUp(10);
    await until('the phone shows it', () => phone.shows('tier') === 'Gold');
    await settled();
    assert.equal((await credits()).balance, 9);
    const repeat = await tier(held, 'Gold', { externalRef: 'fresh-1' });
    assert.deepEqual([repeat.status, repeat.body.pushed], [200, true]);
    await sleep(100);
    assert.equal((await credits()).balance, 9);
    // What was made up for is made up for: from here on nothing has changed.
    assert.equal((await tier(held, 'Gold')).body.pushSkipReason, 'unchanged');
    assert.deepEqual(phone.complaints, []);
    await assertInvariants(app.sql);
  });

  it('pays for the oldest first, as far as it reaches', async () => {
    await begin(0);
    const cards = await inParallel(5, () => card());
    const holders = await Promise.all(cards.map((each) => phones.add([each])));
    const shown = () => holders.filter((phone) => phone.shows('tier') === 'Gold').length;
    for (const each of cards) assert.equal((await tier(each, 'Gold')).status, 202);
    await topUp(3);
    await until('three are shown', () => shown() === 3);
    await settled();
    assert.equal((await credits()).balance, 0);
    const skipped = await app.sql('select from pushes where skipped_at is not null and workspace_id = $1', [
      decodeId('ws', workspaceId),
    ]);
    assert.equal(skipped.length, 2);
    await topUp(10, 'invoice-2');
    await until('all are shown', () => shown() === 5);
    await settled();
    assert.equal((await credits()).balance, 8);
    await assertInvariants(app.sql);
  });

  it('need not be waited for: the re-send delivers by itself', async () => {
    await begin(0);
    const held = await card();
    const phone = await phones.add([held]);
    await tier(held, 'Gold');
    assert.equal((await tier(held, 'Gold')).status, 202);
    // Whether the flush comes first or the re-send: it is pushed, and costs one.
    await topUp(4);
    const repeat = await tier(held, 'Gold');
    assert.deepEqual([repeat.status, repeat.body.pushed], [200, true]);
    await until('the phone shows it', () => phone.shows('tier') === 'Gold');
    await settled();
    assert.equal((await credits()).balance, 3);
  });
});

describe('POST /instances/{instanceId}/push', () => {
  it('delivers the newest state again, for a credit', async () => {
    const held = await card();
    const phone = await phones.add([held]);
    const before = apns.deliveriesTo(phone.pushToken);
    const { status, body } = await client.post(`/instances/${held.instanceId}/push`);
    assert.deepEqual([status, body.pushed], [200, true]);
    await until('the push arrives', () => apns.deliveriesTo(phone.pushToken) === before + 1);
    await settled();
    assert.equal((await credits()).balance, 99);
  });

  it('costs nothing where the newest state is on its way already', async () => {
    const held = await card();
    await phones.add([held]);
    apns.script({ status: 200, delayMs: 400 });
    await tier(held, 'Gold');
    const replies = await inParallel(5, () => client.post(`/instances/${held.instanceId}/push`));
    assert.deepEqual(tally(replies.map(({ body }) => body.pushed)), { true: 5 });
    await settled();
    assert.equal((await credits()).balance, 99);
  });

  it('is refused without credits, for a voided card, and says so without a wallet', async () => {
    const uninstalled = await client.post(`/instances/${(await card()).instanceId}/push`);
    assert.deepEqual([uninstalled.status, uninstalled.body.pushSkipReason], [200, 'not_installed']);
    await begin(0);
    const held = await card();
    const path = `/instances/${held.instanceId}/push`;
    await phones.add([held]);
    assertRefused(await client.post(path), 'insufficient_credits', /top-up/);
    await client.post(`/instances/${held.instanceId}/void`);
    assertRefused(await client.post(path), 'instance_voided');
  });

  it('makes up for a 202 without applying anything', async () => {
    await begin(0);
    const held = await card();
    const phone = await phones.add([held]);
    await tier(held, 'Gold');
    await topUp(2);
    const { body } = await client.post(`/instances/${held.instanceId}/push`);
    assert.equal(body.pushed, true);
    await until('the phone shows it', () => phone.shows('tier') === 'Gold');
    await settled();
    assert.equal((await credits()).balance, 1);
  });
});
