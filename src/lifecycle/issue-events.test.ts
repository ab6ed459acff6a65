import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client, Json } from '../../test/client.ts';
import { eventsOf } from '../../test/events.ts';
import { inParallel, makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { Device, takeCard } from '../delivery/apple/device.fixture.ts';
import { decodeId } from '../kit/ids.ts';
import { makeProgram } from '../loyalty/account.fixture.ts';

const app = await startTestApp();

const issuedOf = (client: Client) => eventsOf(client, 'type=instance.issued');
const auditOf = async (passId: string) =>
  (
    await app.sql<{ action: string; target: string; actor: string; detail: Json }>(
      `select action, target, actor, detail from audit_log
       where action in ('issueInstance', 'issueBatch', 'importInstances') and detail -> 'after' ->> 'passId' = $1
       order by audit_id`,
      [passId],
    )
  ).map(({ action, target }) => ({ action, target }));

describe('a new card is in the event log, and is audited', () => {
  it('once, as the answer shows it; a replay, a holder who has it and a refusal emit nothing', async () => {
    const { client } = await app.newWorkspace();
    const { passId } = await makePass(client);
    const path = `/passes/${passId}/instances`;
    const body = { externalRef: 'signup-1', holder: { identifier: 'ada', name: 'Ada' } };
    const replies = await inParallel(5, () => client.post(path, body));
    const [card] = replies.map((reply) => reply.body);
    await client.post(path, body);
    await client.post(path, { holder: { identifier: 'ada' } });
    await client.post(path, { barcode: card.barcode });
    const events = await issuedOf(client);
    assert.equal(events.length, 1);
    const [event] = events;
    assert.deepEqual(event?.data, card);
    assert.deepEqual(event?.previous, {});
    assert.deepEqual([event?.passId, event?.instanceId], [passId, card.instanceId]);
    assert.match(event?.actor, /^key_/);
    assert.ok(replies.some(({ headers }) => headers.get('x-request-id') === event?.requestId));
    assert.deepEqual(await auditOf(passId), [{ action: 'issueInstance', target: card.instanceId }]);
  });

  it('by a batch, an import and an order', async () => {
    const { client } = await app.newWorkspace();
    const {
      pass: { passId },
    } = await makeProgram(client, {
      mode: 'POINTS',
      reward: { title: 'Tea', cost: 5 },
      earn: { perOrder: 1 },
    });
    const path = `/passes/${passId}/instances`;
    const instances = [{ externalRef: 'b1' }, { barcode: 'x'.repeat(300) }, { externalRef: 'b1' }, {}];
    const { results } = (await client.post(`${path}/batch`, { instances })).body;
    const imported = (await client.post(`${path}/import`, { instances: [{ barcode: 'OLD-1', balance: 7 }] }))
      .body.results[0].instance;
    const order = {
      passId,
      orderId: 'o1',
      customer: { id: 'ada' },
      total: { amount: '10.00', currency: 'EUR' },
    };
    const ordered = (await client.post('/orders/process', order)).body.instanceId;
    await client.post('/orders/process', order);
    const expected = [
      results[0].instance.instanceId,
      results[3].instance.instanceId,
      imported.instanceId,
      ordered,
    ];
    const events = await issuedOf(client);
    assert.deepEqual(new Set(events.map(({ instanceId }) => instanceId)), new Set(expected));
    assert.equal(events.length, 4);
    assert.deepEqual(events.find(({ instanceId }) => instanceId === imported.instanceId)?.data, imported);
    assert.equal(imported.loyalty.balance, 7);
    const actions = Map.groupBy(await auditOf(passId), ({ action }) => action);
    assert.deepEqual(Object.fromEntries([...actions].map(([action, lines]) => [action, lines.length])), {
      issueBatch: 2,
      importInstances: 1,
      issueInstance: 1,
    });
  });
});

describe('a card shows', () => {
  it('the reference of its issue, when a wallet took it first, and the outcome of its last push', async () => {
    const { client } = await app.newWorkspace();
    const { passId } = await makePass(client);
    const card = await makeCard(client, passId, { externalRef: 'signup-9' });
    assert.deepEqual([card.externalRef, card.installedAt, card.lastPush], ['signup-9', null, null]);
    assert.equal((await makeCard(client, passId)).externalRef, null);
    const shown = async () => (await client.get(`/instances/${card.instanceId}`)).body;
    const device = new Device(app);
    const held = await takeCard(app, card);
    await device.register(held);
    const { installedAt } = await shown();
    assert.ok(Math.abs(Date.parse(installedAt) - Date.parse(card.createdAt)) < 60_000);
    // What is delivered, skipped or given up is on the timeline of the card, in the words of former versions too.
    const kinds = { 'push.failed': 'failed', 'push skipped': 'skipped', 'push.delivered': 'delivered' };
    for (const [place, [kind, result]] of Object.entries(kinds).entries()) {
      await app.sql(
        `insert into instance_events (workspace_id, instance_id, event_id, kind, created_at)
         select workspace_id, instance_id, $2::uuid, $3, '2099-01-01' from instances where instance_id = $1`,
        [decodeId('inst', card.instanceId), `ffff000${place}-0000-7000-8000-000000000000`, kind],
      );
      assert.deepEqual((await shown()).lastPush, { at: '2099-01-01T00:00:00.000Z', result });
    }
    await device.unregister(held);
    await device.register(held);
    assert.equal((await shown()).installedAt, installedAt);
  });
});
