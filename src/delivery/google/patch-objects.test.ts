import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../../test/client.ts';
import { inParallel } from '../../../test/factories.ts';
import { assertInvariants } from '../../../test/invariants.ts';
import { Phones, startDevelopmentApns, until } from '../../../test/wallets.ts';
import { GoogleShop, startGoogleApp } from './google.fixture.ts';

const apns = await startDevelopmentApns();
const { app, google } = await startGoogleApp({ APNS_URL: apns.url });
const phones = new Phones(app, apns);

let shop: GoogleShop;
let pass: Json;
beforeEach(async () => {
  shop = await GoogleShop.open(app, google);
  pass = await shop.pass();
});

const day = 86_400_000;
const shown = (card: Json, value: string, type?: string) =>
  until(`Google shows ${value}`, () => shop.shows(card, 'tier', type) === value);
/** Whether the doctor says that no notification is left. */
const isUsedUp = async ({ instanceId }: Json): Promise<boolean> => {
  const { body } = await app.operator.get(`/operator/instances/${instanceId}/diagnosis`);
  return body.findings.some(({ what }: Json) => /3 notifications .* are used up/.test(what));
};
const gauge = async (name: string): Promise<number> => {
  const { text } = await app.anyone.get('/metrics');
  const line = text.split('\n').find((each) => each.startsWith(name));
  return Number(line?.split(' ').at(-1) ?? 0);
};

describe('a change of a card', () => {
  for (const type of ['loyalty', 'coupon', 'eventTicket', 'giftCard', 'generic']) {
    const announces = type !== 'generic';
    it(`reaches Google, ${announces ? 'announced' : 'silently'} for the type ${type}`, async () => {
      const card = await shop.savedCard(await shop.pass({ type }));
      const { body } = await shop.tier(card, 'Gold');
      assert.equal(body.pushed, true);
      await shown(card, 'Gold', type);
      await shop.settled();
      const [patch] = shop.patches(card);
      assert.equal(patch.notifyPreference, announces ? 'NOTIFY_ON_UPDATE' : undefined);
      assert.deepEqual(await shop.credits(), { balance: 99, reserved: 0, spent: 1 });
      const [event] = await shop.deliveries(card);
      assert.deepEqual([event.kind, event.wallet, event.reason], ['push.delivered', 'google', undefined]);
      await assertInvariants(app.sql);
    });
  }

  it('is of the money of a gift card, as an amount and in the words of the card', async () => {
    const { client } = shop;
    const gift = await shop.pass({ type: 'giftCard' });
    const made = await client.post('/loyalty/programs', {
      passId: gift.passId,
      mode: 'MONEY',
      currency: 'EUR',
    });
    await client.patch(`/loyalty/programs/${made.body.programId}`, { status: 'active' });
    const card = await shop.savedCard(gift, { value: { amount: '20', currency: 'EUR' } });
    const held = () => shop.object(card, 'giftCard').balance;
    assert.deepEqual(held(), { micros: '20000000', currencyCode: 'EUR' });
    const paid = await client.post('/value/charge', {
      instanceId: card.instanceId,
      passId: gift.passId,
      amount: { amount: '7.55', currency: 'EUR' },
    });
    assert.equal(paid.body.pushed, true, paid.text);
    await until('Google shows what is left', () => held().micros === '12450000');
    assert.equal(shop.shows(card, 'loyalty-balance', 'giftCard'), '€12.45');
  });

  it('writes a typed value as the region of the holder does, in the language of the shop, and what all cards say as the shop does', async () => {
    await shop.client.patch('/workspace', { locale: 'de' });
    const field = (key: string, value: string | null, more: object) => ({
      key,
      label: key,
      section: 'secondary',
      value,
      ...more,
    });
    const fields = [
      field('since', '2027-03-01', { format: 'date', editable: false }),
      field('spent', '0.00', { format: 'currency', currency: 'EUR' }),
    ];
    const typed = await shop.pass({ fields });
    const texts: (string | undefined)[] = [];
    for (const locale of ['de', 'de-AT', 'en']) {
      const card = await shop.savedCard(typed, {
        holder: { name: 'Ada', locale },
        fields: { spent: '12.50' },
      });
      texts.push(shop.shows(card, 'spent')?.replace('\u00a0', ' '));
      const { textModulesData } = shop.class(typed);
      assert.deepEqual(
        textModulesData.map(({ id, body }: Json) => [id, body]),
        [['since', '01.03.2027']],
      );
    }
    assert.deepEqual(texts, ['12,50 €', '€ 12,50', '12,50 €']);
    await shop.settled();
  });

  it('has the links of its back as links: those of all cards in the class, its own in the object', async () => {
    const back = (key: string, format: string, value: string | null, more: object = {}) => ({
      ...{ key, label: key, section: 'back', format, value },
      ...more,
    });
    const linked = await shop.pass({
      fields: [
        back('menu', 'link', 'https://bean.example/menu', { editable: false }),
        back('call', 'phone', '+49 30 1234567'),
        back('shop', 'link', 'https://bean.example', { section: 'secondary' }),
      ],
      translations: {
        de: {
          title: 'Blau',
          fields: { menu: { label: 'Karte' }, call: { label: 'Anruf' }, shop: { label: 'Laden' } },
        },
      },
    });
    const card = await shop.savedCard(linked);
    const german = (own: string, value: string) => ({
      localizedDescription: {
        defaultValue: { language: 'en', value: own },
        translatedValues: [{ language: 'de', value }],
      },
    });
    assert.deepEqual(shop.class(linked).linksModuleData.uris, [
      { id: 'menu', uri: 'https://bean.example/menu', description: 'menu', ...german('menu', 'Karte') },
    ]);
    assert.deepEqual(shop.object(card).linksModuleData.uris, [
      { id: 'call', uri: 'tel:+49301234567', description: 'call', ...german('call', 'Anruf') },
    ]);
    assert.equal(shop.shows(card, 'shop'), 'bean.example');
    await shop.client.patch(`/instances/${card.instanceId}/fields`, { fields: { call: null } });
    await until('the link is gone', () => shop.object(card).linksModuleData === undefined);
    await shop.settled();
  });

  it('is sent once however often it changes before that, and the newest state wins', async () => {
    const card = await shop.savedCard(pass);
    google.fail({ matching: /PATCH .*loyaltyObject/, outcome: { delayMs: 4_000 } });
    for (let round = 0; round < 10; round++) await shop.tier(card, `Level ${round}`);
    await shown(card, 'Level 9');
    await shop.settled();
    assert.ok(shop.patches(card).length <= 2, `${shop.patches(card).length} requests`);
    assert.equal((await shop.credits()).spent, 10);
  });

  it('shows a void as inactive, and clears what was cleared', async () => {
    const card = await shop.savedCard(pass);
    await shop.client.patch(`/instances/${card.instanceId}/fields`, { fields: { tier: null } });
    await until('the field is gone', () => shop.shows(card) === undefined);
    await shop.client.post(`/instances/${card.instanceId}/void`);
    await until('it is inactive', () => shop.object(card).state === 'INACTIVE');
    await shop.client.post(`/instances/${card.instanceId}/reactivate`);
    await until('it is active', () => shop.object(card).state === 'ACTIVE');
    await shop.settled();
  });

  it('is announced three times in 24 hours, then arrives silently and says so', async () => {
    const card = await shop.savedCard(pass);
    for (let round = 1; round <= 4; round++) {
      await shop.tier(card, `Level ${round}`);
      await shown(card, `Level ${round}`);
      await shop.settled();
    }
    const notify = 'NOTIFY_ON_UPDATE';
    const preferences = shop.patches(card).map(({ notifyPreference }) => notifyPreference);
    assert.deepEqual(preferences, [notify, notify, notify, undefined]);
    const deliveries = await shop.deliveries(card);
    assert.deepEqual(
      deliveries.map(({ kind, reason }) => [kind, reason]),
      [
        ['push.delivered', 'notification_quota'],
        ['push.delivered', undefined],
        ['push.delivered', undefined],
        ['push.delivered', undefined],
      ],
    );
    assert.ok(await isUsedUp(card));
    app.advance(day + 60_000);
    await shop.tier(card, 'Level 5');
    await shown(card, 'Level 5');
    await until('it is announced', () => shop.patches(card).at(-1).notifyPreference === notify);
    await shop.settled();
  });

  it('is sent again silently when Google says that the notifications are used up', async () => {
    const card = await shop.savedCard(pass);
    google.fail({
      matching: /PATCH .*loyaltyObject/,
      outcome: { status: 403, reason: 'quotaExceeded', message: 'Quota exceeded for issuer.' },
    });
    await shop.tier(card, 'Gold');
    await shown(card, 'Gold');
    await shop.settled();
    assert.equal(shop.patches(card)[0].notifyPreference, undefined);
    assert.equal((await shop.deliveries(card))[0].reason, 'notification_quota');
  });

  it('costs one credit together with an Apple device, whichever is notified first', async () => {
    const card = await shop.savedCard(pass);
    const phone = await phones.add([card]);
    await shop.tier(card, 'Gold');
    await shown(card, 'Gold');
    await until('the phone shows it', () => phone.shows('tier') === 'Gold');
    await shop.settled();
    assert.deepEqual(await shop.credits(), { balance: 99, reserved: 0, spent: 1 });
    // Google fails for good, Apple does not.
    google.fail({ matching: /PATCH .*loyaltyObject/, outcome: { status: 400, reason: 'badRequest' } });
    await shop.tier(card, 'Platinum');
    await until('the phone shows it', () => phone.shows('tier') === 'Platinum');
    await until('it failed there', async () =>
      (await shop.deliveries(card)).some(({ kind }) => kind === 'push.failed'),
    );
    await shop.settled();
    assert.deepEqual(await shop.credits(), { balance: 98, reserved: 0, spent: 2 });
    await assertInvariants(app.sql);
  });
});

describe('a change of a pass', () => {
  it('that the class carries costs one request for all cards', async () => {
    await inParallel(5, () => shop.savedCard(pass));
    const before = google.requests.length;
    await shop.client.patch(`/passes/${pass.passId}`, { title: 'Tea Club', details: 'Every tenth is free' });
    await until('the class shows it', () => shop.class(pass).programName === 'Tea Club');
    await until('all are settled', async () => (await shop.credits()).spent === 5);
    const requests = google.requests
      .slice(before)
      .map(({ method, path }) => `${method} ${path.split('/')[3]}`);
    assert.deepEqual(requests, ['PATCH loyaltyClass']);
    const patch = google.requests.at(-1)?.body as Json;
    assert.equal(patch.reviewStatus, 'UNDER_REVIEW');
    assert.equal(patch.notifyPreference, undefined);
    await assertInvariants(app.sql);
  });

  it('reaches the objects where each carries it', async () => {
    const fields = [{ key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary' }];
    const card = await shop.savedCard(pass);
    const own = await shop.savedCard(pass, { fields: { tier: 'Gold' } });
    const changed = fields.map((field) => ({ ...field, value: 'Copper' }));
    await shop.client.patch(`/passes/${pass.passId}`, { fields: changed });
    await shown(card, 'Copper');
    await shop.settled();
    assert.equal(shop.shows(own), 'Gold');
    assert.deepEqual(shop.patches(own), []);
  });
});

describe('a message', () => {
  const send = (text: string) => shop.client.post(`/passes/${pass.passId}/messages`, { text });
  const messages = (): Json[] => shop.class(pass).messages ?? [];

  it('is added to the class once, for all cards, and announced three times a day', async () => {
    await inParallel(12, () => shop.savedCard(pass));
    const announcementsLeft = async () =>
      (await shop.client.post(`/passes/${pass.passId}/messages`, { text: '?', dryRun: true })).body
        .announcementsLeft;
    for (let round = 1; round <= 4; round++) {
      assert.equal(await announcementsLeft(), Math.max(4 - round, 0));
      const { status, body } = await send(`News ${round}`);
      assert.equal(status, 202);
      assert.equal(body.recipients, 12);
      await until('it is there', () => messages().length === round);
      await until('all are settled', async () => (await shop.credits()).spent === 12 * round);
    }
    assert.deepEqual(
      messages().map(({ header, body, messageType }) => [header, body, messageType]),
      [1, 2, 3, 4].map((round) => ['Blue Bean', `News ${round}`, round < 4 ? 'TEXT_AND_NOTIFY' : 'TEXT']),
    );
    assert.equal(await announcementsLeft(), 0);
    app.advance(86_400_000);
    assert.equal(await announcementsLeft(), 3);
    await assertInvariants(app.sql);
  });

  it('counts for the notifications of each card', async () => {
    const card = await shop.savedCard(pass);
    for (let round = 1; round <= 3; round++) {
      await send(`News ${round}`);
      await until('it is there', () => messages().length === round);
      await shop.settled();
    }
    await shop.tier(card, 'Gold');
    await shown(card, 'Gold');
    assert.equal(shop.patches(card).at(-1).notifyPreference, undefined);
    await shop.settled();
    assert.ok(await isUsedUp(card));
  });

  it('to an audience is added once to the objects of its cards, and announced', async () => {
    const gold = await shop.savedCard(pass, { fields: { tier: 'Gold' } });
    const other = await shop.savedCard(pass);
    await send('To all');
    await until('it is there', () => messages().length === 1);
    await shop.settled();
    google.fail({ matching: /Object.*addMessage/, outcome: { status: 503 } });
    const to = { text: 'To some', audience: { fields: { tier: 'Gold' } } };
    assert.equal((await shop.client.post(`/passes/${pass.passId}/messages`, to)).body.recipients, 1);
    await until('the attempt has failed', async () => (await shop.row(gold)).attempts > 0);
    app.advance(60_000);
    const messagesOf = (card: Json): Json[] => shop.object(card).messages ?? [];
    await until('it is there', () => messagesOf(gold).length > 0);
    await shop.settled();
    await shop.tier(gold, 'Platinum');
    await shown(gold, 'Platinum');
    await shop.settled();
    assert.deepEqual(
      messagesOf(gold).map(({ header, body, messageType }) => [header, body, messageType]),
      [['Blue Bean', 'To some', 'TEXT_AND_NOTIFY']],
    );
    assert.deepEqual(messagesOf(other), []);
    assert.equal(messages().length, 1);
    // A holder who saves a card after its message does not get it as news.
    const late = await shop.card(pass, { fields: { tier: 'Gold' } });
    const phone = await phones.add([late]);
    await shop.client.post(`/passes/${pass.passId}/messages`, {
      text: 'Before it was at Google',
      audience: { fields: { tier: 'Gold' } },
    });
    await until('the phone says it', () => phone.notifications.length === 1);
    await shop.save(late);
    await shop.tier(late, 'Silver');
    await shown(late, 'Silver');
    await shop.settled();
    assert.deepEqual(messagesOf(late), []);
    await assertInvariants(app.sql);
  });

  it('is gone from Google once it is taken back, from the class and from objects', async () => {
    const gold = await shop.savedCard(pass, { fields: { tier: 'Gold' } });
    const idOf = async (more: object) =>
      (await shop.client.post(`/passes/${pass.passId}/messages`, { text: 'News', ...more })).body.messageId;
    const takeBack = (id: string) => shop.client.post(`/messages/${id}/take-back`);
    const [toAll, own] = [await idOf({}), await idOf({ audience: { fields: { tier: 'Gold' } } })];
    const messagesOf = (): Json[] => shop.object(gold).messages ?? [];
    await until('both are there', () => messages().length === 1 && messagesOf().length === 1);
    await shop.settled();
    await takeBack(own);
    await until('the object has none', () => messagesOf().length === 0);
    assert.equal(messages().length, 1);
    await takeBack(toAll);
    await until('the class has none', () => messages().length === 0);
    await shop.settled();
    // The next one is there as the first was, alone.
    await send('Again');
    await until('it is there', () => messages().length === 1);
    assert.equal(messages()[0].body, 'Again');
    await assertInvariants(app.sql);
  });

  it('is sent again after a fault, and not to classes that came later', async () => {
    const phone = await phones.add([await shop.card(pass)]);
    await send('Before any card was at Google');
    await shop.settled();
    const card = await shop.savedCard(pass);
    google.fail({ matching: /addMessage/, outcome: { status: 503 } });
    await send('News');
    await until('the attempt has failed', async () => (await shop.row(card)).attempts > 0);
    app.advance(60_000);
    await until('it is there', () => messages().length === 1);
    assert.equal(messages()[0].body, 'News');
    await shop.settled();
    assert.deepEqual(phone.complaints, []);
  });
});

describe('a Google that is busy, away or lost', () => {
  for (const [what, outcome] of [
    ['429', { status: 429, retryAfter: '2', reason: 'rateLimitExceeded' }],
    ['503', { status: 503 }],
    ['a cut connection', 'cut'],
    ['an answer that is lost', 'cut after'],
  ] as const) {
    it(`is asked again after ${what}, and nothing is lost`, async () => {
      const card = await shop.savedCard(pass);
      google.fail({ matching: /PATCH .*loyaltyObject/, outcome });
      await shop.tier(card, 'Gold');
      await until('the attempt has failed', async () => (await shop.row(card)).attempts > 0);
      assert.equal((await shop.credits()).reserved, 1);
      app.advance(60 * 60_000);
      await shown(card, 'Gold');
      await shop.settled();
      assert.equal((await shop.credits()).spent, 1);
    });
  }

  it('is sent again soon when the database fails as it is recorded', async () => {
    const card = await shop.savedCard(pass);
    await app.sql('create sequence failures');
    await app.sql(`
      create function fail_once() returns trigger language plpgsql as $$
        begin if nextval('failures') = 1 then raise 'failed once'; end if; return new; end
      $$`);
    await app.sql(`
      create trigger fails before update of content on google_objects for each row execute function fail_once()`);
    await shop.tier(card, 'Gold');
    await shown(card, 'Gold');
    // The lease lasts for three minutes.
    await shop.settled(60_000);
    assert.equal(shop.patches(card).length, 2);
    assert.equal((await shop.credits()).spent, 1);
    await app.sql('drop trigger fails on google_objects');
    await assertInvariants(app.sql);
  });

  it('is sent again when its state at Google is unknown: a change that was taken back', async () => {
    const card = await shop.savedCard(pass);
    google.fail({ matching: /PATCH .*loyaltyObject/, outcome: 'cut after' });
    await shop.tier(card, 'Gold');
    await until('the attempt has failed', async () => (await shop.row(card)).attempts > 0);
    assert.equal(shop.shows(card), 'Gold');
    await shop.tier(card, 'Bronze');
    app.advance(60 * 60_000);
    await shown(card, 'Bronze');
    await shop.settled();
  });

  it('gets an object again that it has lost', async () => {
    const card = await shop.savedCard(pass);
    google.fail({
      matching: /PATCH .*loyaltyObject/,
      outcome: { status: 404, reason: 'resourceNotFound', message: 'Wallet Object not found.' },
    });
    await shop.tier(card, 'Gold');
    await shown(card, 'Gold');
    await shop.settled();
  });

  it('is a black hole: the API is unaffected, what waits is seen, and it drains afterwards', async () => {
    const cards = await inParallel(15, () => shop.savedCard(pass));
    google.isBlackHole = true;
    for (let round = 0; round < 3; round++) {
      const replies = await Promise.all(cards.map((card) => shop.tier(card, `Level ${round}`)));
      assert.ok(replies.every(({ status, body }) => status === 200 && body.pushed));
    }
    assert.equal(await gauge('pushes_waiting{wallet="google"}'), 15);
    const { pool } = app.running.app.database;
    await until('no connection is held', () => pool.idleCount === pool.totalCount);
    assert.equal((await shop.credits()).reserved, 45);
    google.isBlackHole = false;
    app.advance(60 * 60_000);
    await until('all is shown', () => cards.every((card) => shop.shows(card) === 'Level 2'), 60_000);
    await shop.settled(30_000);
    assert.equal(await gauge('pushes_waiting{wallet="google"}'), 0);
    await assertInvariants(app.sql);
  });

  it('is away for a week: the credits come back', async () => {
    const card = await shop.savedCard(pass);
    const its = new RegExp(shop.objectId(card));
    google.fail({ matching: its, times: 100, outcome: { status: 503 } });
    await shop.tier(card, 'Gold');
    await until('the attempt has failed', async () => (await shop.row(card)).attempts > 0);
    app.advance(8 * day);
    app.running.app.wake('giveUpPushes', shop.workspaceId);
    await until('it is given up', async () => (await shop.credits()).balance === 100);
    assert.equal((await shop.deliveries(card))[0].reason, 'timeout');
    await assertInvariants(app.sql);
  });
});

describe('a Google that refuses us', () => {
  for (const [what, fail] of [
    ['the account', () => google.fail({ outcome: { status: 403, reason: 'permissionDenied' } })],
    ['the token, twice', () => google.fail({ times: 2, outcome: { status: 401 } })],
  ] as const) {
    it(`does not want ${what}: an alarm, and nothing is lost`, async () => {
      const card = await shop.savedCard(pass);
      fail();
      await shop.tier(card, 'Gold');
      await until('the alarm is on', async () => (await gauge('wallet_stopped{wallet="google"}')) === 1);
      const before = google.requests.length;
      await shop.tier(card, 'Platinum');
      await sleep(1_200);
      assert.equal(google.requests.length, before, 'nothing is sent while it is stopped');
      assert.equal((await shop.wallets(card)).google, 1);
      assert.equal((await shop.credits()).reserved, 2);
      app.advance(16 * 60_000);
      await shown(card, 'Platinum');
      await until('the alarm is off', async () => (await gauge('wallet_stopped{wallet="google"}')) === 0);
      await shop.settled();
      await assertInvariants(app.sql);
    });
  }

  it('does not want one card: its credit comes back, and the next change is another try', async () => {
    const card = await shop.savedCard(pass);
    google.fail({ matching: /PATCH .*loyaltyObject/, outcome: { status: 400, reason: 'badRequest' } });
    await shop.tier(card, 'Gold');
    await until('it is given up', async () => (await shop.credits()).balance === 100);
    const [event] = await shop.deliveries(card);
    assert.deepEqual([event.kind, event.wallet], ['push.failed', 'google']);
    assert.match(event.reason, /^400 badRequest/);
    await shop.tier(card, 'Platinum');
    await shown(card, 'Platinum');
    await shop.settled();
    await assertInvariants(app.sql);
  });
});

describe('an erased card', () => {
  const person = { name: 'Ada Lovelace', identifier: 'cust_8841' };

  for (const [what, credits] of [
    ['is void at Google, without the person', 100],
    ['is so without a credit, too', 0],
  ] as const) {
    it(what, async () => {
      shop = await GoogleShop.open(app, google, credits);
      pass = await shop.pass();
      const card = await shop.savedCard(pass, { holder: person, fields: { tier: 'Ada' } });
      assert.match(JSON.stringify(shop.object(card)), /Lovelace/);
      await shop.client.delete(`/instances/${card.instanceId}`);
      await until('it is inactive', () => shop.object(card).state === 'INACTIVE');
      assert.doesNotMatch(JSON.stringify(shop.object(card)), new RegExp(`Ada|cust_8841|${card.barcode}`));
      await shop.synced(card);
      await shop.settled();
      await assertInvariants(app.sql);
    });
  }

  it('that no holder keeps leaves no person behind, either', async () => {
    const card = await shop.savedCard(pass, { holder: person });
    await shop.remove(card);
    await shop.client.delete(`/instances/${card.instanceId}`);
    await until('it is inactive', () => shop.object(card).state === 'INACTIVE');
    assert.doesNotMatch(JSON.stringify(shop.object(card)), /Ada/);
    await shop.synced(card);
    assert.equal((await shop.wallets(card)).google, 0);
  });
});
