import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../test/wallets.ts';
import { followLog } from '../events/follow-log.ts';
import { sql } from '../kit/db/sql.ts';
import { decodeId } from '../kit/ids.ts';
import { type FoundDelivery, findDueDeliveries } from './due-deliveries.sql.ts';
import { limits } from './places.ts';
import { deliveriesOf, emitEvents, makeWebhook, startReceiver, startWebhookApp } from './webhooks.fixture.ts';

const app = await startWebhookApp();
const idle = await startWebhookApp({ WORKERS: 'off' });

/** Workspaces with webhooks, each with so many events that are due; ids of what has been made. */
async function fill(counts: readonly (readonly number[])[]) {
  const { app: service } = idle.running;
  const made: string[][] = [];
  for (const webhooks of counts) {
    const { client, workspaceId } = await idle.newWorkspace();
    const ids: string[] = [];
    for (const [at, count] of webhooks.entries()) {
      const type = (['points.awarded', 'pool.low', 'order.processed'] as const)[at] ?? 'points.awarded';
      const { webhookId } = await makeWebhook(client, 'http://127.0.0.1:8080/', { types: [type] });
      ids.push(decodeId('hook', webhookId) ?? '');
      await emitEvents(
        idle,
        workspaceId,
        Array.from({ length: count }, () => ({ type })),
      );
    }
    const id = decodeId('ws', workspaceId) ?? '';
    await service.database.transaction((tx) => followLog(tx, { app: service, requestId: 'test' }, id));
    made.push(ids);
  }
  return made;
}

function find(
  most: number,
  free: { webhookId: string; free: number }[] = [],
  usual = 2,
): Promise<FoundDelivery[]> {
  const { db } = idle.running.app.database;
  return findDueDeliveries(db, { now: new Date(), within: sql`true`, most, free, usual });
}

const tally = (found: readonly FoundDelivery[]) => {
  const counts: Record<string, number> = {};
  for (const { webhookId } of found) counts[webhookId] = (counts[webhookId] ?? 0) + 1;
  return counts;
};

describe('findDueDeliveries', () => {
  it('gives workspaces turns, and in each its webhooks, as far as they have places', async () => {
    const [[a = '', b = '', c = ''] = [], [d = ''] = []] = await fill([[30, 30, 30], [30]]);
    const usual = 10;
    assert.deepEqual(tally(await find(100, [], usual)), { [a]: 10, [b]: 10, [c]: 10, [d]: 10 });
    // Half of it is for each workspace.
    assert.deepEqual(tally(await find(12, [], usual)), { [a]: 2, [b]: 2, [c]: 2, [d]: 6 });
    const free = [
      { webhookId: a, free: 0 },
      { webhookId: b, free: 1 },
    ];
    assert.deepEqual(tally(await find(100, free, usual)), { [b]: 1, [c]: 10, [d]: 10 });
    await idle.sql('update webhook_deliveries set is_retry = true where webhook_id = $1 and random() < 0.5', [
      d,
    ]);
    const found = (await find(100, [], usual)).filter(({ webhookId }) => webhookId === d);
    const retries = await idle.sql<{ count: number }>(
      'select count(*)::int as count from webhook_deliveries where is_retry and delivery_id = any($1)',
      [found.map(({ deliveryId }) => deliveryId)],
    );
    assert.deepEqual([found.length, retries[0]?.count], [10, 5]);
    await idle.sql('delete from webhook_deliveries');
  });
});

describe('a receiver that falls silent', () => {
  it('delays neither its own others nor those of other workspaces, and has few messages at a time', async () => {
    const { client, workspaceId } = await app.newWorkspace();
    const [silent, healthy] = [await startReceiver(), await startReceiver()];
    silent.answering = 'hang';
    const dead = await startReceiver();
    const urls = [silent.url, dead.url];
    await dead.close();
    for (const url of urls.flatMap((one) => [one, one, one])) await makeWebhook(client, url);
    const { webhookId } = await makeWebhook(client, healthy.url);
    for (let round = 0; round < 10; round++)
      await emitEvents(
        app,
        workspaceId,
        Array.from({ length: 20 }, () => ({ data: { round } })),
      );
    await until('all events at the one that answers', () => healthy.received.length === 200);
    const most = 3 * limits.window.first;
    assert.ok(silent.underWay.most <= most, `${silent.underWay.most} at a time at the silent one`);
    await deliveriesOf(client, webhookId, (all) => all.every(({ status }) => status === 'delivered'));
  });
});
