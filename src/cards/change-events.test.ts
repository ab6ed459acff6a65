import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, describe, it } from 'node:test';
import type { Client, Json } from '../../test/client.ts';
import { eventsOf } from '../../test/events.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { until } from '../../test/wallets.ts';
import { Device, takeCard } from '../delivery/apple/device.fixture.ts';

const app = await startTestApp();
let client: Client;
let keyId: string;
let pass: Json;
let card: Json;
let path: string;
before(async () => {
  ({ client } = await app.newWorkspace());
  keyId = (await client.get('/me')).body.keyId;
  pass = await makePass(client);
});
beforeEach(async () => {
  card = await makeCard(client, pass.passId, {
    holder: { identifier: `ada-${Math.random()}`, name: 'Ada' },
    fields: { tier: 'Silver' },
  });
  path = `/instances/${card.instanceId}`;
});

const shown = async (): Promise<Json> => (await client.get(path)).body;
/** The events of the card, except that it was issued. */
const eventsOfCard = async (): Promise<Json[]> =>
  (await eventsOf(client, `instanceId=${card.instanceId}`)).filter(
    ({ type }) => type.startsWith('instance.') && type !== 'instance.issued',
  );
/** The lines of the audit log about the card, but that of its issue. */
const audited = async (): Promise<Json[]> =>
  app.sql(
    `select action, actor, detail from audit_log where target = $1 and action <> 'issueInstance' order by audit_id`,
    [card.instanceId],
  );

/** Makes a change; returns its one event. */
async function eventOf(change: () => Promise<unknown>): Promise<Json> {
  const earlier = (await eventsOfCard()).length;
  await change();
  const events = (await eventsOfCard()).slice(earlier);
  assert.equal(events.length, 1, JSON.stringify(events));
  return events[0];
}

/** Fails unless an event has what the API shows, and its former values. */
async function assertEmits(event: Json, type: string, previous: Json, actor = keyId): Promise<void> {
  const data = await shown();
  for (const moment of ['installedAt', 'lastPush']) {
    delete event.data[moment];
    delete data[moment];
    delete event.previous[moment];
  }
  assert.deepEqual([event.type, event.data, event.previous, event.actor], [type, data, previous, actor]);
  assert.equal(event.passId, pass.passId);
}

describe('changes of a card are in the event log and the audit log', () => {
  it('of its fields', async () => {
    const change = () => client.patch(`${path}/fields`, { fields: { tier: 'Gold' } });
    await assertEmits(await eventOf(change), 'instance.updated', { fields: card.fields });
    await change();
    await client.patch(`${path}/fields`, { fields: { nope: 'x' } });
    assert.equal((await eventsOfCard()).length, 1, 'nothing of what changes nothing');
    const detail = { changed: ['tier'] };
    assert.deepEqual(await audited(), [{ action: 'updateFields', actor: keyId, detail }]);
  });

  it('of its fields, once for a call that is repeated', async () => {
    const body = { fields: { tier: 'Gold' }, externalRef: card.instanceId };
    await eventOf(async () => {
      for (let turn = 0; turn < 3; turn++) await client.patch(`${path}/fields`, body);
    });
    assert.equal((await audited()).length, 1);
  });

  it('of holder, expiry, metadata and fields together', async () => {
    const changes = {
      holder: { name: 'Ada Lovelace' },
      expiresAt: '2099-01-01T00:00:00.000Z',
      metadata: { seat: 4 },
      fields: { tier: 'Gold' },
    };
    const { holder, expiresAt, metadata, fields } = card;
    const event = await eventOf(() => client.patch(path, changes));
    await assertEmits(event, 'instance.updated', { holder, expiresAt, metadata, fields });
    await client.patch(path, changes);
    assert.equal((await eventsOfCard()).length, 1, 'nothing of what changes nothing');
    const [line, ...more] = await audited();
    assert.deepEqual(more, []);
    assert.equal(line.action, 'updateInstance');
    assert.deepEqual(line.detail.changed, ['holder', 'expiresAt', 'metadata', 'tier']);
    assert.deepEqual(line.detail.after, { expiresAt: changes.expiresAt });
    assert.ok(!JSON.stringify(line).includes('Lovelace'));
  });

  it('of being voided and made valid again', async () => {
    const voided = await eventOf(() => client.post(`${path}/void`, { reason: 'lost' }));
    const before = { status: 'active', voidedAt: null, voidReason: null };
    await assertEmits(voided, 'instance.voided', before);
    await client.post(`${path}/void`);
    const { status, voidedAt, voidReason } = await shown();
    const active = await eventOf(() => client.post(`${path}/reactivate`));
    await assertEmits(active, 'instance.reactivated', { status, voidedAt, voidReason });
    await client.post(`${path}/reactivate`);
    assert.equal((await eventsOfCard()).length, 2, 'nothing of what changes nothing');
    const statuses = (from: string, to: string) => ({ before: { status: from }, after: { status: to } });
    assert.deepEqual(await audited(), [
      { action: 'voidInstance', actor: keyId, detail: statuses('active', 'voided') },
      { action: 'reactivateInstance', actor: keyId, detail: statuses('voided', 'active') },
    ]);
  });

  it('of each card of a batch', async () => {
    const { instanceId } = card;
    await client.post('/instances/fields/batch', {
      updates: [
        { instanceId, fields: { tier: 'Gold' } },
        { instanceId, fields: { tier: 'Iron' } },
        { instanceId, fields: { tier: 'Iron' } },
      ],
    });
    await client.post('/instances/void/batch', { voids: [{ instanceId }, { instanceId }] });
    const events = await eventsOfCard();
    assert.deepEqual(
      events.map(({ type, previous, data }) => [type, previous.fields?.tier ?? null, data.fields.tier]),
      [
        ['instance.updated', 'Silver', 'Gold'],
        ['instance.updated', 'Gold', 'Iron'],
        ['instance.voided', null, 'Iron'],
      ],
    );
    assert.equal((await audited()).length, 3);
  });

  it('of being erased, without the person', async () => {
    await client.patch(path, { metadata: { home: 'Agora' } });
    const erased = await eventOf(() => client.delete(path));
    await assertEmits(erased, 'instance.erased', { status: 'active', voidedAt: null });
    await client.delete(path);
    const events = await eventsOfCard();
    assert.deepEqual(
      events.map(({ type }) => type),
      ['instance.updated', 'instance.erased'],
    );
    assert.ok(!/Ada|Agora|Silver/.test(JSON.stringify(events)));
    const detail = { before: { status: 'active' }, after: { status: 'voided' } };
    assert.deepEqual((await audited()).at(-1), { action: 'eraseInstance', actor: keyId, detail });
  });

  it('of a browser that adds it, and gives it up', async () => {
    const viewer = randomUUID();
    const installation = `${card.links.card}/installation`;
    const none = { apple: 0, google: 0, web: 0 };
    const installed = await eventOf(() => app.anyone.post(installation, { viewer, installed: true }));
    await assertEmits(installed, 'instance.installed', { wallets: none }, 'holder');
    assert.deepEqual(installed.data.wallets, { ...none, web: 1 });
    await app.anyone.delete(`${installation}?viewer=${viewer}`);
    app.advance(61_000);
    await until('its removal', async () => (await eventsOfCard()).length === 2);
    const [, removed] = await eventsOfCard();
    assert.deepEqual([removed?.type, removed?.previous.wallets], ['instance.removed', { ...none, web: 1 }]);
  });

  it('of a phone that adds it, and deletes it', async () => {
    const held = await takeCard(app, card);
    const phone = new Device(app);
    const none = { apple: 0, google: 0, web: 0 };
    const installed = await eventOf(() => phone.register(held));
    await assertEmits(installed, 'instance.installed', { wallets: none }, 'holder');
    await phone.register(held);
    const removed = await eventOf(() => phone.unregister(held));
    await assertEmits(removed, 'instance.removed', { wallets: { ...none, apple: 1 } }, 'holder');
  });
});
