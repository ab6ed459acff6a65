import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json, type Reply } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { Phones, startDevelopmentApns, until } from '../../test/wallets.ts';
import { GoogleShop, startGoogleApp } from '../delivery/google/google.fixture.ts';

const apns = await startDevelopmentApns();
const { app, google } = await startGoogleApp({ APNS_URL: apns.url });
const phones = new Phones(app, apns);

let client: Client;
let shop: GoogleShop;
beforeEach(async () => {
  shop = await GoogleShop.open(app, google, 1_000);
  ({ client } = shop);
});

const uuid = '5a4bcfce-174e-4bac-a814-092e77f6b7e5';
const concert = {
  type: 'eventTicket',
  title: 'Winter Concert',
  fields: [{ key: 'doors', label: 'Doors', section: 'secondary', format: 'dateTime', value: null }],
  beacons: [{ uuid, major: 1, minor: 2, relevantText: 'The hall is open' }, { uuid }],
  dates: [
    { start: '2027-03-01T19:30:00+01:00', end: '2027-03-01T22:00:00+01:00' },
    { field: 'doors' },
    { start: '2027-03-05T00:00:00Z', end: '2027-03-09T00:00:00Z' },
  ],
  actions: [
    { kind: 'schedule', title: 'Programme', to: 'https://hall.example/winter' },
    { kind: 'call', title: 'Call us', to: '+49 30 123 45 67' },
  ],
  modules: [
    { header: 'Next season', body: 'See all concerts', url: 'https://hall.example/next?a=1&b=2' },
    { header: 'Bar', url: 'https://hall.example/bar' },
  ],
  walletOptions: {
    sharing: false,
    screenshots: false,
    expiryNotice: false,
    group: 'winter',
    appStoreIds: [123456789],
    appUrl: 'hall://winter',
    androidApp: 'example.hall.app',
    logoSymbol: 'music.note',
  },
};

/** What a phone holds of a new card: it refuses what Wallet refuses. */
async function onPhone(card: Json, languages?: string[]): Promise<Json> {
  const phone = await phones.add([card], languages && { languages });
  assert.deepEqual(phone.complaints, []);
  const [held] = phone.cards;
  assert.ok(held);
  return held.pass as Json;
}

describe('a card with dates, beacons, buttons and options', () => {
  it('has all of them in Apple Wallet', async () => {
    const pass = await makePass(client, concert);
    const card = await makeCard(client, pass.passId, { fields: { doors: '2027-03-01T18:45:00.000+01:00' } });
    const held = await onPhone(card);
    assert.equal(held.relevantDate, '2027-03-01T18:30:00Z');
    assert.deepEqual(held.relevantDates, [
      { startDate: '2027-03-01T18:30:00Z', endDate: '2027-03-01T21:00:00Z' },
      { date: '2027-03-01T17:45:00Z', relevantDate: '2027-03-01T17:45:00Z' },
      // Wallet takes no interval of more than a day.
      { date: '2027-03-05T00:00:00Z', relevantDate: '2027-03-05T00:00:00Z' },
    ]);
    assert.deepEqual(held.beacons, [
      { proximityUUID: uuid.toUpperCase(), major: 1, minor: 2, relevantText: 'The hall is open' },
      { proximityUUID: uuid.toUpperCase() },
    ]);
    assert.deepEqual(held.featuredActions, [
      { identifier: 'schedule', type: 'viewSchedule', url: 'https://hall.example/winter' },
      { identifier: 'call', type: 'call', url: 'tel:+49301234567' },
    ]);
    assert.deepEqual(held.eventTicket.backFields.slice(0, 2), [
      {
        key: 'module-1',
        label: 'Next season',
        value: 'See all concerts',
        attributedValue: '<a href="https://hall.example/next?a=1&amp;b=2">See all concerts</a>',
      },
      {
        key: 'module-2',
        label: 'Bar',
        value: 'hall.example/bar',
        attributedValue: '<a href="https://hall.example/bar">hall.example/bar</a>',
      },
    ]);
    const {
      sharingProhibited,
      groupingIdentifier,
      associatedStoreIdentifiers,
      appLaunchURL,
      logoSymbolName,
    } = held;
    assert.deepEqual(
      [sharingProhibited, groupingIdentifier, associatedStoreIdentifiers, appLaunchURL, logoSymbolName],
      [true, 'winter', [123456789], 'hall://winter', 'music.note'],
    );
    // A card whose holder has no moment yet matters at the others.
    const other = await onPhone(await makeCard(client, pass.passId));
    assert.equal(other.relevantDates.length, 2);
  });

  it('has all of them in Google Wallet, as far as it knows them', async () => {
    const pass = await makePass(client, concert);
    const card = await shop.savedCard(pass);
    const uris = [
      { id: 'action-schedule', uri: 'https://hall.example/winter', description: 'Programme' },
      { id: 'action-call', uri: 'tel:+49301234567', description: 'Call us' },
    ];
    const ofClass = shop.class(pass, 'eventTicket');
    assert.deepEqual(ofClass.dateTime, {
      start: '2027-03-01T18:30:00.000Z',
      end: '2027-03-01T21:00:00.000Z',
    });
    assert.deepEqual(ofClass.linksModuleData, { uris });
    const words = (value: string) => ({ defaultValue: { language: 'en', value } });
    assert.deepEqual(ofClass.valueAddedModuleData, [
      {
        header: words('Next season'),
        body: words('See all concerts'),
        uri: 'https://hall.example/next?a=1&b=2',
        sortIndex: 0,
      },
      { header: words('Bar'), uri: 'https://hall.example/bar', sortIndex: 1 },
    ]);
    assert.deepEqual(ofClass.appLinkData, {
      webAppLinkInfo: {
        appTarget: { targetUri: { uri: 'https://hall.example/winter', description: 'Programme' } },
      },
      androidAppLinkInfo: { appTarget: { packageName: 'example.hall.app' } },
      displayText: { defaultValue: { language: 'en', value: 'Programme' } },
    });
    assert.equal(ofClass.multipleDevicesAndHoldersAllowedStatus, 'ONE_USER_ALL_DEVICES');
    const object = shop.object(card, 'eventTicket');
    assert.deepEqual(
      [object.groupingInfo, object.passConstraints, object.disableExpirationNotification],
      [{ groupingId: 'winter' }, { screenshotEligibility: 'INELIGIBLE' }, true],
    );
  });

  it('of the type generic says what it is for, and may be reminded of', async () => {
    const pass = await makePass(client, {
      type: 'generic',
      title: 'Parking',
      walletOptions: { purpose: 'parking', expiryNotice: true },
    });
    const object = shop.object(await shop.savedCard(pass), 'generic');
    assert.equal(object.genericType, 'GENERIC_PARKING_PASS');
    assert.deepEqual(object.notifications, { expiryNotification: { enableNotification: true } });
  });

  it('shows its buttons on both pages, in the language of the reader, until it is voided', async () => {
    const pass = await makePass(client, {
      title: 'Bean',
      fields: [],
      actions: [{ kind: 'shop', title: 'To the shop', to: 'https://bean.example' }],
      beacons: [{ uuid, relevantText: 'Coffee is near' }],
      translations: { de: { title: 'Bohne', actions: { shop: 'Zum Laden' }, beacons: ['Kaffee ist nah'] } },
    });
    assert.equal(pass.warnings, undefined);
    const card = await makeCard(client, pass.passId, { holder: { locale: 'de' } });
    for (const link of [card.links.card, card.links.add]) {
      const page = (await app.anyone.with({ 'accept-language': 'de' }).get(link)).text;
      assert.match(
        page,
        /<a class="button quiet" href="https:\/\/bean.example\/" rel="noreferrer" lang="de"/,
      );
      assert.ok(page.includes('Zum Laden') && !page.includes('To the shop'));
    }
    const inGerman = await onPhone(card, ['de']);
    assert.equal(inGerman.beacons[0].relevantText, 'Kaffee ist nah');
    const saved = await shop.savedCard(pass);
    const [uri] = shop.class(pass).linksModuleData.uris;
    assert.deepEqual(uri.localizedDescription.translatedValues, [{ language: 'de', value: 'Zum Laden' }]);
    await client.post(`/instances/${saved.instanceId}/void`);
    assert.ok(!(await app.anyone.get(saved.links.add)).text.includes('bean.example'));
  });

  it('is pushed when one of them changes, and a text of one that is gone is no longer asked for', async () => {
    const pass = await makePass(client, concert);
    const card = await shop.savedCard(pass);
    const phone = await phones.add([card]);
    const path = `/passes/${pass.passId}`;
    const changed = await client.patch(path, {
      actions: [{ kind: 'shop', title: 'Posters', to: 'https://hall.example/posters' }],
      dates: [],
      beacons: [],
      modules: [concert.modules[1]],
      walletOptions: { sharing: null, group: 'spring' },
    });
    assert.equal(changed.status, 200, changed.text);
    const { sharing: _, ...kept } = concert.walletOptions;
    assert.deepEqual(changed.body.walletOptions, { ...kept, group: 'spring' });
    await until('the phone has it', () => phone.cards[0]?.pass.groupingIdentifier === 'spring');
    const held = phone.cards[0]?.pass as Json;
    assert.deepEqual(
      [held.featuredActions[0].type, held.relevantDates, held.beacons, held.sharingProhibited],
      ['shop', undefined, undefined, undefined],
    );
    assert.equal(held.eventTicket.backFields[0].label, 'Bar');
    await until('Google has it', () => shop.class(pass, 'eventTicket').dateTime === undefined);
    assert.equal(shop.class(pass, 'eventTicket').valueAddedModuleData.length, 1);
    await until('the card, too', () => shop.object(card, 'eventTicket').groupingInfo.groupingId === 'spring');
    assert.equal(shop.class(pass, 'eventTicket').multipleDevicesAndHoldersAllowedStatus, 'MULTIPLE_HOLDERS');
    const clone = await client.post(`${path}/clone`, {});
    assert.deepEqual(
      [clone.body.actions, clone.body.modules, clone.body.walletOptions],
      [changed.body.actions, changed.body.modules, changed.body.walletOptions],
    );
  });

  it('has its offers and links on both pages and in both wallets, in the language of the reader', async () => {
    const modules = [
      { header: 'Menu', body: 'New in May', url: 'https://bean.example/menu' },
      { header: 'Shop', url: 'https://bean.example/shop' },
    ];
    const german = [{ header: 'Karte', body: 'Neu im Mai' }, { header: 'Laden' }];
    const pass = await makePass(client, {
      title: 'Bean',
      fields: [],
      modules,
      translations: { de: { title: 'Bohne', modules: german } },
    });
    assert.equal(pass.warnings, undefined);
    assert.deepEqual(pass.modules, modules);
    const card = await makeCard(client, pass.passId, { holder: { locale: 'de' } });
    const link =
      /<dt dir="auto">Karte<\/dt><dd [^>]*lang="de"><a href="https:\/\/bean.example\/menu"[^>]*>Neu im Mai/;
    for (const address of [card.links.card, card.links.add]) {
      const page = (await app.anyone.with({ 'accept-language': 'de' }).get(address)).text;
      assert.match(page, link);
      assert.ok(page.includes('Laden') && page.includes('>bean.example/shop<') && !page.includes('New in'));
    }
    const [menu] = (await onPhone(card, ['de'])).storeCard.backFields;
    assert.deepEqual(
      [menu.label, menu.value, menu.attributedValue],
      ['Karte', 'Neu im Mai', '<a href="https://bean.example/menu">Neu im Mai</a>'],
    );
    const saved = await shop.savedCard(pass);
    const [first, second] = shop.class(pass).valueAddedModuleData;
    assert.deepEqual(first.header.translatedValues, [{ language: 'de', value: 'Karte' }]);
    assert.deepEqual(first.body.translatedValues, [{ language: 'de', value: 'Neu im Mai' }]);
    assert.equal(second.body, undefined);
    const path = `/passes/${pass.passId}`;
    const moved = await client.patch(path, { modules: [modules[1], { ...modules[0], header: 'Food' }] });
    assert.deepEqual(moved.body.translations.de.modules, [{ header: 'Laden' }, null]);
    assert.deepEqual(moved.body.warnings[0].missing, ['modules[1].header', 'modules[1].body']);
    await client.patch(path, { modules: [] });
    await until('Google to have none', () => shop.class(pass).valueAddedModuleData === undefined);
    await client.patch(path, { modules });
    await client.post(`/instances/${saved.instanceId}/void`);
    assert.ok(!(await app.anyone.get(saved.links.card)).text.includes('bean.example'));
  });

  it('is sent to Google as it was before where it has none of them', async () => {
    const pass = await makePass(client, { title: 'Plain' });
    const object = shop.object(await shop.savedCard(pass));
    for (const name of ['groupingInfo', 'passConstraints', 'disableExpirationNotification'])
      assert.ok(!(name in object), name);
  });
});

function refusedAt(reply: Reply, path: string): void {
  assertRefused(reply, 'invalid_request');
  assert.equal(reply.body.problems[0].path, path, reply.text);
}

describe('dates, beacons, buttons and options that cannot be', () => {
  const wrong: readonly (readonly [body: object, path: string])[] = [
    [{ dates: [{}] }, 'dates[0]'],
    [{ dates: [{ start: '2027-03-01T19:30:00Z', field: 'tier' }] }, 'dates[0]'],
    [{ dates: [{ field: 'missing' }] }, 'dates[0].field'],
    [{ dates: [{ field: 'tier' }] }, 'dates[0].field'],
    [{ dates: [{ start: '2027-03-01T19:30:00' }] }, 'dates[0].start'],
    [{ dates: [{ start: '2027-03-01T19:30:00Z', end: '2027-03-01T19:30:00Z' }] }, 'dates[0].end'],
    [{ dates: [{ field: 'doors', end: '2027-03-01T19:30:00Z' }] }, 'dates[0].end'],
    [{ beacons: [{ uuid: 'no' }] }, 'beacons[0].uuid'],
    [{ beacons: [{ uuid, minor: 1 }] }, 'beacons[0].major'],
    [{ beacons: [{ uuid, major: 65_536 }] }, 'beacons[0].major'],
    [{ beacons: [{ uuid }, { uuid: uuid.toUpperCase() }] }, 'beacons[1]'],
    [{ actions: [{ kind: 'dance', title: 'Dance', to: 'https://a.example' }] }, 'actions[0].kind'],
    [{ actions: [{ kind: 'shop', title: 'Shop', to: 'javascript:alert(1)' }] }, 'actions[0].to'],
    [{ actions: [{ kind: 'shop', title: 'Shop', to: 'https://me:secret@a.example' }] }, 'actions[0].to'],
    [{ actions: [{ kind: 'call', title: 'Call', to: 'https://a.example' }] }, 'actions[0].to'],
    [{ actions: [{ kind: 'shop', title: '', to: 'https://a.example' }] }, 'actions[0].title'],
    [
      { actions: ['shop', 'shop'].map((kind) => ({ kind, title: 'A', to: 'https://a.example' })) },
      'actions[1].kind',
    ],
    ...[
      'http://a.example',
      'a.example',
      'javascript:alert(1)',
      'https://me:secret@a.example',
      'https://',
      'tel:+4930123',
    ].map((url) => [{ modules: [{ header: 'A', url }] }, 'modules[0].url'] as const),
    [{ modules: [{ header: 'A' }] }, 'modules[0].url'],
    [{ modules: [{ header: '', url: 'https://a.example' }] }, 'modules[0].header'],
    [{ modules: [{ header: 'A'.repeat(61), url: 'https://a.example' }] }, 'modules[0].header'],
    [{ modules: [{ header: 'A', body: 'B'.repeat(51), url: 'https://a.example' }] }, 'modules[0].body'],
    [{ modules: [{ header: 'A', image: 'x', url: 'https://a.example' }] }, 'modules[0].image'],
    [
      { modules: ['A', 'B', 'A'].map((header) => ({ header, url: 'https://a.example' })) },
      'modules[2].header',
    ],
    [
      { modules: Array.from({ length: 11 }, (_, at) => ({ header: `${at}`, url: 'https://a.example' })) },
      'modules',
    ],
    [{ translations: { de: { modules: [{ header: 'A' }] } } }, 'translations.de.modules'],
    [
      {
        modules: [{ header: 'A', url: 'https://a.example' }],
        translations: { de: { modules: [{ header: 'A', body: 'B' }] } },
      },
      'translations.de.modules[0].body',
    ],
    [{ walletOptions: { appUrl: 'hall://winter' } }, 'walletOptions.appStoreIds'],
    [{ walletOptions: { appStoreIds: [0] } }, 'walletOptions.appStoreIds[0]'],
    [{ walletOptions: { androidApp: 'not a package' } }, 'walletOptions.androidApp'],
    [{ walletOptions: { purpose: 'pet' } }, 'walletOptions.purpose'],
    [{ walletOptions: { colour: 'red' } }, 'walletOptions.colour'],
    [{ translations: { de: { actions: { shop: 'Laden' } } } }, 'translations.de.actions.shop'],
    [{ translations: { de: { beacons: ['Da'] } } }, 'translations.de.beacons'],
  ];
  const fields = [
    { key: 'doors', label: 'Doors', section: 'secondary', format: 'dateTime', value: null },
    { key: 'tier', label: 'Tier', section: 'secondary', value: 'Gold' },
  ];

  it('are refused by path, when a pass is made and when it is changed, and nothing is saved', async () => {
    const made = await makePass(client, { fields });
    for (const [body, path] of wrong) {
      const named = { fields, ...body };
      refusedAt(await client.post('/passes', { title: 'A', type: 'loyalty', ...named }), path);
      const before = (await client.get(`/passes/${made.passId}`)).body;
      refusedAt(await client.patch(`/passes/${made.passId}`, named), path);
      assert.deepEqual((await client.get(`/passes/${made.passId}`)).body, before);
    }
  });

  it('include a field of a date that a later change takes away', async () => {
    const made = await makePass(client, { fields, dates: [{ field: 'doors' }] });
    const path = `/passes/${made.passId}`;
    refusedAt(await client.patch(path, { fields: [] }), 'dates[0].field');
    assert.equal((await client.patch(path, { fields: [], dates: [] })).status, 200);
  });
});
