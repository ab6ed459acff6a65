import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Client, Json, Reply } from '../../../test/client.ts';
import { inParallel, makeCard, makePass, tally } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { assertInvariants } from '../../../test/invariants.ts';
import { decodeId } from '../../kit/ids.ts';
import { Device, deviceRow, type LockedCard, takeCard, takeNewCards } from './device.fixture.ts';

/** Devices and changes that meet, on two processes of the service. */
const app = await startTestApp({ WORKERS: 'off' });
const twin = (await app.twin()).as(null);
let client: Client;
let card: LockedCard;
before(async () => {
  ({ client } = await app.newWorkspace('pro', 10_000));
});
beforeEach(async () => {
  [card] = await takeNewCards(app, client, 1);
});

const statuses = (replies: readonly Reply[]) => tally(replies.map(({ status }) => status));
const walletsOf = async ({ instanceId }: LockedCard) =>
  (await client.get(`/instances/${instanceId}`)).body.wallets.apple;
/** The same device at both processes. */
function onBoth(): [Device, Device] {
  const one = new Device(app);
  const other = new Device(app, twin);
  return [one, Object.assign(other, { id: one.id, pushToken: one.pushToken })];
}

describe('devices that meet', () => {
  it('registers one device once, however often it asks at once', async () => {
    const devices = onBoth();
    const replies = await inParallel(50, (at) => (devices[at % 2] as Device).register(card));
    assert.deepEqual(statuses(replies), { 200: 49, 201: 1 });
    assert.equal(await walletsOf(card), 1);
    const events: Json[] = (await client.get(`/instances/${card.instanceId}/timeline`)).body.data;
    assert.equal(events.filter(({ kind }) => kind === 'instance.installed').length, 1);
  });

  it('registers fifty devices for one card', async () => {
    const replies = await inParallel(50, (at) =>
      new Device(app, at % 2 === 0 ? twin : app.anyone).register(card),
    );
    assert.deepEqual(statuses(replies), { 201: 50 });
    assert.equal(await walletsOf(card), 50);
  });

  it('registers one device for fifty cards', async () => {
    const { passId } = await makePass(client);
    const cards = await inParallel(50, async () => takeCard(app, await makeCard(client, passId)));
    const devices = onBoth();
    const register = (at: number) => (devices[at % 2] as Device).register(cards[at] as LockedCard);
    assert.deepEqual(statuses(await inParallel(50, register)), { 201: 50 });
    assert.equal((await devices[0].list()).body.serialNumbers.length, 50);
    const { installed } = (await client.get(`/passes/${passId}`)).body.counts;
    assert.equal(installed, 50);
    const unregister = (at: number) => (devices[at % 2] as Device).unregister(cards[at] as LockedCard);
    assert.deepEqual(statuses(await inParallel(50, unregister)), { 200: 50 });
    assert.equal(await deviceRow(app, devices[0]), undefined);
  });

  it('counts right when a device comes and goes at once', async () => {
    const [other] = await takeNewCards(app, client, 1);
    const [one, two] = onBoth();
    for (let turn = 0; turn < 20; turn++) {
      const replies = await Promise.all([
        one.register(card),
        two.unregister(card),
        one.register(other),
        two.unregister(other),
        two.register(card),
      ]);
      assert.deepEqual(
        replies.filter(({ status }) => status > 201).map(({ text }) => text),
        [],
      );
      const held = (await walletsOf(card)) + (await walletsOf(other));
      const { status, body } = await one.list();
      assert.equal(status === 204 ? 0 : body.serialNumbers.length, held);
    }
  });

  it('notifies every device of a change that meets its registration', async () => {
    for (let turn = 0; turn < 20; turn++) {
      const held = await takeCard(app, await makeCard(client, await passOf(card)));
      const device = new Device(app);
      const fields = { tier: `Level ${turn}` };
      const [registered, changed] = await Promise.all([
        device.register(held),
        client.patch(`/instances/${held.instanceId}/fields`, { fields }),
      ]);
      assert.deepEqual([registered.status, changed.status], [201, 200]);
      const row = await deviceRow(app, device);
      assert.ok(row?.due_at !== null, 'no push to the device is due');
      assert.equal((await device.list(String(Number(row?.tag) - 1))).status, 200);
    }
  });
});

describe('too many of them', () => {
  it('are refused: a card that is on 100 devices takes no other', async () => {
    await app.sql(
      `with devices as (
        insert into apple_devices
          (workspace_id, device_id, device_library_identifier, pass_type_identifier, push_token, registered_at, tag, push_from)
        select workspace_id, gen_random_uuid(), gen_random_uuid(), 'pass.test', 'aa', now(), 1, now()
        from instances cross join generate_series(1, 99) where authentication_token = $1
        returning device_id, workspace_id, device_library_identifier
      ), named as (
        insert into apple_device_workspaces (device_library_identifier, pass_type_identifier, workspace_ids)
        select device_library_identifier, 'pass.test', array[workspace_id] from devices
      ), card as (
        update instances set apple_wallets = 99, installed = true where authentication_token = $1
        returning workspace_id, instance_id, pass_id
      ), counted as (
        update pass_counters c set installed = c.installed + 1
        from card where c.pass_id = card.pass_id and c.issued > 0
      )
      insert into apple_registrations (workspace_id, instance_id, device_id, created_at)
      select card.workspace_id, instance_id, device_id, now() from card, devices`,
      [card.token],
    );
    const devices = Array.from({ length: 5 }, () => new Device(app));
    const replies = await Promise.all(devices.map((device) => device.register(card)));
    assert.deepEqual(statuses(replies), { 201: 1, 429: 4 });
    assert.equal(await walletsOf(card), 100);
    const kept = devices.find((_, at) => replies[at]?.status === 201) as Device;
    assert.equal((await kept.register(card)).status, 200, 'who has it may come again');
    for (const device of devices) assert.equal((await deviceRow(app, device)) === undefined, device !== kept);
    await assertInvariants(app.sql);
  });

  it('are refused: a device with 1,000 cards takes no other', async () => {
    const device = new Device(app);
    await device.register(card);
    const deviceId = (await deviceRow(app, device))?.device_id;
    const { passId } = await makePass(client);
    const issue = () => ({ fields: {} });
    const instances = Array.from({ length: 999 }, issue);
    await client.post(`/passes/${passId}/instances/batch`, { instances });
    await app.sql(
      `with cards as (
        update instances set apple_wallets = 1, installed = true where pass_id = $1
        returning workspace_id, instance_id
      ), counted as (
        update pass_counters set installed = issued where pass_id = $1
      )
      insert into apple_registrations (workspace_id, instance_id, device_id, created_at)
      select workspace_id, instance_id, $2, now() from cards`,
      [decodeId('pass', passId), deviceId],
    );
    const [another] = await takeNewCards(app, client, 1);
    assert.equal((await device.register(another)).status, 429);
    assert.equal((await device.list()).body.serialNumbers.length, 1_000);
    await assertInvariants(app.sql);
  });
});

describe('everything at once', () => {
  it('answers without a failure, and leaves every count true', async () => {
    const passId = await passOf(card);
    const cards = await inParallel(8, async () => takeCard(app, await makeCard(client, passId)));
    const devices = Array.from({ length: 4 }, onBoth).flat();
    const failures: string[] = [];
    const until = Date.now() + 4_000;
    await inParallel(16, async () => {
      while (Date.now() < until) {
        const reply = await anything(cards[random(8)] as LockedCard, devices[random(8)] as Device, passId);
        if (reply.status >= 400) failures.push(reply.text);
      }
    });
    assert.deepEqual(failures, []);
    const deadlocks = 'select deadlocks from pg_stat_database where datname = current_database()';
    assert.deepEqual(await app.sql(deadlocks), [{ deadlocks: '0' }]);
  });

  after(() => assertInvariants(app.sql));
});

/** One request of those that touch cards, devices, pushes and credits. */
function anything(held: LockedCard, device: Device, passId: string): Promise<Reply> {
  const path = `/instances/${held.instanceId}`;
  const requests = [
    () => device.register(held),
    () => device.register(held),
    () => device.unregister(held),
    () => device.list(),
    () => device.fetch(held),
    () => client.post(`${path}/void`),
    () => client.post(`${path}/reactivate`),
    () => client.patch(path, { expiresAt: new Date(Date.now() + random(1_000_000_000)).toISOString() }),
    () => client.patch(`/passes/${passId}`, { details: `d${random(3)}` }),
  ];
  return (requests[random(requests.length)] ?? requests[0])?.() as Promise<Reply>;
}

function random(below: number): number {
  return Math.floor(Math.random() * below);
}

async function passOf({ instanceId }: LockedCard): Promise<string> {
  return (await client.get(`/instances/${instanceId}`)).body.passId;
}
