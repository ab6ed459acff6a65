import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Client } from '../../../test/client.ts';
import { startTestApp } from '../../../test/harness.ts';
import { assertInvariants } from '../../../test/invariants.ts';
import { Device, type LockedCard, takeNewCards } from './device.fixture.ts';
import { forgetDevice } from './unregister-device.ts';

const app = await startTestApp({ WORKERS: 'off' });
const ctx = { app: app.running.app, requestId: 'test' };
const clients: Client[] = [];
let device: Device;
let one: LockedCard;
let other: LockedCard;
before(async () => {
  for (let n = 0; n < 2; n++) clients.push((await app.newWorkspace('pro', 1_000)).client);
});
beforeEach(async () => {
  [one] = await takeNewCards(app, clients[0] as Client, 1);
  [other] = await takeNewCards(app, clients[1] as Client, 1);
  device = new Device(app);
});
let value = 0;
async function change(held: LockedCard): Promise<void> {
  const client = clients[held === one ? 0 : 1] as Client;
  const fields = { tier: `Level ${++value}` };
  assert.equal((await client.patch(`/instances/${held.instanceId}/fields`, { fields })).body.pushed, true);
}

interface Row {
  readonly workspace_id: string;
  readonly device_id: string;
  readonly push_token: string;
}
const rows = () =>
  app.sql<Row>(
    `select d.* from apple_device_workspaces w
     join apple_devices d using (device_library_identifier, pass_type_identifier)
     where device_library_identifier = $1 order by array_position(w.workspace_ids, d.workspace_id)`,
    [device.id],
  );

describe('a device with cards of two workspaces', () => {
  it('hears of the changes of both, each once, also when the clock steps back', async () => {
    await device.register(one);
    await device.register(other);
    let tag = (await device.list()).body.lastUpdated;
    assert.match(tag, /^\d+\.\d+$/);
    try {
      for (const held of [one, other, other, one, one]) {
        app.advance(-60_000);
        await change(held);
        const { body } = await device.list(tag);
        assert.deepEqual(body.serialNumbers, [held.serialNumber]);
        tag = body.lastUpdated;
        assert.equal((await device.list(tag)).status, 204);
      }
    } finally {
      app.advance(5 * 60_000);
    }
  });

  it('may know the number of the first one only, and misses nothing', async () => {
    await device.register(one);
    const tag = (await device.list()).body.lastUpdated;
    await device.register(other);
    assert.equal((await device.list(tag)).status, 204);
    await change(other);
    const { body } = await device.list(tag);
    assert.deepEqual(body.serialNumbers, [other.serialNumber]);
    assert.equal((await device.list(body.lastUpdated)).status, 204);
  });

  it('keeps the place of a workspace while the other comes and goes', async () => {
    await device.register(one);
    await device.register(other);
    await device.unregister(one);
    await change(other);
    const { serialNumbers, lastUpdated } = (await device.list()).body;
    assert.deepEqual(serialNumbers, [other.serialNumber]);
    assert.match(lastUpdated, /^1-\d+$/);
    await device.register(one);
    assert.equal((await device.list(lastUpdated)).status, 204);
    await device.unregister(one);
    await device.unregister(other);
    assert.deepEqual(await rows(), []);
  });

  it('is pushed to with the token that it sent for a card of either', async () => {
    await device.register(one);
    await device.register(other);
    device.pushToken = 'ab'.repeat(32);
    await device.register(one);
    assert.deepEqual(
      (await rows()).map(({ push_token }) => push_token),
      [device.pushToken, device.pushToken],
    );
  });

  it('is forgotten by the one whose push says that it is gone', async () => {
    await device.register(one);
    await device.register(other);
    const [row] = await rows();
    assert.ok(row !== undefined);
    const { workspace_id: workspaceId, device_id: deviceId } = row;
    const gone = { reason: 'Unregistered', at: app.running.app.now() };
    await forgetDevice(ctx, { workspaceId, deviceId }, gone);
    assert.deepEqual((await device.list()).body.serialNumbers, [other.serialNumber]);
  });

  it('has both when it registers for them at once, or comes and goes', async () => {
    for (let turn = 0; turn < 10; turn++) {
      const replies = await Promise.all([device.register(one), device.register(other)]);
      assert.deepEqual(
        replies.map(({ status }) => status),
        [201, 201],
      );
      assert.equal((await device.list()).body.serialNumbers.length, 2);
      await Promise.all([device.unregister(one), device.register(other)]);
      assert.deepEqual((await device.list()).body.serialNumbers, [other.serialNumber]);
      await device.unregister(other);
      assert.equal((await device.list()).status, 204);
    }
  });

  after(() => assertInvariants(app.sql));
});
