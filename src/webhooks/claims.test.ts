import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { beforeEach, describe, it } from 'node:test';
import type { Client, Json } from '../../test/client.ts';
import { until } from '../../test/wallets.ts';
import type { EventReceiver } from '../../tools/fakes/event-receiver.ts';
import { settleWhatMayBeSent } from '../commands/settle-restored.ts';
import { takeOverClaims } from './deliver-webhooks.job.ts';
import { deliveriesOf, emitEvents, makeWebhook, startReceiver, startWebhookApp } from './webhooks.fixture.ts';

const app = await startWebhookApp();
let client: Client;
let workspaceId: string;
let receiver: EventReceiver;
let webhookId: string;
let held: ServerResponse[];

/** A webhook that has answered once: those that follow are claimed. */
beforeEach(async () => {
  ({ client, workspaceId } = await app.newWorkspace());
  receiver = await startReceiver();
  ({ webhookId } = await makeWebhook(client, receiver.url));
  await emitEvents(app, workspaceId, [{ data: { number: 0 } }]);
  await deliveriesOf(client, webhookId, ([first]) => first?.status === 'delivered');
  held = [];
});

const numberIn = (body: string): number => JSON.parse(body).data.data.number;

/** Answers no message but those with the number, as yet. */
function hold(answered?: number): void {
  receiver.answering = (response, { body }) => {
    if (numberIn(body) === answered) response.writeHead(204).end();
    else held.push(response);
  };
}

function answerAll(): void {
  receiver.answering = 204;
  for (const response of held) response.writeHead(204).end();
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, place) => ({ data: { number: from + place } }));

/** How often each number has arrived. */
const arrivals = () => {
  const counts: Record<number, number> = {};
  for (const { body } of receiver.received) counts[numberIn(body)] = (counts[numberIn(body)] ?? 0) + 1;
  return counts;
};

const claimed = () => app.sql('select * from webhook_claims');
const statuses = async () => {
  const { data } = (await client.get(`/webhooks/${webhookId}/deliveries?limit=100`)).body;
  return (data as Json[]).map(({ status, attempts }) => `${status} ${attempts.length}`);
};

/** Everything has been delivered, and nothing is claimed. */
const allDelivered = (count: number) =>
  until('all are delivered', async () => {
    const all = await statuses();
    return (
      all.length === count && all.every((one) => one === 'delivered 1') && (await claimed()).length === 0
    );
  });

describe('what a process has claimed', () => {
  it('has a row once its first attempt has ended, and is no longer claimed when all have', async () => {
    hold(1);
    await emitEvents(app, workspaceId, numbered(1, 3));
    await until(
      'the one that was answered',
      async () => (await statuses()).length === 2 && held.length === 2,
    );
    assert.equal((await claimed()).length, 1);
    answerAll();
    await allDelivered(4);
    assert.deepEqual(arrivals(), { 0: 1, 1: 1, 2: 1, 3: 1 });
  });

  it('is not recovered as what was missed', async () => {
    hold();
    await emitEvents(app, workspaceId, numbered(1, 3));
    await until('all of them', () => held.length === 3);
    const since = new Date(app.running.app.now().getTime() - 60_000).toISOString();
    const { body } = await client.post(`/webhooks/${webhookId}/recover`, { since });
    assert.equal(body.recovered, 0);
    answerAll();
    await allDelivered(4);
    assert.deepEqual(arrivals(), { 0: 1, 1: 1, 2: 1, 3: 1 });
  });

  it('has a row with when it is tried again where its first attempt has failed', async () => {
    receiver.answering = 500;
    await emitEvents(app, workspaceId, numbered(1, 3));
    await until('all of them', async () => (await statuses()).length === 4);
    assert.deepEqual(await statuses(), ['waiting 1', 'waiting 1', 'waiting 1', 'delivered 1']);
    const [last] = await deliveriesOf(client, webhookId, () => true);
    assert.ok(Date.parse(last?.nextAttemptAt) > app.running.app.now().getTime());
    assert.deepEqual(await claimed(), []);
    receiver.answering = 204;
    app.advance(10_000);
    await until('all are delivered', async () =>
      (await statuses()).every((one) => one.startsWith('delivered')),
    );
  });

  it('is taken over when its lease has ended, but for what has a row; what is answered too late changes nothing', async () => {
    hold(1);
    await emitEvents(app, workspaceId, numbered(1, 3));
    await until(
      'the one that was answered',
      async () => (await statuses()).length === 2 && held.length === 2,
    );
    const ctx = { app: app.running.app, requestId: 'test' };
    await takeOverClaims(ctx);
    assert.equal((await claimed()).length, 1);
    receiver.answering = 204;
    app.advance(61_000);
    await takeOverClaims(ctx);
    await allDelivered(4);
    assert.deepEqual(arrivals(), { 0: 1, 1: 1, 2: 2, 3: 2 });
    const before = await app.sql('select * from webhook_deliveries order by delivery_id');
    const ended = app.running.app.webhookSender.places.left;
    answerAll();
    await until('the late ones', () => app.running.app.webhookSender.places.left === ended + 2);
    await emitEvents(app, workspaceId, numbered(4, 4));
    await allDelivered(5);
    assert.deepEqual(
      (await app.sql('select * from webhook_deliveries order by delivery_id')).slice(0, before.length),
      before,
    );
  });

  it('is given up when a backup is restored', async () => {
    hold(1);
    await emitEvents(app, workspaceId, numbered(1, 3));
    await until(
      'the one that was answered',
      async () => (await statuses()).length === 2 && held.length === 2,
    );
    assert.equal((await app.running.app.database.transaction(settleWhatMayBeSent)).webhooks, 2);
    assert.deepEqual(
      [await statuses(), await claimed()],
      [['failed 1', 'failed 1', 'delivered 1', 'delivered 1'], []],
    );
    answerAll();
  });

  it('waits in the table when the process ends', async () => {
    hold();
    await emitEvents(app, workspaceId, numbered(1, 10));
    await until('some of them', () => held.length === 4);
    app.running.app.webhookSender.handed.close();
    await until('the others', async () => (await statuses()).length === 7);
    assert.deepEqual(await statuses(), [...Array(6).fill('waiting 0'), 'delivered 1']);
    answerAll();
    await allDelivered(11);
    assert.equal(Object.values(arrivals()).length, 11);
    assert.ok(Object.values(arrivals()).every((times) => times === 1));
  });
});
