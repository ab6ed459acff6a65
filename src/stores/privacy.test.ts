import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client, Json } from '../../test/client.ts';
import { inParallel, makeCard } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { obeyPrivacyRequests } from '../erasure/obey-privacy-requests.job.ts';
import { decodeId } from '../kit/ids.ts';
import { makeProgram } from '../loyalty/account.fixture.ts';
import { processStoreWebhooks, trimWebhooks } from '../orders/from-stores/process-store-webhooks.job.ts';
import { clock, connectShop, newOrder, send } from './stores.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
clock.now = () => app.running.app.now();
const ctx = { app: app.running.app, requestId: 'job' };

async function run(job: typeof processStoreWebhooks): Promise<void> {
  while (await job(ctx)) {}
}

/** Works off what has come, and does what is due of it. */
async function settle(): Promise<void> {
  await run(processStoreWebhooks);
  app.advance(121_000);
  await run(obeyPrivacyRequests);
}

interface Shop {
  readonly client: Client;
  readonly passId: string;
  readonly storeId: string;
  readonly domain: string;
  send(topic: string, body: object): Promise<void>;
  order(orderId: string, customer: object): Promise<void>;
  cards(): Promise<Json[]>;
  requests(): Promise<Json[]>;
}

const points = { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 }, earn: { perCurrencyUnit: 1 } };

async function openShop(client?: Client, passId?: string): Promise<Shop> {
  const by = client ?? (await app.newWorkspace()).client;
  const pass = passId ?? (await makeProgram(by, points)).pass.passId;
  const { storeId, domain } = await connectShop(by, { passId: pass });
  return {
    client: by,
    passId: pass,
    storeId,
    domain,
    async send(topic, body) {
      assert.equal((await send(by, storeId, signedText(topic, body), { topic })).status, 200);
    },
    async order(orderId, customer) {
      assert.equal((await send(by, storeId, newOrder(orderId, { customer }))).status, 200);
    },
    cards: async () => (await by.get(`/passes/${pass}/instances?limit=100`)).body.data,
    requests: async () => (await by.get(`/stores/${storeId}/privacy-requests`)).body.data,
  };
}

/** The body repeats what is to be erased. */
function signedText(topic: string, body: object): string {
  return JSON.stringify(topic === 'order' ? body : { topic, ...body });
}

const ada = {
  id: '7001',
  email: 'Ada.Forgotten@Example.com',
  phone: '+44 20 7946 0001',
  name: 'Ada Forgotten',
};
const bob = { id: '7002', email: 'bob.stays@example.com', name: 'Bob Stays' };

/** No word of a person is in any table. */
async function assertForgotten(...words: string[]): Promise<void> {
  const dump = (await app.dump()).toLowerCase();
  for (const word of words) {
    assert.ok(!dump.includes(word.toLowerCase()), `${word} is still there`);
    const hex = Buffer.from(word).toString('hex');
    assert.ok(!dump.includes(hex), `${word} is still there, in bytes`);
  }
}

describe('a customer who is to be erased', () => {
  it('is gone from all tables: cards, what waits, what was given up, what was kept for replays', async () => {
    const shop = await openShop();
    await shop.order('1', ada);
    await shop.order('2', bob);
    await run(processStoreWebhooks);
    const program = (await shop.client.get(`/loyalty/programs`)).body.data[0].programId;
    await shop.client.patch(`/loyalty/programs/${program}`, { status: 'paused' });
    await shop.order('3', ada);
    await shop.order('4', { email: ada.email, name: ada.name });
    await shop.order('5', bob);
    await shop.send('order', { nonsense: ada });
    await run(processStoreWebhooks);
    const subject = { customer: { id: ada.id, email: ada.email }, orderIds: ['1', '3'] };
    await shop.send('customer.redact', subject);
    await settle();
    await assertForgotten(ada.email, ada.name, ada.phone);
    const [card, ...others] = (await shop.cards()).sort((a, b) => Number(!!a.holder) - Number(!!b.holder));
    assert.deepEqual([card?.holder, card?.status, others.length], [null, 'voided', 1]);
    assert.equal(others[0]?.holder.name, bob.name);
    const [request] = await shop.requests();
    assert.deepEqual(
      [request?.topic, request?.customerId, request?.orderIds, request?.instanceIds],
      ['customer_redact', ada.id, ['1', '3'], [card?.instanceId]],
    );
    assert.ok(request?.doneAt);
    // What waits of others still comes.
    await shop.client.patch(`/loyalty/programs/${program}`, { status: 'active' });
    app.advance(7 * 3_600_000);
    await settle();
    const bobs = (await shop.cards()).find(({ holder }) => holder !== null);
    assert.equal(bobs?.loyalty.balance, 20);
    await assertForgotten(ada.email, ada.name, ada.phone);
    await assertInvariants(app.sql);
  });

  it('is found in every Unicode spelling of their number and their orders', async () => {
    const shop = await openShop();
    const zoe = { id: 'Zoe\u0308', name: 'Zoe Forgotten' };
    await shop.order('A\u030a 1', zoe);
    await run(processStoreWebhooks);
    const { body } = await shop.client.get(
      `/orders/${encodeURIComponent('\u00c5 1')}?storeId=${shop.storeId}`,
    );
    assert.equal(body.points, 10);
    await shop.send('customer.redact', { customer: { id: zoe.id } });
    await settle();
    await assertForgotten(zoe.name);
    assert.equal((await shop.cards())[0]?.holder, null);
    assert.equal((await shop.requests())[0]?.customerId, 'Zo\u00eb');
  });

  it('does not come back with an update of an old order; a new order is a new beginning', async () => {
    const shop = await openShop();
    const placedAt = clock.now().toISOString();
    await shop.send('customer.redact', { customer: { id: '7003' }, orderIds: [] });
    await settle();
    const late = newOrder('1', { customer: { id: '7003', name: 'Late Forgotten' }, placedAt });
    await send(shop.client, shop.storeId, late);
    await run(processStoreWebhooks);
    assert.deepEqual(await shop.cards(), []);
    await shop.order('2', { id: '7003', name: 'New Again' });
    await run(processStoreWebhooks);
    assert.equal((await shop.cards())[0]?.holder.name, 'New Again');
    await assertForgotten('Late Forgotten');
  });

  it('keeps the card that the merchant has made, and the one of another store', async () => {
    const shop = await openShop();
    const email = 'carol@example.com';
    const own = await makeCard(shop.client, shop.passId, { holder: { identifier: 'carol', email } });
    await shop.order('1', { id: '7', email });
    const other = await openShop(shop.client, shop.passId);
    await other.order('1', { id: '7', email: 'dave@example.com', name: 'Dave' });
    await run(processStoreWebhooks);
    await shop.send('customer.redact', { customer: { id: '7', email }, orderIds: ['1'] });
    await settle();
    const cards = await shop.cards();
    assert.equal(cards.find(({ instanceId }) => instanceId === own.instanceId)?.holder.email, email);
    assert.equal(cards.find(({ holder }) => holder?.name === 'Dave')?.status, 'active');
    assert.deepEqual((await shop.requests())[0]?.instanceIds, []);
  });

  it('is erased from a card too that an order in flight has issued in the same moment', async () => {
    const shop = await openShop();
    await shop.send('customer.redact', { customer: { id: '7005' } });
    await run(processStoreWebhooks);
    // As a worker does that had taken the order before.
    await makeCard(shop.client, shop.passId, {
      holder: { identifier: `${shop.domain}/7005`, name: 'In Flight' },
    });
    await settle();
    await assertForgotten('In Flight');
    assert.equal((await shop.requests())[0]?.instanceIds.length, 1);
  });

  it('may be a guest, known by the address alone', async () => {
    const shop = await openShop();
    const guest = { email: 'Guest.Forgotten@example.com', name: 'Guest Forgotten' };
    await shop.order('1', guest);
    await run(processStoreWebhooks);
    assert.equal((await shop.cards())[0]?.holder.identifier, guest.email.toLowerCase());
    await shop.send('customer.redact', { customer: { email: guest.email } });
    await settle();
    await assertForgotten(guest.email, guest.name);
    assert.equal((await shop.cards())[0]?.status, 'voided');
  });

  it('is never invited again', async () => {
    const shop = await openShop();
    const email = 'erin.forgotten@example.com';
    const invited = await shop.client.post(`/passes/${shop.passId}/invites`, {
      email,
      name: 'Erin Forgotten',
    });
    assert.equal(invited.status, 202, invited.text);
    await shop.send('customer.redact', { customer: { id: '7', email } });
    await settle();
    await assertForgotten(email, 'Erin Forgotten');
    const [second] = await app.sql<{ reason: string }>(
      'select reason from suppressions join passes using (workspace_id) where pass_id = $1',
      [decodeId('pass', shop.passId)],
    );
    assert.deepEqual(second, { reason: 'redacted' });
  });
});

it('a question about a customer finds the cards, linked ones too, and changes nothing', async () => {
  const shop = await openShop();
  const email = 'frida@example.com';
  const own = await makeCard(shop.client, shop.passId, { holder: { identifier: 'frida', email } });
  await shop.order('1', { id: '8', email });
  await shop.order('2', { id: '9', email: 'gus@example.com' });
  await run(processStoreWebhooks);
  await shop.send('customer.data_request', { customer: { id: '8', email }, orderIds: ['1'] });
  await run(processStoreWebhooks);
  const [request] = await shop.requests();
  const { requestId, receivedAt, doneAt, ...rest } = request ?? {};
  assert.match(requestId, /^preq_/);
  assert.ok(doneAt >= receivedAt);
  assert.deepEqual(rest, {
    topic: 'data_request',
    customerId: '8',
    orderIds: ['1'],
    instanceIds: [own.instanceId],
  });
  assert.equal((await shop.cards()).filter(({ holder }) => holder !== null).length, 2);
  const dump = (await app.sql<{ row: string }>('select t::text as row from privacy_requests t'))
    .map(({ row }) => row)
    .join();
  assert.ok(!dump.includes('frida'));
});

describe('a store that is to be erased', () => {
  it('leaves none of its customers behind, is disconnected, and touches no other person', async () => {
    const shop = await openShop();
    const other = await openShop(shop.client, shop.passId);
    await inParallel(45, (n) =>
      shop.order(`o${n}`, { id: `${n}`, name: `Gone Customer ${n}`, email: `gone${n}@example.com` }),
    );
    await inParallel(5, (n) =>
      shop.order(`g${n}`, { email: `gone-guest${n}@example.com`, name: 'Gone Guest' }),
    );
    await other.order('1', { id: '1', name: 'Of Another', email: 'other@example.com' });
    const own = await makeCard(shop.client, shop.passId, { holder: { identifier: 'hal', name: 'Hal' } });
    await run(processStoreWebhooks);
    await shop.send('order', { broken: 'gone60@example.com' });
    await shop.client.post(`/passes/${shop.passId}/invites`, { email: 'kept@example.com' });
    await shop.send('shop.redact', {});
    await settle();
    await assertForgotten(
      'Gone Customer',
      'Gone Guest',
      'gone1@example.com',
      'gone60@example.com',
      'gone-guest',
    );
    const left = (await shop.cards()).concat(
      (await shop.client.get(`/passes/${shop.passId}/instances?limit=100&status=active`)).body.data,
    );
    const names = new Set(left.map(({ holder }) => holder?.name).filter((name) => name));
    assert.deepEqual([...names].sort(), ['Hal', 'Of Another']);
    assert.equal((await shop.client.get(`/instances/${own.instanceId}`)).body.status, 'active');
    const store = (await shop.client.get(`/stores/${shop.storeId}`)).body;
    assert.deepEqual([store.status, store.problem.code], ['disconnected', 'app_uninstalled']);
    assert.ok((await shop.requests())[0]?.doneAt);
    const [suppressed] = await app.sql(
      'select s.* from suppressions s join passes using (workspace_id) where pass_id = $1',
      [decodeId('pass', shop.passId)],
    );
    assert.equal(suppressed, undefined, 'customers may be invited by another store');
    await assertInvariants(app.sql);
  });

  it('goes on where a worker left it', async () => {
    const shop = await openShop();
    await inParallel(60, (n) => shop.order(`${n}`, { id: `${n}`, name: `Half Gone ${n}` }));
    await run(processStoreWebhooks);
    await shop.send('shop.redact', {});
    await run(processStoreWebhooks);
    app.advance(121_000);
    for (let turn = 0; turn < 4; turn++) await obeyPrivacyRequests(ctx);
    // A worker takes it and dies; others leave it alone for a minute.
    await app.sql("update privacy_requests set due_at = due_at + interval '1 minute' where done_at is null");
    assert.equal(await obeyPrivacyRequests(ctx), false);
    app.advance(61_000);
    await Promise.all([run(obeyPrivacyRequests), run(obeyPrivacyRequests)]);
    // In each other's way, both may find nothing for a moment.
    await run(obeyPrivacyRequests);
    await assertForgotten('Half Gone');
  });

  it('and was connected again since keeps what is newer', async () => {
    const shop = await openShop();
    const invite = async (email: string) => {
      const reply = await shop.client.post(`/passes/${shop.passId}/invites`, { email });
      assert.equal(reply.status, 202, reply.text);
      await app.sql(
        'update invites set store_id = $1 where invite_id in (select invite_id from invites where email = $2)',
        [decodeId('store', shop.storeId), email],
      );
    };
    await shop.order('1', { id: '1', name: 'Before Redaction' });
    await shop.order('2', { email: 'before-guest@example.com', name: 'Before Redaction' });
    await invite('before-invited@example.com');
    await run(processStoreWebhooks);
    await shop.send('order', { broken: 'before-broken@example.com' });
    await shop.client.delete(`/stores/${shop.storeId}`);
    await shop.send('shop.redact', {});
    await run(processStoreWebhooks);
    app.advance(10_000);
    const { domain, passId } = shop;
    assert.equal((await connectShop(shop.client, { domain, passId })).storeId, shop.storeId);
    app.advance(10_000);
    await shop.order('3', { id: '3', name: 'Since Then' });
    await shop.order('4', { email: 'since-guest@example.com', name: 'Since Then, A Guest' });
    await invite('since-invited@example.com');
    await shop.send('order', { broken: 'since-broken@example.com' });
    await settle();
    await assertForgotten('Before Redaction', 'before-guest', 'before-invited', 'before-broken');
    const cards = (await shop.cards()).filter(({ status }) => status === 'active');
    assert.deepEqual(cards.map(({ holder }) => holder.name).sort(), ['Since Then', 'Since Then, A Guest']);
    const store = (await shop.client.get(`/stores/${shop.storeId}`)).body;
    assert.deepEqual([store.status, store.givenUpWebhooks], ['connected', 1]);
    assert.ok((await app.dump()).includes('since-invited@example.com'));
    assert.ok((await shop.requests())[0]?.doneAt);
    await assertInvariants(app.sql);
  });

  it('accepts nothing three months later', async () => {
    const shop = await openShop();
    await shop.client.delete(`/stores/${shop.storeId}`);
    const redact = { customer: { id: '7' } };
    app.advance(89 * 86_400_000);
    await run(trimWebhooks);
    await shop.send('customer.redact', redact);
    app.advance(2 * 86_400_000);
    await run(trimWebhooks);
    const late = await send(shop.client, shop.storeId, signedText('customer.redact', redact), {
      topic: 'customer.redact',
    });
    assert.equal(late.status, 401);
    const [row] = await app.sql('select webhook_secrets from stores where store_id = $1', [
      decodeId('store', shop.storeId),
    ]);
    assert.deepEqual(row, { webhook_secrets: null });
  });
});
