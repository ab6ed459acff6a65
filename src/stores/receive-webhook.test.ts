import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { decodeId } from '../kit/ids.ts';
import {
  connectShop,
  connectStore,
  deliver,
  newOrder,
  send,
  signatureOf,
  webhookSecret,
} from './stores.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
let client: Client;
let shop: Json;
before(async () => {
  ({ client } = await app.newWorkspace());
  shop = await connectShop(client);
});

const kept = (storeId: string) =>
  app.sql<{ body: Buffer; topic: string }>(
    'select body, topic from store_webhooks where store_id = $1 order by webhook_id',
    [decodeId('store', storeId)],
  );

describe('a signed webhook', () => {
  it('is answered at once and kept as it came, byte by byte', async () => {
    const store = await connectShop(client);
    const odd = '{ "a" :1.0,\r\n\t"b":"caf\\u00e9 \\/ \\ud83c\\udf75", "a": 2 }\n';
    const { status, body } = await send(client, store.storeId, odd);
    assert.deepEqual([status, body], [200, { received: true }]);
    const [row] = await kept(store.storeId);
    assert.deepEqual([row?.topic, row?.body.toString()], ['order', odd]);
    assert.equal((await client.get(`/stores/${store.storeId}`)).body.waitingWebhooks, 1);
  });

  it('is kept once, of fifty copies at once and one more later', async () => {
    const store = await connectShop(client);
    const body = newOrder('1');
    const copies = await inParallel(50, () => send(client, store.storeId, body, { deliveryId: 'd-1' }));
    copies.push(await send(client, store.storeId, body, { deliveryId: 'd-1' }));
    assert.deepEqual(tally(copies.map(({ status }) => status)), { 200: 51 });
    assert.equal((await kept(store.storeId)).length, 1);
  });

  it('is distinguished from another to which the platform gives the same name', async () => {
    const store = await connectShop(client);
    await send(client, store.storeId, newOrder('1'), { deliveryId: 'same' });
    await send(client, store.storeId, newOrder('2'), { deliveryId: 'same' });
    assert.equal((await kept(store.storeId)).length, 2);
  });

  it('needs no name', async () => {
    const store = await connectShop(client);
    const body = newOrder('1');
    for (const _ of [1, 2]) assert.equal((await send(client, store.storeId, body)).status, 200);
    assert.equal((await kept(store.storeId)).length, 1);
  });

  it('may have up to 5 MiB', async () => {
    const store = await connectShop(client);
    const most = 5 * 1_048_576;
    const full = randomBytes(most / 2).toString('hex');
    assert.equal((await send(client, store.storeId, full)).status, 200);
    assertRefused(await send(client, store.storeId, `${full}x`), 'request_too_large');
    const [row] = await kept(store.storeId);
    assert.equal(row?.body.length, most);
  });

  it('is taken however odd it is: what it means is found out later', async () => {
    const store = await connectShop(client);
    const bodies = ['[', 'null', '"', '\u0000', '{"__proto__":1}', '['.repeat(100_000), '\ufeff{}'];
    for (const body of bodies) assert.equal((await send(client, store.storeId, body)).status, 200, body);
    const topic = 'x'.repeat(5_000);
    assert.equal((await send(client, store.storeId, '{}', { topic, deliveryId: topic })).status, 200);
    assert.equal((await kept(store.storeId)).length, bodies.length + 1);
  });

  it('is not limited like a caller without a key', async () => {
    const slow = await startTestApp({
      WORKERS: 'off',
      RATE_LIMIT_PER_SECOND: '20',
    });
    const store = await connectShop(slow.client);
    const replies = await inParallel(100, (n) => send(slow.client, store.storeId, newOrder(String(n))));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 100 });
    const forged = await inParallel(60, () =>
      send(slow.client, store.storeId, '{}', { secret: 'x'.repeat(16) }),
    );
    const found = tally(forged.map(({ status }) => status));
    assert.ok((found['429'] ?? 0) >= 15 && (found['401'] ?? 0) <= 45, JSON.stringify(found));
  });
});

describe('invalid_signature, and nothing is kept,', () => {
  const body = newOrder('1');
  const forgeries: Record<string, () => Record<string, string>> = {
    'for none': () => ({ 'x-signature': '' }),
    'for that of another secret': () => ({ 'x-signature': signatureOf(body, 'another secret of ours') }),
    'for that of another body': () => ({ 'x-signature': signatureOf(`${body} `) }),
    'for one that is cut off': () => ({ 'x-signature': signatureOf(body).slice(0, 40) }),
    'for one that goes on': () => ({ 'x-signature': `${signatureOf(body)}AAAA` }),
    'for one without its end': () => ({ 'x-signature': signatureOf(body).replace('=', '') }),
    'in hex': () => ({ 'x-signature': Buffer.from(signatureOf(body), 'base64').toString('hex') }),
    'in the letters of URLs': () => ({ 'x-signature': 'a-_b'.repeat(11).slice(0, 43).concat('=') }),
    'for garbage': () => ({ 'x-signature': '\u00ff\u00fe %%%' }),
    'for two signatures': () => ({ 'x-signature': `${signatureOf(body)}, ${signatureOf(body)}` }),
    'of another platform': () => ({ 'x-signature': '', 'x-shopify-hmac-sha256': signatureOf(body) }),
  };
  for (const [what, headers] of Object.entries(forgeries)) {
    it(what, async () => {
      const store = await connectShop(client);
      assertRefused(await send(client, store.storeId, body, { headers: headers() }), 'invalid_signature');
      assert.deepEqual(await kept(store.storeId), []);
    });
  }

  it('for a body that was changed in a single place', async () => {
    const store = await connectShop(client);
    const signature = { 'x-signature': signatureOf(body) };
    for (const changed of [`${body}\n`, body.replace('10.00', '99.00'), body.replaceAll(',', ', ')])
      assertRefused(await send(client, store.storeId, changed, { headers: signature }), 'invalid_signature');
  });

  it('for the secret of another store', async () => {
    const other = await connectShop(client, { webhookSecret: 'that of the other' });
    assertRefused(await send(client, other.storeId, body), 'invalid_signature');
    const stranger = await connectShop((await app.newWorkspace()).client, {
      webhookSecret: 'of a stranger....',
    });
    assertRefused(await send(client, stranger.storeId, body), 'invalid_signature');
    assert.equal((await send(client, stranger.storeId, body, { secret: 'of a stranger....' })).status, 200);
  });
});

it('both secrets sign for an hour after a change, and then the new one only', async () => {
  const store = await connectShop(client);
  const secret = 'the one that comes next';
  await client.patch(`/stores/${store.storeId}`, { webhookSecret: secret });
  const by = (one: string) => send(client, store.storeId, newOrder(String(Math.random())), { secret: one });
  assert.deepEqual([(await by(secret)).status, (await by(webhookSecret)).status], [200, 200]);
  app.advance(3_500_000);
  assert.equal((await by(webhookSecret)).status, 200);
  app.advance(101_000);
  assertRefused(await by(webhookSecret), 'invalid_signature');
  assert.equal((await by(secret)).status, 200);
});

it('the trial call of WooCommerce needs no signature, and nothing is kept of it', async () => {
  const path = `/stores/${shop.storeId}/webhooks`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const ping = (body: string) => app.anyone.post(path, body, { headers });
  assert.equal((await ping('webhook_id=12')).status, 200);
  for (const body of ['webhook_id=12&x=1', 'webhook_id=', 'x', `webhook_id=${'1'.repeat(1_000_000)}`])
    assertRefused(await ping(body), 'invalid_signature');
  assertRefused(await app.anyone.post(path, 'webhook_id=12'), 'invalid_signature');
  assert.deepEqual(await kept(shop.storeId), []);
});

it('a disconnected store may still demand privacy, and whatever else it says is passed over', async () => {
  const store = await connectStore(client);
  await client.delete(`/stores/${store.storeId}`);
  const redact = JSON.stringify({ shop_domain: store.domain, customer: { id: 7 }, orders_to_redact: [] });
  assert.equal((await deliver(client, store.storeId, '{"id":1}')).status, 200);
  assert.equal((await deliver(client, store.storeId, '[', { topic: 'customers/redact' })).status, 200);
  assert.deepEqual(await kept(store.storeId), []);
  assert.equal((await deliver(client, store.storeId, redact, { topic: 'customers/redact' })).status, 200);
  assert.equal((await kept(store.storeId)).length, 1);
  assertRefused(
    await deliver(client, store.storeId, redact, { topic: 'customers/redact', secret: 'x'.repeat(16) }),
    'invalid_signature',
  );
});

describe('strangers', () => {
  it('who send much at once find a few places, and the small webhooks of stores go on', async () => {
    const store = await connectShop(client);
    const { port } = new URL(app.url);
    const head = [
      `POST /stores/${store.storeId}/webhooks HTTP/1.1`,
      'host: punchcard',
      'content-type: application/json',
      'content-length: 5000000',
      `x-signature: ${'A'.repeat(43)}=`,
    ].join('\r\n');
    // They say that there is more to come, and send no more.
    const sockets = await inParallel(60, async () => {
      const socket = connect(Number(port), '127.0.0.1');
      const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
      socket.write(`${head}\r\n\r\n${'x'.repeat(80_000)}`);
      return { socket, answered };
    });
    await sleep(300);
    const replies = await inParallel(20, (n) => send(client, store.storeId, newOrder(String(n))));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 20 });
    const answers = await Promise.all(sockets.map(({ answered }) => answered));
    for (const { socket } of sockets) socket.destroy();
    const statuses = tally(answers.map((answer) => answer.split(' ')[1]));
    assert.deepEqual(statuses, { 408: 4, 503: 56 });
  });
});
