import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { pino } from 'pino';
import { assertRefused, type Client, type Json } from '../../../test/client.ts';
import { makeCard, makePass } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { until } from '../../../test/wallets.ts';
import { PushService } from '../../../tools/fakes/push-service.ts';
import { createVapid } from '../../wallet/web/vapid.ts';
import { OpenBrowser } from './browser.fixture.ts';

const encryptionKey = Buffer.alloc(32, 7);
const now = () => app.running.app.now();
const { publicKey } = createVapid({ encryptionKey, contact: '', now: () => new Date() });
const service = await PushService.start({ publicKey, now: () => now() });
after(() => service.close());
// As an operator does with NODE_EXTRA_CA_CERTS.
setDefaultCACertificates([...getCACertificates(), service.authority.certificate.toString()]);

const logged: string[] = [];
const sink = new Writable({
  write: (line, _, done) => {
    logged.push(line.toString());
    done();
  },
});
const app = await startTestApp(
  { ENCRYPTION_KEY: encryptionKey.toString('hex'), WEB_PUSH_HOSTS: service.host },
  pino({ level: 'trace' }, sink),
);
let client: Client;
let pass: Json;
before(async () => {
  ({ client } = await app.newWorkspace('pro', 1_000));
  pass = await makePass(client);
});

const newCard = () => makeCard(client, pass.passId);
const setTier = (card: Json, tier: string) =>
  client.patch(`/instances/${card.instanceId}/fields`, { fields: { tier } });
const walletsOf = async (card: Json) => (await client.get(`/instances/${card.instanceId}`)).body.wallets.web;
const creditsOf = async () => (await client.get('/credits')).body;
const timelineOf = async (card: Json): Promise<Json[]> =>
  (await client.get(`/instances/${card.instanceId}/timeline`)).body.data;
const installationOf = (card: Json) => `${card.links.card}/installation`;
/** A browser that has installed the card and allowed notifications. */
async function subscribe(card: Json, viewer = randomUUID(), endpoint = service.endpoint(randomUUID())) {
  const body = { viewer, installed: true, subscription: { endpoint } };
  const reply = await app.anyone.post(installationOf(card), body);
  assert.equal(reply.status, 204, reply.text);
  return { viewer, endpoint };
}
/** The same with the keys that its pushes are encrypted with. */
async function subscribeWithKeys(card: Json, viewer = randomUUID()) {
  const subscription = service.subscription(randomUUID());
  const body = { viewer, installed: true, subscription };
  const reply = await app.anyone.post(installationOf(card), body);
  assert.equal(reply.status, 204, reply.text);
  return { viewer, ...subscription };
}
const owed = async (): Promise<number> =>
  (await app.sql<{ n: number }>('select count(*)::int as n from pushes'))[0]?.n ?? -1;

describe('a web push', () => {
  it('reaches an installed card once for a change, and costs one credit', async () => {
    const card = await newCard();
    const { endpoint } = await subscribe(card);
    const before = (await creditsOf()).balance;
    const changed = await setTier(card, 'Gold');
    assert.deepEqual([changed.status, changed.body.pushed], [200, true]);
    await until('the push', () => service.count(endpoint) === 1);
    await until('the push to be settled', async () => (await owed()) === 0);
    assert.equal((await creditsOf()).balance, before - 1);
    await sleep(1_200);
    assert.equal(service.count(endpoint), 1);
    assert.deepEqual(service.complaints, []);
    assert.deepEqual(service.messages(endpoint), [null], 'without keys it can only be empty');
    assert.ok((await timelineOf(card)).some(({ kind }) => kind === 'push.delivered'));
  });

  it('comes again when the card changed while it was under way: the browser may have looked too early', async () => {
    const card = await newCard();
    const { endpoint } = await subscribe(card);
    const before = (await creditsOf()).balance;
    service.answer(endpoint, { status: 201, afterMs: 6_000 });
    await setTier(card, 'Gold');
    await until('the first push', () => service.count(endpoint) === 1);
    await setTier(card, 'Silver');
    await sleep(1_000);
    assert.equal(service.count(endpoint), 1, 'two pushes at once');
    await until('the second push', () => service.count(endpoint) === 2);
    await until('both to be settled', async () => (await owed()) === 0);
    assert.equal((await creditsOf()).balance, before - 2);
  });

  it('that waits fails when the card is taken back: the credit comes back', async () => {
    const card = await newCard();
    const { endpoint, viewer } = await subscribe(card);
    const before = await creditsOf();
    service.answer(endpoint, { status: 503, headers: { 'retry-after': '3600' } });
    await setTier(card, 'Gold');
    await until('the attempt', () => isPostponed(viewer, 1));
    assert.equal((await creditsOf()).reserved, before.reserved + 1);
    await app.anyone.delete(`${installationOf(card)}?viewer=${viewer}`);
    app.advance(61_000);
    await until('it to count no longer', async () => (await walletsOf(card)) === 0);
    await until('nothing to be owed', async () => (await owed()) === 0);
    const { balance, reserved } = await creditsOf();
    assert.deepEqual([balance, reserved], [before.balance, before.reserved]);
  });

  it('waits as long as the push service asks, and longer each time it fails', async () => {
    const card = await newCard();
    const { endpoint, viewer } = await subscribe(card);
    service.answer(endpoint, { status: 429, headers: { 'retry-after': '600' } }, { status: 500 });
    await setTier(card, 'Gold');
    await until('the first attempt', () => isPostponed(viewer, 1));
    assert.equal(service.count(endpoint), 1);
    app.advance(590_000);
    await sleep(700);
    assert.equal(service.count(endpoint), 1, 'it did not wait');
    app.advance(15_000);
    await until('the second attempt', () => isPostponed(viewer, 2));
    assert.equal(service.count(endpoint), 2);
    // After two failures: ten seconds, or up to half as much again.
    app.advance(4_000);
    await sleep(700);
    assert.equal(service.count(endpoint), 2, 'it did not wait longer');
    app.advance(12_000);
    await until('the third attempt', () => service.count(endpoint) === 3);
    await until('it to be settled', async () => (await owed()) === 0);
  });

  for (const status of [404, 410]) {
    it(`that is answered ${status} ends the subscription: no wallet holds the card, and the credit comes back`, async () => {
      const card = await newCard();
      const { endpoint, viewer } = await subscribe(card);
      assert.equal(await walletsOf(card), 1);
      const before = await creditsOf();
      service.answer(endpoint, { status });
      await setTier(card, 'Gold');
      await until('no wallet to hold the card', async () => (await walletsOf(card)) === 0);
      await until('the credit to come back', async () => (await creditsOf()).balance === before.balance);
      const [removed, failed] = await timelineOf(card);
      assert.deepEqual(new Set([removed?.kind, failed?.kind]), new Set(['instance.removed', 'push.failed']));
      assert.ok(!(await app.dump()).includes(viewer));
    });
  }

  it('that is refused for good drops the subscription; the card stays installed', async () => {
    const card = await newCard();
    const { endpoint } = await subscribe(card);
    service.answer(endpoint, { status: 400, body: 'x'.repeat(100_000) });
    await setTier(card, 'Gold');
    await until('the subscription to be dropped', async () => !(await app.dump()).includes(endpoint));
    assert.equal(await walletsOf(card), 1);
    await until('it to be settled', async () => (await owed()) === 0);
    await setTier(card, 'Silver');
    await until('it to be settled', async () => (await owed()) === 0);
    assert.equal(service.count(endpoint), 1);
  });

  for (const status of [401, 403]) {
    it(`that is answered ${status} says something of us, and drops the subscription only after many tries`, async () => {
      const card = await newCard();
      const { endpoint, viewer } = await subscribe(card);
      service.answer(endpoint, { status }, { status });
      await setTier(card, 'Gold');
      await until('the first attempt', () => isPostponed(viewer, 1));
      app.advance(8_000);
      await until('the second attempt', () => isPostponed(viewer, 2));
      app.advance(16_000);
      await until('it to be settled', async () => (await owed()) === 0);
      assert.equal(service.count(endpoint), 3);
      service.answer(endpoint, { status }, { status });
      await setTier(card, 'Silver');
      await until('an attempt', () => isPostponed(viewer, 1));
      await app.sql('update web_cards set attempts = 20 where viewer_id = $1', [viewer]);
      app.advance(8_000);
      await until('the subscription to be dropped', async () => !(await app.dump()).includes(endpoint));
      assert.equal(await walletsOf(card), 1);
    });
  }

  it('follows no redirect', async () => {
    const [card, other] = [await newCard(), service.endpoint('elsewhere')];
    const { endpoint, viewer } = await subscribe(card);
    service.answer(endpoint, { status: 307, headers: { location: other } });
    await setTier(card, 'Gold');
    await until('the first attempt', () => isPostponed(viewer, 1));
    assert.equal(service.count(endpoint), 1);
    await sleep(300);
    assert.equal(service.count(other), 0);
    app.advance(8_000);
    await until('it to be settled', async () => (await owed()) === 0);
  });

  it('into a black hole keeps no other card waiting', async () => {
    const [stuck, open, fine] = [await newCard(), await newCard(), await newCard()];
    const hole = await subscribe(stuck);
    service.answer(hole.endpoint, 'silence');
    await setTier(stuck, 'Gold');
    await until('the push to be swallowed', () => service.count(hole.endpoint) === 1);
    const browser = await OpenBrowser.open(app.url, open);
    const { endpoint } = await subscribe(fine);
    const began = performance.now();
    await Promise.all([setTier(open, 'Gold'), setTier(fine, 'Gold')]);
    await until('the pushes to the others', async () => (await owed()) === 1);
    assert.ok(performance.now() - began < 3_000, 'they waited for the one that hangs');
    assert.equal(service.count(endpoint), 1);
    browser.close();
    await until('the silence to be noticed', () => isPostponed(hole.viewer, 1), 15_000);
    app.advance(8_000);
    await until('the push to come again', () => service.count(hole.endpoint) === 2);
    await until('it to be settled', async () => (await owed()) === 0);
  });

  it('goes on where a worker died: the lease runs out', async () => {
    const card = await newCard();
    const { endpoint, viewer } = await subscribe(card);
    await app.sql(
      "update web_cards set tag = tag + 1, due_at = $2::timestamptz + interval '60 seconds' where viewer_id = $1",
      [viewer, now()],
    );
    await sleep(700);
    assert.equal(service.count(endpoint), 0);
    app.advance(61_000);
    await until('the push', () => service.count(endpoint) === 1);
  });
});

const isPostponed = async (viewer: string, attempts: number) =>
  (await app.sql('select 1 from web_cards where viewer_id = $1 and attempts = $2', [viewer, attempts]))
    .length === 1;

describe('what a web push says', () => {
  const settled = () => until('it to be settled', async () => (await owed()) === 0);
  /** The texts of the last push to an endpoint. */
  const lastOf = (endpoint: string) => service.messages(endpoint).at(-1)?.notification;

  it('is what has changed, for browsers that show it without a worker; those with one run it', async () => {
    const card = await newCard();
    const { endpoint } = await subscribeWithKeys(card);
    await setTier(card, 'Gold');
    await settled();
    assert.deepEqual(service.messages(endpoint), [
      {
        mutable: true,
        notification: {
          title: 'Blue Bean Club · Blue Bean',
          body: 'Tier: Gold',
          navigate: card.links.card,
          icon: card.links.card.replace(/card$/, 'icons/192.png'),
          lang: 'en',
          tag: 'card',
        },
      },
    ]);
    assert.equal((await app.anyone.get(lastOf(endpoint)?.icon ?? '')).status, 200);
    await setTier(card, 'Silver');
    await settled();
    assert.equal(lastOf(endpoint)?.body, 'Tier: Silver', 'it repeats what it has said');
    assert.deepEqual(service.complaints, []);
  });

  it('is the newest of several changes, and all that it has not said', async () => {
    const card = await newCard();
    const { endpoint, viewer } = await subscribeWithKeys(card);
    service.answer(endpoint, { status: 503 });
    await setTier(card, 'Gold');
    await until('the attempt', () => isPostponed(viewer, 1));
    await setTier(card, 'Platinum');
    await client.post(`/instances/${card.instanceId}/void`);
    app.advance(8_000);
    await settled();
    const said = service.messages(endpoint).map((message) => message?.notification.body);
    assert.equal(said[0], 'Tier: Gold');
    assert.match(said[1] ?? '', /^Tier: Platinum\nThis card is no longer valid/);
    assert.equal(said.length, 2);
  });

  it('is that the card has changed, where no sentence says how', async () => {
    const own = await makePass(client);
    const card = await makeCard(client, own.passId);
    const { endpoint } = await subscribeWithKeys(card);
    await client.patch(`/passes/${own.passId}`, { colors: { background: '#102030' } });
    await until('the push', () => service.count(endpoint) === 1);
    assert.equal(lastOf(endpoint)?.body, 'Your card has changed.');
    await settled();
  });

  it('is in the language of the card, and short', async () => {
    const card = await makeCard(client, pass.passId, { holder: { locale: 'de' } });
    const { endpoint } = await subscribeWithKeys(card);
    const path = `/instances/${card.instanceId}`;
    await client.post(`${path}/void`);
    await settled();
    assert.deepEqual(
      [lastOf(endpoint)?.lang, lastOf(endpoint)?.body],
      ['de', 'Diese Karte ist nicht mehr gültig.'],
    );
    await setTier(card, '\u{1f600}'.repeat(120));
    await settled();
    assert.ok(Buffer.byteLength(JSON.stringify(service.messages(endpoint).at(-1))) < 3_000);
  });

  it('goes to the browser alone: no log has the address of the card', async () => {
    const card = await newCard();
    const { endpoint, viewer } = await subscribeWithKeys(card);
    service.answer(endpoint, { status: 500, body: 'no' });
    await setTier(card, 'Gold');
    await until('the attempt', () => isPostponed(viewer, 1));
    app.advance(8_000);
    await settled();
    const token = new URL(card.links.card).pathname.split('/')[2] ?? '';
    assert.ok(token.length > 20 && lastOf(endpoint)?.navigate.includes(token));
    assert.ok(!logged.join('').includes(token));
  });

  it('begins anew with each visit, which also brings the keys that an older subscription had none of', async () => {
    const card = await newCard();
    const { endpoint, keys } = service.subscription(randomUUID());
    const { viewer } = await subscribe(card, randomUUID(), endpoint);
    await setTier(card, 'Gold');
    await settled();
    const body = { viewer, installed: true, subscription: { endpoint, keys } };
    assert.equal((await app.anyone.post(installationOf(card), body)).status, 204);
    await setTier(card, 'Silver');
    await settled();
    assert.deepEqual(
      service.messages(endpoint).map((message) => message?.notification.body),
      [undefined, 'Tier: Silver'],
    );
  });

  it('is nothing once its keys are gone: they leave with the subscription', async () => {
    const card = await newCard();
    const { viewer, endpoint, keys } = await subscribeWithKeys(card);
    assert.ok((await app.dump()).includes(keys.auth));
    service.answer(endpoint, { status: 400 });
    await setTier(card, 'Gold');
    await until('the keys to be dropped', async () => !(await app.dump()).includes(keys.auth));
    const again = await subscribeWithKeys(card, viewer);
    await app.anyone.delete(`${installationOf(card)}?viewer=${viewer}`);
    assert.ok(!(await app.dump()).includes(again.keys.auth));
    await settled();
  });
});

describe('POST /p/{token}/card/installation', () => {
  it('takes endpoints of known push services, and of no other host', async () => {
    const card = await newCard();
    const install = (endpoint: string) =>
      app.anyone.post(installationOf(card), {
        viewer: randomUUID(),
        installed: true,
        subscription: { endpoint },
      });
    for (const endpoint of [
      'https://fcm.googleapis.com/fcm/send/abc',
      'https://updates.push.services.mozilla.com/wpush/v2/abc',
      'https://web.push.apple.com/abc',
      'https://wns2-par02p.notify.windows.com/w/?token=abc',
      service.endpoint('abc'),
    ])
      assert.equal((await install(endpoint)).status, 204, endpoint);
    for (const endpoint of [
      'http://fcm.googleapis.com/fcm/send/abc',
      'https://fcm.googleapis.com:8443/fcm/send/abc',
      'https://user:password@fcm.googleapis.com/',
      'https://fcm.googleapis.com.evil.example/',
      'https://evil.example/fcm.googleapis.com',
      'https://evilpush.apple.com/',
      'https://push.apple.com/',
      'https://notify.windows.com/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://169.254.169.254/latest/meta-data/',
      'https://localhost/',
      `https://${service.host.replace('localhost', '127.0.0.1')}/send/abc`,
      'ftp://fcm.googleapis.com/',
      'fcm.googleapis.com',
      ' ',
    ])
      assertRefused(await install(endpoint), 'invalid_request', /subscription\.endpoint/);
  });

  it('takes no more than it needs', async () => {
    const card = await newCard();
    const viewer = randomUUID();
    const { keys: fit } = service.subscription('a');
    const wrong: Json[] = [
      {},
      { viewer },
      { viewer, installed: false },
      { viewer: viewer.toUpperCase(), installed: true },
      { viewer, installed: true, name: 'Ada' },
      { viewer, installed: true, subscription: {} },
      { viewer, installed: true, subscription: { endpoint: service.endpoint('a'), keys: {} } },
      ...[
        { auth: fit.auth },
        { p256dh: fit.p256dh },
        { ...fit, auth: `${fit.auth}A` },
        { ...fit, p256dh: fit.p256dh.slice(1) },
        { ...fit, p256dh: `B${'A'.repeat(86)}` },
        { ...fit, more: '' },
      ].map((keys) => ({
        viewer,
        installed: true,
        subscription: { endpoint: service.endpoint('a'), keys },
      })),
      {
        viewer,
        installed: true,
        subscription: { endpoint: `https://fcm.googleapis.com/${'a'.repeat(2_000)}` },
      },
    ];
    for (const body of wrong)
      assertRefused(await app.anyone.post(installationOf(card), body), 'invalid_request');
    assert.equal(await walletsOf(card), 0);
  });
});
