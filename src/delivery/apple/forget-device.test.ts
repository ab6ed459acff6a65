import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Client, Json } from '../../../test/client.ts';
import { inParallel } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { assertInvariants } from '../../../test/invariants.ts';
import { Device, deviceRow, type LockedCard, takeNewCards } from './device.fixture.ts';
import { forgetDevice } from './unregister-device.ts';

const app = await startTestApp({ WORKERS: 'off' });
const ctx = { app: app.running.app, requestId: 'test' };
let client: Client;
let cards: readonly [LockedCard, ...LockedCard[]];
let device: Device;
before(async () => {
  ({ client } = await app.newWorkspace('pro', 1_000));
});
beforeEach(async () => {
  cards = await takeNewCards(app, client, 3);
  device = new Device(app);
  for (const card of cards) await device.register(card);
});

async function forget(gone: { reason: string; at: Date }, of = device): Promise<void> {
  await forgetDevice(ctx, await known(of), gone);
}

async function known(of: Device) {
  const row = await deviceRow(app, of);
  return { workspaceId: row?.workspace_id ?? '', deviceId: row?.device_id ?? '' };
}

const timeline = async ({ instanceId }: LockedCard) =>
  (await client.get(`/instances/${instanceId}/timeline`)).body.data as Json[];
const walletsOf = async ({ instanceId }: LockedCard) =>
  (await client.get(`/instances/${instanceId}`)).body.wallets.apple;
const ago = (ms: number) => new Date(app.running.app.now().getTime() - ms);
const change = ({ instanceId }: LockedCard, tier: string) =>
  client.patch(`/instances/${instanceId}/fields`, { fields: { tier } });

describe('a device whose push token is gone (bug 6)', () => {
  it('loses its cards, and their timelines say why', async () => {
    const before = (await client.get('/credits')).body;
    await change(cards[0], 'Gold');
    await forget({ reason: 'Unregistered', at: ago(0) });
    assert.equal(await deviceRow(app, device), undefined);
    for (const card of cards) {
      assert.equal(await walletsOf(card), 0);
      const removed = (await timeline(card)).find(({ kind }) => kind === 'instance.removed');
      assert.deepEqual([removed.wallet, removed.reason], ['apple', 'Unregistered']);
    }
    const failed = (await timeline(cards[0])).find(({ kind }) => kind === 'push.failed');
    assert.deepEqual([failed.wallet, failed.reason], ['apple', 'Unregistered']);
    const { balance, reserved } = (await client.get('/credits')).body;
    assert.deepEqual([balance, reserved], [before.balance, before.reserved], 'the credit came back');
    assert.equal((await device.register(cards[0])).status, 201, 'and it may come again');
  });

  it('keeps them when it has sent a token since', async () => {
    await forget({ reason: 'Unregistered', at: ago(60_000) });
    assert.equal((await device.list()).body.serialNumbers.length, 3);
    app.advance(60_000);
    const gone = { reason: 'ExpiredToken', at: ago(1_000) };
    device.pushToken = 'ab'.repeat(32);
    await device.register(cards[0]);
    await forget(gone);
    assert.equal((await device.list()).body.serialNumbers.length, 3);
    app.advance(-60_000);
  });

  it('leaves those of other devices alone, and their pushes', async () => {
    const other = new Device(app);
    await other.register(cards[0]);
    await change(cards[0], 'Gold');
    await forget({ reason: 'Unregistered', at: ago(0) });
    assert.equal(await walletsOf(cards[0]), 1);
    assert.deepEqual((await other.list()).body.serialNumbers, [cards[0].serialNumber]);
    assert.ok((await timeline(cards[0])).every(({ kind }) => kind !== 'push.failed'));
  });

  it('loses all or keeps what it registers at the same time, and every count stays right', async () => {
    for (let turn = 0; turn < 10; turn++) {
      const gone = { reason: 'Unregistered', at: app.running.app.now() };
      const row = await known(device);
      await inParallel<unknown>(6, (at) => {
        if (at < 2) return forgetDevice(ctx, row, gone);
        if (at === 2) return device.unregister(cards[1] as LockedCard);
        return device.register(cards[at % 3] as LockedCard);
      });
      for (const card of cards) await device.register(card);
      assert.equal((await device.list()).body.serialNumbers.length, 3);
      await assertInvariants(app.sql);
    }
  });

  after(() => assertInvariants(app.sql));
});
