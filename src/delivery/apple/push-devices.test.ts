import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Json } from '../../../test/client.ts';
import { inParallel, makeCard, makePass } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { assertInvariants } from '../../../test/invariants.ts';
import { Phones, startDevelopmentApns, until } from '../../../test/wallets.ts';
import { decodeId } from '../../kit/ids.ts';
import { pushDevices } from './push-devices.job.ts';

const apns = await startDevelopmentApns();
const app = await startTestApp({ APNS_URL: apns.url });
const phones = new Phones(app, apns);

let workspaceId: string;
let client: Client;
let pass: Json;
beforeEach(async () => {
  apns.unscript();
  ({ workspaceId, client } = await app.newWorkspace());
  pass = await makePass(client);
});

const card = (): Promise<Json> => makeCard(client, pass.passId);
const tier = ({ instanceId }: Json, value: string) =>
  client.patch(`/instances/${instanceId}/fields`, { fields: { tier: value } });
const credits = async (): Promise<Json> => (await client.get('/credits')).body;
const settled = () => until('all is settled', async () => (await credits()).reserved === 0);
const wallets = async ({ instanceId }: Json): Promise<Json> =>
  (await client.get(`/instances/${instanceId}`)).body.wallets;
const gauge = async (name: string): Promise<number> => {
  const { text } = await app.anyone.get('/metrics');
  const line = text.split('\n').find((each) => each.startsWith(name));
  return Number(line?.split(' ').at(-1) ?? 0);
};
const mostAttempts = async (): Promise<number> => {
  const [row] = await app.sql<{ attempts: number }>('select max(attempts) as attempts from apple_devices');
  return row?.attempts ?? 0;
};
const failures = async ({ instanceId }: Json): Promise<Json[]> => {
  const { body } = await client.get(`/instances/${instanceId}/timeline`);
  return body.data.filter(({ kind }: Json) => kind === 'push.failed' || kind === 'instance.removed');
};

describe('a device that Apple no longer knows', () => {
  for (const [reason, status] of [
    ['Unregistered', 410],
    ['ExpiredToken', 410],
    ['BadDeviceToken', 400],
  ] as const) {
    it(`loses its registrations on ${reason}, and the credit comes back once`, async () => {
      const held = await card();
      const phone = await phones.add([held]);
      apns.script({ status, reason, ...(status === 410 && { timestamp: new Date(Date.now() + 60_000) }) });
      await tier(held, 'Gold');
      await until('the registration is gone', async () => (await wallets(held)).apple === 0);
      await settled();
      assert.deepEqual(await credits(), { balance: 100, reserved: 0, spent: 0 });
      assert.deepEqual((await failures(held)).map(({ kind, reason }: Json) => [kind, reason]).sort(), [
        ['instance.removed', reason],
        ['push.failed', reason],
      ]);
      assert.equal((await tier(held, 'Iron')).body.pushSkipReason, 'not_installed');
      assert.equal(phone.shows('tier'), 'Bronze');
      await assertInvariants(app.sql);
    });
  }

  it('keeps a registration that is newer than the answer', async () => {
    const held = await card();
    const phone = await phones.add([held]);
    apns.script(
      { status: 410, reason: 'Unregistered', timestamp: new Date(Date.now() - 60_000) },
      { token: phone.pushToken, times: 1 },
    );
    await tier(held, 'Gold');
    await until('the phone shows it', () => phone.shows('tier') === 'Gold');
    assert.equal((await wallets(held)).apple, 1);
    await settled();
    assert.equal((await credits()).spent, 1);
  });

  for (const [reason, status] of [
    ['BadDeviceToken', 400],
    ['PayloadTooLarge', 413],
  ] as const) {
    it(`keeps a device that sends another token while the old one is refused: ${reason}`, async () => {
      const held = await card();
      const phone = await phones.add([held]);
      apns.script({ status, reason, delayMs: 6_000 }, { token: phone.pushToken });
      const before = apns.pushes;
      await tier(held, 'Gold');
      await until('the push is under way', () => apns.pushes > before);
      await phone.changePushToken();
      await until('the new token is pushed to', () => apns.deliveriesTo(phone.pushToken) > 0);
      assert.equal((await wallets(held)).apple, 1);
      await settled();
      assert.equal((await credits()).spent, 1);
      await assertInvariants(app.sql);
    });
  }

  it('does not take the card from the other device that holds it', async () => {
    const held = await card();
    const lost = await phones.add([held]);
    const kept = await phones.add([held]);
    apns.script(
      { status: 410, reason: 'Unregistered', timestamp: new Date(Date.now() + 60_000) },
      { token: lost.pushToken },
    );
    await tier(held, 'Gold');
    await until('the other shows it', () => kept.shows('tier') === 'Gold');
    await until('one is left', async () => (await wallets(held)).apple === 1);
    await settled();
    assert.deepEqual(await credits(), { balance: 99, reserved: 0, spent: 1 });
    await assertInvariants(app.sql);
  });
});

describe('an answer that says that we are wrong', () => {
  for (const [reason, status] of [
    ['TopicDisallowed', 400],
    ['DeviceTokenNotForTopic', 400],
    ['BadCertificate', 403],
  ] as const) {
    it(`stops the pass type on ${reason} with an alarm; nothing is deleted, and it goes on by itself`, async () => {
      const held = await card();
      const phone = await phones.add([held]);
      await app.sql('update apple_devices set pushed_at = now()');
      apns.script({ status, reason });
      await tier(held, 'Gold');
      await until('the alarm is on', async () => (await gauge('wallet_stopped{wallet="apple"}')) === 1);
      const before = apns.pushes;
      await tier(held, 'Platinum');
      await sleep(1_200);
      assert.equal(apns.pushes, before, 'nothing is sent while it is stopped');
      assert.equal((await wallets(held)).apple, 1);
      assert.equal((await credits()).reserved, 2);
      assert.equal(await mostAttempts(), 0, 'the device is not to blame');
      apns.unscript();
      app.advance(16 * 60_000);
      await until('the phone shows the newest', () => phone.shows('tier') === 'Platinum');
      await until('the alarm is off', async () => (await gauge('wallet_stopped{wallet="apple"}')) === 0);
      await settled();
      assert.equal((await credits()).spent, 2);
      await assertInvariants(app.sql);
    });
  }

  it('is not believed of a token that was never good: a stranger stops no card', async () => {
    const [held, others] = [await card(), await card()];
    const [phone, other] = [await phones.add([held]), await phones.add([others])];
    apns.script({ status: 400, reason: 'DeviceTokenNotForTopic' }, { token: phone.pushToken });
    await tier(held, 'Gold');
    await until('it is given up', async () => (await failures(held)).length === 1);
    assert.equal(await gauge('wallet_stopped{wallet="apple"}'), 0);
    await tier(others, 'Gold');
    await until('the other phone shows it', () => other.shows('tier') === 'Gold');
    await settled();
    assert.deepEqual(await credits(), { balance: 99, reserved: 0, spent: 1 });
    await assertInvariants(app.sql);
  });

  it('gives up what Apple refuses, and the credit comes back', async () => {
    const held = await card();
    const phone = await phones.add([held]);
    apns.script({ status: 413, reason: 'PayloadTooLarge' }, { token: phone.pushToken, times: 1 });
    await tier(held, 'Gold');
    await until('it is given up', async () => (await failures(held)).length === 1);
    assert.deepEqual(await credits(), { balance: 100, reserved: 0, spent: 0 });
    assert.equal((await wallets(held)).apple, 1);
    await assertInvariants(app.sql);
  });
});

describe('an Apple that is busy or away', () => {
  for (const [reason, status] of [
    ['TooManyRequests', 429],
    ['ServiceUnavailable', 503],
    ['InternalServerError', 500],
  ] as const) {
    it(`is asked again after ${reason}`, async () => {
      const held = await card();
      const phone = await phones.add([held]);
      apns.script({ status, reason }, { token: phone.pushToken, times: 1 });
      await tier(held, 'Gold');
      await until('the attempt has failed', async () => (await mostAttempts()) > 0);
      assert.equal((await credits()).reserved, 1);
      app.advance(60 * 60_000);
      await until('the phone shows it', () => phone.shows('tier') === 'Gold');
      await settled();
      assert.deepEqual(phone.complaints, []);
    });
  }

  it('is asked again no sooner than it asks for', async () => {
    const held = await card();
    const phone = await phones.add([held]);
    const hourMs = 3_600_000;
    apns.script(
      { status: 503, reason: 'ServiceUnavailable', retryAfter: 3_600 },
      { token: phone.pushToken, times: 1 },
    );
    const before = app.running.app.now().getTime();
    await tier(held, 'Gold');
    await until('the attempt has failed', async () => (await mostAttempts()) > 0);
    const [row] = await app.sql<{ due: Date }>('select due_at as due from apple_devices where attempts > 0');
    assert.ok((row?.due.getTime() ?? 0) >= before + hourMs, 'it comes back too early');
    app.advance(2 * hourMs);
    await until('the phone shows it', () => phone.shows('tier') === 'Gold');
    await settled();
  });

  it('that answers slowly is not asked by another worker at the same time', async () => {
    const held = await card();
    const phone = await phones.add([held]);
    const before = apns.pushes;
    apns.script({ status: 200, delayMs: 2_000 }, { token: phone.pushToken, times: 1 });
    await tier(held, 'Gold');
    await until('the push is under way', () => apns.pushes === before + 1);
    app.advance(45_000);
    await pushDevices({ app: app.running.app, requestId: 'another' });
    await until('the phone shows it', () => phone.shows('tier') === 'Gold');
    await settled();
    assert.equal(apns.pushes, before + 1);
  });

  it('does not harm the API while it is a black hole; what waits is seen, and drains afterwards', async () => {
    const cards = await inParallel(20, () => card());
    const holders = await inParallel(20, (index) => phones.add([cards[index]]));
    apns.isSilent = true;
    for (let round = 0; round < 3; round++) {
      const replies = await Promise.all(cards.map((each) => tier(each, `Level ${round}`)));
      assert.ok(replies.every(({ status, body }) => status === 200 && body.pushed));
    }
    assert.equal(await gauge('pushes_waiting{wallet="apple"}'), 20);
    assert.equal((await credits()).reserved, 60);
    apns.isSilent = false;
    apns.dropConnections();
    app.advance(60 * 60_000);
    await until(
      'all phones show it',
      () => holders.every((phone) => phone.shows('tier') === 'Level 2'),
      60_000,
    );
    await settled();
    assert.equal(await gauge('pushes_waiting{wallet="apple"}'), 0);
    assert.deepEqual(
      holders.flatMap((phone) => phone.complaints),
      [],
    );
    await assertInvariants(app.sql);
  });

  it('gives up after a week, and the credits come back', async () => {
    const held = await card();
    await phones.add([held]);
    apns.script({ status: 503, reason: 'ServiceUnavailable' });
    await tier(held, 'Gold');
    await tier(held, 'Platinum');
    app.advance(8 * 86_400_000);
    app.running.app.wake('giveUpPushes', decodeId('ws', workspaceId) ?? '');
    await until('it is given up', async () => (await credits()).balance === 100);
    assert.equal((await failures(held)).at(-1).reason, 'timeout');
    await assertInvariants(app.sql);
  });
});

describe('many changes', () => {
  it('become one push of the newest state while one is under way', async () => {
    const held = await card();
    const phone = await phones.add([held]);
    apns.script({ status: 200, delayMs: 8_000 }, { token: phone.pushToken, times: 1 });
    await inParallel(20, (index) => tier(held, `Level ${index}`));
    const newest = (await client.get(`/instances/${held.instanceId}`)).body.fields.tier;
    await until('the phone shows the newest', () => phone.shows('tier') === newest);
    await settled();
    assert.ok(apns.deliveriesTo(phone.pushToken) <= 2);
    assert.equal((await credits()).spent, 20);
    assert.deepEqual(phone.complaints, []);
  });

  it('of several cards become one push to the device that holds them', async () => {
    const cards = await inParallel(10, () => card());
    const phone = await phones.add(cards);
    apns.script({ status: 200, delayMs: 8_000 }, { token: phone.pushToken, times: 1 });
    await Promise.all(cards.map((each) => tier(each, 'Gold')));
    await until('all are shown', () => phone.cards.every((each) => each.shows('tier') === 'Gold'));
    await settled();
    assert.ok(apns.deliveriesTo(phone.pushToken) <= 2);
    assert.deepEqual(phone.complaints, []);
  });

  it('are spaced out: after five pushes in a row a device hears of the next within a minute', async () => {
    const held = await card();
    const phone = await phones.add([held]);
    for (let round = 1; round <= 5; round++) {
      await tier(held, `Level ${round}`);
      await until(`push ${round} arrives`, () => phone.shows('tier') === `Level ${round}`);
    }
    await tier(held, 'Level 6');
    await sleep(1_500);
    assert.equal(apns.deliveriesTo(phone.pushToken), 5);
    assert.equal(phone.shows('tier'), 'Level 5');
    app.advance(60_000);
    await until('the sixth arrives', () => phone.shows('tier') === 'Level 6');
    assert.deepEqual(phone.complaints, []);
  });
});
