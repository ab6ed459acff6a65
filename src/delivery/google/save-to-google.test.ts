import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../../../test/client.ts';
import { inParallel, tally } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { assertInvariants } from '../../../test/invariants.ts';
import { ConfigError, readConfig } from '../../config.ts';
import { GoogleShop, googleSettings, startGoogleApp } from './google.fixture.ts';
import { loadGoogleAccount } from './google-issuer.ts';

const { app, google } = await startGoogleApp();

let shop: GoogleShop;
beforeEach(async () => {
  shop = await GoogleShop.open(app, google);
});

describe('the button', () => {
  for (const type of ['loyalty', 'coupon', 'eventTicket', 'giftCard', 'generic']) {
    it(`saves a card of the type ${type}`, async () => {
      const pass = await shop.pass({ type });
      const card = await shop.card(pass, { holder: { name: 'Ada Lovelace' } });
      assert.equal(shop.object(card, type), undefined, 'nothing is made before it is pressed');
      const reply = await app.anyone.get(card.links.google);
      assert.equal(reply.status, 302);
      assert.equal(reply.headers.get('cache-control'), 'private, no-store');
      assert.equal(reply.headers.get('referrer-policy'), 'no-referrer');
      const link = reply.headers.get('location') ?? '';
      assert.match(link, /^https:\/\/pay\.google\.com\/gp\/v\/save\/[\w-]+\.[\w-]+\.[\w-]+$/);
      assert.equal((await shop.wallets(card)).google, 0, 'pressed is not saved');
      const reports = await google.save(link, { callbackUrl: shop.callbackUrl });
      assert.deepEqual(
        reports.map(({ status }) => status),
        [200],
      );
      assert.equal((await shop.wallets(card)).google, 1);
      assert.equal(shop.shows(card, 'tier', type), 'Bronze');
      assert.equal(shop.object(card, type).state, 'ACTIVE');
      assert.equal(shop.object(card, type).barcode.value, card.barcode);
      const { callbackOptions } = shop.class(pass, type);
      assert.deepEqual(callbackOptions, { url: 'https://cards.example.test/google/callback' });
      await shop.synced(card);
      await assertInvariants(app.sql);
    });
  }

  it('is on the page of the card', async () => {
    const card = await shop.card(await shop.pass());
    const { text } = await app.anyone.get(card.links.add);
    assert.ok(text.includes(`href="${card.links.google}"`));
  });

  it('makes one class and one object when fifty press it at once', async () => {
    const pass = await shop.pass();
    const card = await shop.card(pass);
    const replies = await inParallel(50, () => app.anyone.get(card.links.google));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { '302': 50 });
    assert.deepEqual(shop.requests(shop.classId(pass)), ['POST loyaltyClass']);
    assert.deepEqual(shop.requests(shop.objectId(card)), ['POST loyaltyObject']);
    const links = new Set(replies.map(({ headers }) => headers.get('location')));
    for (const link of links) await google.save(link ?? '', { callbackUrl: shop.callbackUrl });
    assert.equal((await shop.wallets(card)).google, 1);
    await shop.synced(card);
    await assertInvariants(app.sql);
  });

  it('makes one class for twenty holders of a new pass, on two processes', async () => {
    const twin = await app.twin();
    const pass = await shop.pass();
    const cards = await inParallel(20, () => shop.card(pass));
    const replies = await Promise.all(
      cards.map((card, index) => (index % 2 === 0 ? app.anyone : twin.as(null)).get(card.links.google)),
    );
    assert.deepEqual(tally(replies.map(({ status }) => status)), { '302': 20 });
    // Each process makes it once; the second finds it there.
    const made = shop.requests(shop.classId(pass)).filter((each) => each === 'POST loyaltyClass');
    assert.ok(made.length <= 2, made.join());
    for (const card of cards) assert.deepEqual(shop.requests(shop.objectId(card)), ['POST loyaltyObject']);
  });

  it('asks nothing of Google when Google knows the card, and sends it a change when it does not', async () => {
    const pass = await shop.pass();
    const card = await shop.card(pass);
    await shop.press(card);
    await shop.press(card);
    assert.deepEqual(shop.requests(shop.objectId(card)), ['POST loyaltyObject']);
    await shop.tier(card, 'Gold');
    await shop.client.patch(`/passes/${pass.passId}`, { title: 'Tea Club' });
    assert.equal(shop.shows(card), 'Bronze', 'no holder keeps it yet');
    await shop.press(card);
    assert.equal(shop.shows(card), 'Gold');
    assert.equal(shop.class(pass).programName, 'Tea Club');
    assert.equal(shop.patches(card)[0].notifyPreference, undefined);
  });

  it('saves a voided and an expired card with its state', async () => {
    const pass = await shop.pass();
    const voided = await shop.card(pass);
    await shop.client.post(`/instances/${voided.instanceId}/void`);
    await shop.save(voided);
    assert.equal(shop.object(voided).state, 'INACTIVE');
    const soon = new Date(app.running.app.now().getTime() + 60_000).toISOString();
    const expired = await shop.card(pass, { expiresAt: soon });
    app.advance(120_000);
    await shop.save(expired);
    assert.equal(shop.object(expired).state, 'EXPIRED');
  });

  it('makes a class again that Google has lost', async () => {
    const pass = await shop.pass();
    await shop.save(await shop.card(pass));
    const other = await shop.card(pass);
    google.fail({
      matching: /POST .*loyaltyObject/,
      outcome: { status: 404, reason: 'classNotFound', message: 'Wallet Object Class not found.' },
    });
    await shop.save(other);
    assert.deepEqual(shop.requests(shop.classId(pass)), [
      'POST loyaltyClass',
      'POST loyaltyClass',
      'PATCH loyaltyClass',
    ]);
    assert.equal(shop.shows(other), 'Bronze');
  });
});

describe('the logo of a class', () => {
  it('is a public picture whose address changes with it', async () => {
    const pass = await shop.pass({ colors: { background: '#102030' } });
    const card = await shop.card(pass);
    await shop.press(card);
    const address: string = shop.class(pass).programLogo.sourceUri.uri;
    const logo = await app.anyone.get(address);
    assert.equal(logo.status, 200);
    assert.equal(logo.headers.get('content-type'), 'image/png');
    assert.equal(logo.headers.get('x-content-type-options'), 'nosniff');
    assert.match(logo.headers.get('cache-control') ?? '', /^public, max-age=31536000/);
    const size = [logo.body.readUInt32BE(16), logo.body.readUInt32BE(20)];
    assert.deepEqual(size, [660, 660]);
    const revalidated = await app.anyone.get(address, {
      headers: { 'if-none-match': logo.headers.get('etag') ?? '' },
    });
    assert.equal(revalidated.status, 304);
    await shop.client.patch(`/passes/${pass.passId}`, { colors: { background: '#203040' } });
    await shop.press(card);
    assert.notEqual(shop.class(pass).programLogo.sourceUri.uri, address);
  });
});

describe('a Google that cannot be reached', () => {
  const failures: Record<string, Parameters<typeof google.fail>[0]> = {
    'is away': { outcome: 'cut', times: 1 },
    'is busy': { outcome: { status: 429, reason: 'rateLimitExceeded' }, times: 1 },
    'has a fault': { outcome: { status: 503 }, times: 1 },
    'does not let us in': { outcome: { status: 403, reason: 'permissionDenied' }, times: 1 },
  };
  for (const [what, fault] of Object.entries(failures)) {
    it(`${what}: the holder is asked to come back, and then gets the card`, async () => {
      const card = await shop.card(await shop.pass());
      google.fail(fault);
      const reply = await app.anyone.get(card.links.google);
      assertRefused(reply, 'wallet_unavailable');
      assert.equal(reply.status, 503);
      assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      const page = await app.anyone.get(card.links.google, { headers: { accept: 'text/html' } });
      assert.equal(page.status, 302, 'the next press is not kept waiting');
      await shop.save(card);
      assert.equal((await shop.wallets(card)).google, 1);
      assert.deepEqual(await app.sql('select * from wallet_stops'), [], 'no alarm is left');
    });
  }

  it('is tried again in time, however many holders press the button before that', async () => {
    const card = await shop.card(await shop.pass());
    const nextTry = async () => (await app.sql('select retry_at from wallet_stops'))[0]?.retry_at;
    const refuseOnce = () => google.fail({ outcome: { status: 403, reason: 'permissionDenied' } });
    refuseOnce();
    await app.anyone.get(card.links.google);
    const first = await nextTry();
    app.advance(60_000);
    refuseOnce();
    await app.anyone.get(card.links.google);
    assert.deepEqual(await nextTry(), first, 'a press has moved it away');
    app.advance(15 * 60_000);
    refuseOnce();
    await app.anyone.get(card.links.google);
    assert.ok((await nextTry()) > first, 'the try in vain has moved it');
    await shop.save(card);
  });

  it('shows a page to those who ask for one', async () => {
    const card = await shop.card(await shop.pass());
    google.fail({ outcome: { status: 503 } });
    const { status, text } = await app.anyone.get(card.links.google, { headers: { accept: 'text/html' } });
    assert.equal(status, 503);
    assert.match(text, /This wallet does not answer/);
  });

  it('does not want the card: that is our fault, and the log says why', async () => {
    const card = await shop.card(await shop.pass());
    google.fail({ matching: /loyaltyObject/, outcome: { status: 400, reason: 'badRequest' } });
    assert.equal((await app.anyone.get(card.links.google)).status, 500);
    await shop.save(card);
  });

  it('is a black hole: the button gives up, and the next holder is served', async () => {
    const card = await shop.card(await shop.pass());
    google.isBlackHole = true;
    const replies = await inParallel(5, () => app.anyone.get(card.links.google));
    google.isBlackHole = false;
    assert.deepEqual(
      replies.map(({ status }) => status),
      [503, 503, 503, 503, 503],
    );
    await shop.save(card);
  });
});

describe('the settings', () => {
  it('are both needed, or neither', () => {
    const halves: Record<string, string>[] = [
      { GOOGLE_ISSUER_ID: google.issuerId },
      { GOOGLE_SERVICE_ACCOUNT: google.serviceAccountJson },
    ];
    for (const half of halves) assert.throws(() => loadGoogleAccount(readConfig(half)), ConfigError);
    assert.equal(loadGoogleAccount(readConfig({})), null);
  });

  it('without https no call-back is asked for', async () => {
    const other = await startTestApp({ ...googleSettings(google), PUBLIC_URL: 'http://localhost:3000' });
    const there = await GoogleShop.open(other, google);
    const pass = await there.pass();
    await there.press(await there.card(pass));
    assert.equal(there.class(pass).callbackOptions, undefined);
  });
});
