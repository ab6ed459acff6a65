import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Json } from '../../../test/client.ts';
import { inParallel, tally } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { assertInvariants } from '../../../test/invariants.ts';
import { Phones, startDevelopmentApns, until } from '../../../test/wallets.ts';
import { trimGoogleNonces } from '../trim-expired.job.ts';
import { GoogleShop, startGoogleApp } from './google.fixture.ts';

const apns = await startDevelopmentApns();
const { app, google } = await startGoogleApp({ APNS_URL: apns.url });
const phones = new Phones(app, apns);

let shop: GoogleShop;
let pass: Json;
/** Known to Google, and kept by no holder. */
let card: Json;
beforeEach(async () => {
  shop = await GoogleShop.open(app, google);
  pass = await shop.pass();
  card = await shop.card(pass);
  await shop.press(card);
});

const held = async () => (await shop.wallets(card)).google;
const post = (body: unknown) => app.anyone.post('/google/callback', body);

describe('a report of a save', () => {
  it('counts the card as held, and a deletion ends that', async () => {
    assert.equal(await shop.report(card), 200);
    assert.equal(await held(), 1);
    assert.equal((await shop.tier(card, 'Gold')).body.pushed, true);
    assert.equal(await shop.report(card, { event: 'del' }), 200);
    assert.equal(await held(), 0);
    assert.equal((await shop.tier(card, 'Iron')).body.pushSkipReason, 'not_installed');
    const { body } = await shop.client.get(`/instances/${card.instanceId}/timeline`);
    const moves = body.data.filter(
      ({ kind }: Json) => kind === 'instance.installed' || kind === 'instance.removed',
    );
    assert.deepEqual(
      moves.map(({ kind, wallet }: Json) => [kind, wallet]),
      [
        ['instance.removed', 'google'],
        ['instance.installed', 'google'],
      ],
    );
    await assertInvariants(app.sql);
  });

  it('brings the new holder what has changed since Google was updated', async () => {
    await shop.tier(card, 'Gold');
    assert.equal(shop.shows(card), 'Bronze');
    await shop.report(card);
    await until('the holder sees it', () => shop.shows(card) === 'Gold');
    assert.equal((await shop.credits()).spent, 0);
  });

  it('costs nothing at Google when the card is as it was', async () => {
    const before = shop.requests(shop.objectId(card)).length;
    await shop.report(card);
    await shop.synced(card);
    assert.equal(shop.requests(shop.objectId(card)).length, before);
  });

  it('is counted once, however often and at once it comes', async () => {
    const body = shop.callback(card);
    const statuses = await inParallel(20, () => google.deliver(body, shop.callbackUrl));
    assert.deepEqual(tally(statuses), { '200': 20 });
    await inParallel(10, () => shop.report(card));
    assert.equal(await held(), 1);
    await assertInvariants(app.sql);
  });

  it('counts next to an Apple device, each on its own', async () => {
    const phone = await phones.add([card]);
    await shop.report(card);
    assert.deepEqual(await shop.wallets(card), { apple: 1, google: 1, web: 0 });
    await shop.report(card, { event: 'del' });
    assert.deepEqual(await shop.wallets(card), { apple: 1, google: 0, web: 0 });
    assert.deepEqual(phone.complaints, []);
    await assertInvariants(app.sql);
  });
});

describe('a report that changes nothing', () => {
  it('was sent before: even after a deletion it saves nothing', async () => {
    const save = shop.callback(card);
    await post(save);
    await shop.report(card, { event: 'del' });
    assert.equal((await post(save)).status, 200);
    assert.equal(await held(), 0);
  });

  it('is older than the last one', async () => {
    const save = shop.callback(card);
    app.advance(1_000);
    await shop.report(card, { event: 'del' });
    assert.equal((await post(save)).status, 200);
    assert.equal(await held(), 0);
    const late = shop.callback(card, { event: 'del' });
    app.advance(1_000);
    await shop.report(card);
    assert.equal((await post(late)).status, 200);
    assert.equal(await held(), 1);
    await assertInvariants(app.sql);
  });

  it('names an object that is not known here', async () => {
    const unknown = await shop.card(pass);
    const before = await app.sql('select * from google_objects');
    assert.equal(await shop.report(unknown), 200);
    for (const objectId of ['9999.card', `${google.issuerId}.nobody`, `${google.issuerId}.${'0'.repeat(52)}`])
      assert.equal(await shop.report(card, { objectId } as object), 200);
    assert.deepEqual(await app.sql('select * from google_objects'), before);
    await assertInvariants(app.sql);
  });
});

describe("a report that is not Google's", () => {
  const plans: Record<string, object> = {
    'is signed with other keys': { isForged: true },
    'is meant for another issuer': { issuerId: '3388000000000000999' },
    'has expired': { isExpired: true },
    'is signed with a key that has expired': { hasExpiredKey: true },
  };
  for (const [what, plan] of Object.entries(plans)) {
    it(`${what}: it is refused`, async () => {
      assertRefused(await post(shop.callback(card, plan)), 'invalid_signature');
      assert.equal(await held(), 0);
    });
  }

  it('was changed on its way, or is something else altogether: it is refused', async () => {
    const save = shop.callback(card);
    const other = shop.objectId(await shop.card(pass));
    const changed = { ...save, signedMessage: save.signedMessage.replace(shop.objectId(card), other) };
    for (const body of [changed, {}, { signedMessage: 1 }, { ...save, protocolVersion: 'ECv1' }])
      assertRefused(await post(body), 'invalid_signature');
    assert.equal((await post('[]')).status, 400);
    assertRefused(await post({ padding: 'a'.repeat(65_536) }), 'request_too_large');
  });
});

describe("Google's keys", () => {
  it('may change: they are fetched again when none fits', async () => {
    await shop.report(card);
    google.rotateKeys();
    app.advance(20_000);
    assert.equal(await shop.report(card, { event: 'del' }), 200);
    assert.equal(await held(), 0);
  });

  it('cannot be fetched: Google is asked to send it again', async () => {
    const google404 = `${google.url}/elsewhere`;
    const other = await startTestApp({
      GOOGLE_SERVICE_ACCOUNT: google.serviceAccountJson,
      GOOGLE_ISSUER_ID: google.issuerId,
      GOOGLE_WALLET_URL: google.url,
      GOOGLE_CALLBACK_KEYS_URL: google404,
    });
    const reply = await other.anyone.post('/google/callback', shop.callback(card));
    assertRefused(reply, 'wallet_unavailable');
    assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  });
});

describe('a deletion while a change is on its way', () => {
  const fault = { matching: /PATCH .*loyaltyObject/, outcome: { status: 503 } };

  it('gives the credit back, once', async () => {
    await shop.report(card);
    await shop.synced(card);
    google.fail(fault);
    await shop.tier(card, 'Gold');
    await until('the attempt has failed', async () => (await shop.row(card)).attempts > 0);
    await shop.report(card, { event: 'del' });
    assert.deepEqual(await shop.credits(), { balance: 100, reserved: 0, spent: 0 });
    const [event] = await shop.deliveries(card);
    assert.deepEqual([event.kind, event.wallet, event.reason], ['push.failed', 'google', 'removed']);
    app.advance(3_600_000);
    await shop.synced(card);
    assert.deepEqual(await shop.credits(), { balance: 100, reserved: 0, spent: 0 });
    await assertInvariants(app.sql);
  });

  it('leaves the credit with the device that was notified', async () => {
    await shop.report(card);
    await shop.synced(card);
    const phone = await phones.add([card]);
    google.fail(fault);
    await shop.tier(card, 'Gold');
    await until('the phone shows it', () => phone.shows('tier') === 'Gold');
    await until('the attempt has failed', async () => (await shop.row(card)).attempts > 0);
    await shop.report(card, { event: 'del' });
    await shop.settled();
    assert.deepEqual(await shop.credits(), { balance: 99, reserved: 0, spent: 1 });
    await assertInvariants(app.sql);
  });
});

describe('what is remembered of reports', () => {
  it('is forgotten when they have expired', async () => {
    await shop.report(card);
    assert.notEqual((await app.sql('select * from google_nonces')).length, 0);
    app.advance(2 * 86_400_000);
    // A turn of the job, which looks every ten minutes by itself.
    await trimGoogleNonces({ app: app.running.app, requestId: 'trim' });
    assert.deepEqual(await app.sql('select * from google_nonces'), []);
  });
});
