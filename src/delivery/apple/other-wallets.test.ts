import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../../test/client.ts';
import { makeCard, makePass } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { assertInvariants } from '../../../test/invariants.ts';
import { Phones, startDevelopmentApns, until } from '../../../test/wallets.ts';
import { Device, takeCard } from './device.fixture.ts';

const apns = await startDevelopmentApns();
const app = await startTestApp({ APNS_URL: apns.url });
const phones = new Phones(app, apns);
/** As Firebase hands them out. */
const firebase = `dK3vR2_x-Q0:APA91b${'Zx9_-'.repeat(27)}`;

let client: Client;
let card: Json;
beforeEach(async () => {
  ({ client } = await app.newWorkspace());
  card = await makeCard(client, (await makePass(client)).passId);
});

const tier = (value: string) =>
  client.patch(`/instances/${card.instanceId}/fields`, { fields: { tier: value } });
const shown = async () => (await client.get(`/instances/${card.instanceId}`)).body;
const settled = () => until('all is settled', async () => (await client.get('/credits')).body.reserved === 0);

describe('a wallet on Android that speaks the protocol of Apple', () => {
  for (const scheme of ['WalletUnionPass', 'WalletUnionHMSPass', 'WalletPass', 'AndroidPass', 'ApplePass'])
    it(`holds the card, asks for changes and gives it back: ${scheme}`, async () => {
      const phone = await phones.add([card], { scheme, pushToken: firebase });
      assert.deepEqual((await shown()).wallets, { apple: 1, google: 0, web: 0 });
      assert.equal((await tier('Gold')).status, 200);
      await settled();
      await phone.poll();
      assert.equal(phone.shows('tier'), 'Gold');
      assert.deepEqual(phone.complaints, []);
      // Nothing is paid for: the credit came back, and nothing waits.
      assert.equal((await client.get('/credits')).body.balance, 100);
      assert.deepEqual(await app.sql('select 1 from apple_devices where due_at is not null'), []);
      assert.equal(apns.deliveriesTo(firebase), 0);
      const findings = (await client.get(`/instances/${card.instanceId}/diagnosis`)).body;
      assert.ok(JSON.stringify(findings).includes('device_asks'), JSON.stringify(findings));
      await phone.remove();
      assert.deepEqual(phone.complaints, []);
      assert.deepEqual((await shown()).wallets, { apple: 0, google: 0, web: 0 });
      await assertInvariants(app.sql);
    });

  it('does not keep a phone of Apple with the same card from its push, nor from paying for it', async () => {
    const android = await phones.add([card], { scheme: 'WalletUnionPass', pushToken: firebase });
    const iphone = await phones.add([card]);
    assert.equal((await shown()).wallets.apple, 2);
    await tier('Gold');
    await until('the push has come', () => iphone.shows('tier') === 'Gold');
    await settled();
    assert.equal((await client.get('/credits')).body.balance, 99);
    await until('its push is settled', async () => (await shown()).lastPush !== null);
    assert.equal((await shown()).lastPush.result, 'delivered');
    await android.poll();
    assert.equal(android.shows('tier'), 'Gold');
  });

  it('is never pushed to, even where its token looks like one of Apple', async () => {
    const pushToken = 'ab'.repeat(32);
    await phones.add([card], { scheme: 'WalletUnionPass', pushToken });
    await tier('Gold');
    await settled();
    assert.equal(apns.deliveriesTo(pushToken), 0);
    assert.equal((await shown()).wallets.apple, 1);
  });
});

describe('a registration', () => {
  it('has a token and a scheme within bounds', async () => {
    const held = await takeCard(app, card);
    const device = new Device(app);
    const path = `/apple/v1/devices/${device.id}/registrations/${app.running.app.apple.passTypeIdentifier}/${held.serialNumber}`;
    const send = (pushToken: unknown, scheme = 'WalletUnionPass') =>
      app.anyone.post(path, { pushToken }, { headers: { authorization: `${scheme} ${held.token}` } });
    for (const token of [
      'a:b',
      'x'.repeat(1_025),
      `${firebase} `,
      `${firebase}\n`,
      `${firebase}<b>`,
      `${firebase}é`,
    ])
      assertRefused(await send(token), 'invalid_request', /pushToken/);
    for (const scheme of [
      'Bearer',
      'Basic',
      'Pass',
      'WalletUnion',
      `${'x'.repeat(33)}Pass`,
      'Wallet Union Pass',
    ])
      assertRefused(await send(firebase, scheme), 'invalid_pass_token');
    assert.equal((await shown()).wallets.apple, 0);
    assert.equal((await send('x'.repeat(1_024))).status, 201);
    assert.equal((await send(firebase)).status, 200);
  });

  it('counts against the limits of its card', async () => {
    const held = await takeCard(app, card);
    const replies = [];
    for (let n = 0; n <= 100; n++) {
      const device = new Device(app);
      const path = `/apple/v1/devices/${device.id}/registrations/${app.running.app.apple.passTypeIdentifier}/${held.serialNumber}`;
      const headers = { authorization: `WalletUnionPass ${held.token}` };
      replies.push(await app.anyone.post(path, { pushToken: `${firebase}${n}` }, { headers }));
    }
    assert.deepEqual(
      replies.map(({ status }) => status),
      [...Array(100).fill(201), 429],
    );
  });
});
