import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Webhook } from 'standardwebhooks';
import type { Client, Json } from '../../test/client.ts';
import { makeKey, makePass } from '../../test/factories.ts';
import { until } from '../../test/wallets.ts';
import type { EventReceiver, ReceivedMessage } from '../../tools/fakes/event-receiver.ts';
import { decodeId } from '../kit/ids.ts';
import { deliveriesOf, emitEvents, makeWebhook, startReceiver, startWebhookApp } from './webhooks.fixture.ts';

const app = await startWebhookApp();
let client: Client;
let workspaceId: string;
let receiver: EventReceiver;
beforeEach(async () => {
  ({ client, workspaceId } = await app.newWorkspace());
  receiver = await startReceiver();
});

const arrived = (count: number, at = receiver) =>
  until(`${count} messages`, () => at.received.length >= count);

function verified(message: ReceivedMessage | undefined, secret: string): Json {
  assert.ok(message);
  return new Webhook(secret).verify(message.body, message.headers as Record<string, string>) as Json;
}

describe('an event', () => {
  it('is posted at once as Standard Webhooks has it, and shown as delivered with what was answered', async () => {
    receiver.answering = (response) => response.writeHead(200).end('thank you');
    const { webhookId, secret } = await makeWebhook(client, receiver.url);
    const { passId } = await makePass(client);
    receiver.received.length = 0;
    await emitEvents(app, workspaceId, [
      { type: 'points.awarded', data: { points: 5 }, passId: decodeId('pass', passId) },
    ]);
    await until('the award', () => receiver.received.some(({ body }) => body.includes('"points":5')));
    const message = receiver.received.find(({ body }) => body.includes('"points":5'));
    const body = verified(message, secret);
    const { data: events } = (await client.get('/events?type=points.awarded')).body;
    assert.deepEqual(body, { type: 'points.awarded', timestamp: events[0].createdAt, data: events[0] });
    assert.equal(message?.headers['content-type'], 'application/json');
    assert.equal(message?.headers['user-agent'], 'Punchcard');
    const deliveries = await deliveriesOf(client, webhookId, (all) =>
      all.some(({ eventId, status }) => eventId === events[0].eventId && status === 'delivered'),
    );
    const delivery = deliveries.find(({ eventId }) => eventId === events[0].eventId);
    assert.equal(delivery?.deliveryId, message?.headers['webhook-id']);
    const [attempt] = delivery?.attempts ?? [];
    assert.deepEqual(
      { ...attempt, at: null, milliseconds: null },
      { at: null, status: 200, milliseconds: null, problem: null, answer: 'thank you' },
    );
    assert.equal(delivery?.nextAttemptAt, null);
    assert.deepEqual(
      (await client.get(`/webhooks/${webhookId}/deliveries/${delivery?.deliveryId}`)).body,
      delivery,
    );
  });

  it('goes to the webhooks that want its kind and its pass, and to no other workspace', async () => {
    const { passId } = await makePass(client);
    const other = (await makePass(client)).passId;
    const paths = {
      all: { types: ['*'] },
      exact: { types: ['points.awarded'] },
      alike: { types: ['reward.*', 'points.*'] },
      none: { types: ['reward.redeemed'] },
      pass: { types: ['*'], passIds: [passId] },
      otherPass: { types: ['*'], passIds: [other] },
    };
    for (const [path, filter] of Object.entries(paths))
      await makeWebhook(client, `${receiver.url}/${path}`, filter);
    const stranger = await app.newWorkspace();
    await makeWebhook(stranger.client, `${receiver.url}/stranger`);
    await emitEvents(app, workspaceId, [
      { type: 'points.awarded', passId: decodeId('pass', passId), data: { mark: 1 } },
      { type: 'credits.low', data: { mark: 2 } },
    ]);
    const got = () =>
      receiver.received
        .filter(({ body }) => body.includes('"mark"'))
        .map(({ path, body }) => `${path.replace('/events/', '')} ${JSON.parse(body).data.data.mark}`)
        .sort();
    await until('all of them', () => got().length >= 5);
    assert.deepEqual(got(), ['alike 1', 'all 1', 'all 2', 'exact 1', 'pass 1']);
  });

  it('is sent thin where that is asked for, or where it is large', async () => {
    const thin = await makeWebhook(client, `${receiver.url}/thin`, { payload: 'thin' });
    const full = await makeWebhook(client, `${receiver.url}/full`);
    await emitEvents(app, workspaceId, [{ data: { small: true } }, { data: { large: 'x'.repeat(20_000) } }]);
    await arrived(4);
    const bodies = receiver.received.map((message) => ({
      path: message.path,
      data: verified(message, message.path.endsWith('thin') ? thin.secret : full.secret).data,
    }));
    for (const { path, data } of bodies) {
      const isSmall = data.seq === Math.min(...bodies.map((one) => one.data.seq));
      assert.equal('data' in data && 'previous' in data, path.endsWith('full') && isSmall, path);
      assert.match(data.eventId, /^evt_/);
    }
    assert.ok(receiver.received.every(({ body }) => Buffer.byteLength(body) < 20_000));
  });

  it('is sent once, although several processes work', async () => {
    await app.twin();
    await makeWebhook(client, receiver.url);
    const events = Array.from({ length: 200 }, (_, number) => ({ data: { number } }));
    await emitEvents(app, workspaceId, events);
    await arrived(200);
    const { webhookId } = (await client.get('/webhooks')).body.data[0];
    const ofAll = { delivered: 200, failed: 0, waiting: 0 };
    await until('all of them', async () => {
      const { lastDay } = (await client.get(`/webhooks/${webhookId}`)).body;
      return isDeepStrictEqual(lastDay, ofAll);
    });
    assert.equal(receiver.received.length, 200);
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 200);
  });
});

describe('what a receiver answers', () => {
  it('is kept to 1,000 bytes, and shown to keys with full access alone', async () => {
    receiver.answering = (response) =>
      response.writeHead(500).end(`${'ä'.repeat(499)}\u0000b${'c'.repeat(200_000)}`);
    const { webhookId } = await makeWebhook(client, receiver.url);
    await emitEvents(app, workspaceId);
    const [delivery] = await deliveriesOf(client, webhookId, ([first]) => first?.attempts.length > 0);
    assert.equal(delivery?.attempts[0].answer, `${'ä'.repeat(499)}\ufffdb`);
    const reader = (await makeKey(client, { access: 'read' })).client;
    const { body } = await reader.get(`/webhooks/${webhookId}/deliveries/${delivery?.deliveryId}`);
    assert.deepEqual([body.attempts[0].answer, body.attempts[0].status], [null, 500]);
    const [listed] = (await reader.get(`/webhooks/${webhookId}/deliveries`)).body.data;
    assert.equal(listed.attempts[0].answer, null);
  });

  it('need not end: the status counts', async () => {
    receiver.answering = (response) => response.writeHead(200).write('endless');
    const { webhookId } = await makeWebhook(client, receiver.url);
    await emitEvents(app, workspaceId);
    const [delivery] = await deliveriesOf(client, webhookId, ([first]) => first?.status === 'delivered');
    assert.equal(delivery?.attempts[0].answer, 'endless');
  });
});

describe('rotateWebhook', () => {
  it('signs with both secrets for a day, then with the new one', async () => {
    const { webhookId, secret } = await makeWebhook(client, receiver.url);
    const rotated = await client.post(`/webhooks/${webhookId}/rotate`);
    assert.equal(rotated.status, 201);
    assert.notEqual(rotated.body.secret, secret);
    await emitEvents(app, workspaceId);
    await arrived(1);
    verified(receiver.received[0], secret);
    verified(receiver.received[0], rotated.body.secret);
    app.advance(24 * 3_600_000 + 1_000);
    await emitEvents(app, workspaceId);
    await arrived(2);
    const { headers } = receiver.received[1] as ReceivedMessage;
    assert.equal(String(headers['webhook-signature']).split(' ').length, 1);
  });
});

describe('testWebhook', () => {
  it('sends a test to one webhook alone, whatever its kinds and status, once', async () => {
    const { webhookId } = await makeWebhook(client, `${receiver.url}/a`, { types: ['pool.low'] });
    await makeWebhook(client, `${receiver.url}/b`);
    await client.patch(`/webhooks/${webhookId}`, { status: 'paused' });
    receiver.answering = 500;
    const { status, body } = await client.post(`/webhooks/${webhookId}/test`);
    assert.equal(status, 202);
    const [delivery] = await deliveriesOf(client, webhookId, ([first]) => first?.status === 'failed');
    assert.deepEqual([delivery?.deliveryId, delivery?.eventId], [body.deliveryId, body.eventId]);
    assert.deepEqual([delivery?.type, delivery?.attempts.length], ['webhook.test', 1]);
    assert.equal(receiver.received.length, 1);
    assert.equal(receiver.received[0]?.path, '/events/a');
    assert.equal(JSON.parse(receiver.received[0]?.body ?? '').data.data.webhookId, webhookId);
    assert.ok(!receiver.received[0]?.body.includes('whsec_'));
  });
});

describe('resendDelivery', () => {
  it('sends again what was delivered, under the same id, and starts no schedule', async () => {
    const { webhookId } = await makeWebhook(client, receiver.url);
    await emitEvents(app, workspaceId);
    const [delivery] = await deliveriesOf(client, webhookId, ([first]) => first?.status === 'delivered');
    receiver.answering = 503;
    const path = `/webhooks/${webhookId}/deliveries/${delivery?.deliveryId}`;
    const { status, body } = await client.post(`${path}/resend`);
    assert.deepEqual([status, body.status], [202, 'waiting']);
    const [after] = await deliveriesOf(client, webhookId, ([first]) => first?.status === 'failed');
    assert.deepEqual(
      after?.attempts.map((attempt: Json) => attempt.status),
      [204, 503],
    );
    assert.equal(after?.nextAttemptAt, null);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    assert.deepEqual(ids, [delivery?.deliveryId, delivery?.deliveryId]);
    assert.equal((await client.get(`/webhooks/${webhookId}`)).body.problem, null);
  });
});

describe('recoverWebhook', () => {
  it('sends what was not delivered, and what was missed in a pause, and nothing else', async () => {
    const { webhookId } = await makeWebhook(client, receiver.url, { types: ['points.awarded'] });
    const since = new Date(Date.now() + 25 * 3_600_000).toISOString();
    await emitEvents(app, workspaceId, [{ data: { number: 1 } }]);
    await arrived(1);
    await deliveriesOf(client, webhookId, ([first]) => first?.status === 'delivered');
    await client.patch(`/webhooks/${webhookId}`, { status: 'paused' });
    await emitEvents(app, workspaceId, [{ data: { number: 2 } }, { type: 'pool.low', data: { number: 3 } }]);
    assert.equal((await client.get('/events?afterSeq=0')).body.data.length, 3);
    const path = `/webhooks/${webhookId}/recover`;
    assert.equal((await client.post(path, { since })).body.code, 'invalid_request');
    const now = app.running.app.now();
    const ago = (ms: number) => new Date(now.getTime() - ms).toISOString();
    assert.equal((await client.post(path, { since: ago(60_000) })).body.code, 'webhook_not_active');
    await client.patch(`/webhooks/${webhookId}`, { status: 'active' });
    assert.equal((await client.post(path, { since: ago(15 * 86_400_000) })).body.code, 'invalid_request');
    const { body } = await client.post(path, { since: ago(60_000) });
    assert.deepEqual(body, { recovered: 1, nextSince: null });
    await arrived(2);
    const numbers = receiver.received.map((message) => JSON.parse(message.body).data.data.number);
    assert.deepEqual(numbers, [1, 2]);
    await deliveriesOf(client, webhookId, (all) => all.every(({ status }) => status === 'delivered'));
    assert.deepEqual((await client.post(path, { since: ago(60_000) })).body, {
      recovered: 0,
      nextSince: null,
    });
  });
});

describe('a webhook that is paused or deleted before its delivery', () => {
  it('gets nothing of what waits', async () => {
    receiver.answering = 500;
    const { webhookId } = await makeWebhook(client, receiver.url);
    const gone = await makeWebhook(client, `${receiver.url}/gone`);
    await emitEvents(app, workspaceId);
    await deliveriesOf(client, webhookId, ([first]) => first?.attempts.length === 1);
    await deliveriesOf(client, gone.webhookId, ([first]) => first?.attempts.length === 1);
    await client.patch(`/webhooks/${webhookId}`, { status: 'paused' });
    await client.delete(`/webhooks/${gone.webhookId}`);
    app.advance(10_000);
    const [delivery] = await deliveriesOf(client, webhookId, ([first]) => first?.status === 'failed');
    assert.equal(delivery?.attempts[1].problem, 'The webhook is paused.');
    assert.equal(receiver.received.length, 2);
    assert.equal((await client.get(`/webhooks/${gone.webhookId}`)).body.code, 'webhook_not_found');
    const left = 'select from webhook_deliveries where webhook_id = $1 and due_at is not null';
    const id = decodeId('hook', gone.webhookId);
    await until('nothing waits', async () => (await app.sql(left, [id])).length === 0);
    assert.equal(receiver.received.length, 2);
  });
});
