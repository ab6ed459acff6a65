import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  emitEvents,
  loopback,
  makeWebhook,
  startReceiver,
  startWebhookApp,
} from '../src/webhooks/webhooks.fixture.ts';
import { ServiceProcess } from './service-process.ts';
import { until } from './wallets.ts';

const eventCount = 400;

test('workers killed while they send webhooks: each event arrives, under one id', async () => {
  const app = await startWebhookApp({ WORKERS: 'off' });
  const { client, workspaceId } = await app.newWorkspace();
  const receiver = await startReceiver();
  const { webhookId } = await makeWebhook(client, receiver.url);
  const events = Array.from({ length: eventCount }, (_, number) => ({ data: { number } }));
  await emitEvents(app, workspaceId, events);
  const settings = {
    ...loopback,
    DATABASE_URL: app.databaseUrl,
    DATA_DIR: app.config.dataDir,
    PUBLIC_URL: app.config.publicUrl,
    LOG_LEVEL: 'error',
  };
  const workers = [1, 2].map(() => new ServiceProcess(0, settings, ['work']));
  after(() => Promise.all(workers.map((worker) => worker.end('SIGKILL'))));
  // So slow that they are killed while messages are under way.
  receiver.answering = async (response) => {
    await sleep(50);
    response.writeHead(200).end();
  };
  for (let kill = 1; kill <= 2; kill++) {
    const before = receiver.received.length;
    for (const worker of workers) worker.launch();
    await until('messages arrive', () => receiver.received.length > before + 10 && receiver.underWay.now > 0);
    await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
    // Time passes for workers that wait for the end of a lease.
    for (const table of ['webhook_deliveries', 'webhook_claims'])
      await app.sql(`update ${table} set due_at = now() - interval '1 second' where due_at is not null`);
  }
  const [taken] = await app.sql<{ count: number }>(
    "select count(*)::int as count from webhook_deliveries where status = 'waiting'",
  );
  assert.ok(taken !== undefined && taken.count > 0, 'they were killed too late');
  for (const worker of workers) worker.launch();
  const left = "select from webhook_deliveries where status <> 'delivered'";
  await until('all are delivered', async () => (await app.sql(left)).length === 0);
  await Promise.all(workers.map((worker) => worker.end('SIGTERM')));
  for (const worker of workers) assert.equal(worker.complained, '');
  const ids = receiver.received.map(
    ({ headers, body }) => `${headers['webhook-id']} ${JSON.parse(body).data.eventId}`,
  );
  assert.equal(new Set(ids).size, eventCount);
  assert.equal(new Set(ids.map((id) => id.split(' ')[0])).size, eventCount);
  const [lastDay] = [(await client.get(`/webhooks/${webhookId}`)).body.lastDay];
  assert.deepEqual(lastDay, { delivered: eventCount, failed: 0, waiting: 0 });
});
