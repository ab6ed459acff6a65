import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { eventsOf } from '../../test/events.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { Phones, startDevelopmentApns, until } from '../../test/wallets.ts';
import { GoogleShop, startGoogleApp } from '../delivery/google/google.fixture.ts';
import { decodeId } from '../kit/ids.ts';

const apns = await startDevelopmentApns();
const { app, google } = await startGoogleApp({ APNS_URL: apns.url });
const phones = new Phones(app, apns);

let client: Client;
let shop: GoogleShop;
beforeEach(async () => {
  shop = await GoogleShop.open(app, google, 1_000);
  ({ client } = shop);
});

/** A chain along the 13th meridian from south to north. */
const place = (at: number) => ({ latitude: at / 100, longitude: 13, relevantText: `Shop number ${at}` });
const chain = (count = 1_000) => Array.from({ length: count }, (_, at) => place(at));
const points = (places: readonly Json[]) =>
  places.map(({ latitude, longitude }) => ({ latitude, longitude }));
const aroundNorth = [900, 901, 899, 902, 898, 903, 897, 904, 896, 905];

async function partnerAt(at: number | null): Promise<Json> {
  const location = at === null ? null : { latitude: at / 100 + 0.001, longitude: 13 };
  const { status, body, text } = await client.post('/partners', { name: 'Shop', location });
  assert.equal(status, 201, text);
  return body;
}

/** What a phone holds: it refuses more than Wallet takes. */
async function onPhone(card: Json, languages?: string[]) {
  const phone = await phones.add([card], languages && { languages });
  assert.deepEqual(phone.complaints, []);
  return phone;
}

const placesOn = ({ cards: [held] }: Awaited<ReturnType<typeof onPhone>>) =>
  (held?.pass as Json | undefined)?.locations.map(({ relevantText }: Json) =>
    Number(relevantText.split(' ').at(-1)),
  );

describe('a pass with more than ten places', () => {
  it('has all of them in the API, the first ten in lists, and copies of it have them', async () => {
    const pass = await makePass(client, { locations: chain() });
    assert.deepEqual(pass.locations, chain());
    const path = `/passes/${pass.passId}`;
    assert.deepEqual((await client.get(path)).body.locations, chain());
    const [listed] = (await client.get('/passes')).body.data;
    assert.deepEqual([listed.locations, listed.moreLocations], [chain(10), 990]);
    assert.equal((await client.post(`${path}/clone`)).body.locations.length, 1_000);
    const program = await client.post('/loyalty/programs', {
      ...{ passId: pass.passId, mode: 'STAMPS', reward: { title: 'Coffee' }, threshold: 10 },
    });
    assert.equal(program.status, 201, program.text);
    const renamed = (await client.patch(path, { title: 'Renamed' })).body;
    assert.deepEqual([renamed.locations.length, renamed.moreLocations], [1_000, undefined]);
    const events = (await eventsOf(client)).filter(({ type }) => type === 'pass.updated');
    assert.deepEqual(
      events.map(({ data, previous }) => [data.locations.length, Object.keys(previous)]),
      [
        [1_000, ['programId']],
        [1_000, ['title']],
      ],
    );
    const long = chain().map((one) => ({ ...one, relevantText: 'ü'.repeat(200) }));
    assert.deepEqual((await client.patch(path, { locations: long })).body.locations, long);
    const fewer = (await client.patch(path, { locations: chain(3) })).body;
    assert.deepEqual([fewer.locations, fewer.moreLocations], [chain(3), undefined]);
    assert.deepEqual(
      await app.sql('select from pass_places where pass_id = $1', [decodeId('pass', pass.passId)]),
      [],
    );
    assert.deepEqual((await client.get(path)).body.locations, chain(3));
    assertRefused(
      await client.patch(path, { locations: chain(1_001) }),
      'invalid_request',
      /^locations .*1000/,
    );
    assertRefused(
      await client.patch(path, { locations: [...chain(700), { latitude: 91, longitude: 0 }] }),
      'invalid_request',
      /^locations\[700\]\.latitude .*90/,
    );
  });

  it('is seen with its first ten by a version that knows no more', async () => {
    const texts = chain(12).map(({ relevantText }) => relevantText.replace('Shop', 'Laden'));
    const pass = await makePass(client, { locations: chain(12), translations: { de: { locations: texts } } });
    const [row] = await app.sql<Json>('select locations, translations from passes where pass_id = $1', [
      decodeId('pass', pass.passId),
    ]);
    assert.deepEqual(row?.locations, chain(10));
    assert.deepEqual(row?.translations, { de: { locations: texts.slice(0, 10) } });
    assert.deepEqual(pass.translations, { de: { locations: texts } });
    await app.sql('delete from pass_places where pass_id = $1', [decodeId('pass', pass.passId)]);
    const card = await makeCard(client, pass.passId, { partnerId: (await partnerAt(9)).partnerId });
    assert.deepEqual(placesOn(await onPhone(card)), [...chain(10).keys()]);
  });
});

describe('a card of a chain', () => {
  it('has the ten places nearest to the partner at which it was issued, or else the first ten', async () => {
    const pass = await makePass(client, { locations: chain() });
    const [north, nowhere] = [await partnerAt(900), await partnerAt(null)];
    const first = [...chain(10).keys()];
    for (const [partnerId, wanted] of [
      [north.partnerId, aroundNorth],
      [nowhere.partnerId, first],
      [undefined, first],
    ] as const) {
      const card = await makeCard(client, pass.passId, { partnerId });
      assert.deepEqual(placesOn(await onPhone(card)), wanted);
      await shop.save(card);
      await shop.synced(card);
      assert.deepEqual(shop.object(card).merchantLocations, points(wanted.map(place)));
    }
    assert.deepEqual(shop.class(pass).merchantLocations ?? [], []);
  });

  it('of no more than ten shows all of them, whatever the partner', async () => {
    const pass = await makePass(client, { locations: chain(10) });
    const card = await shop.savedCard(pass, { partnerId: (await partnerAt(900)).partnerId });
    assert.deepEqual(placesOn(await onPhone(card)), [...chain(10).keys()]);
    assert.deepEqual(shop.class(pass).merchantLocations, points(chain(10)));
    assert.equal('merchantLocations' in shop.object(card), false);
  });

  it('follows the pass over ten and back', async () => {
    const pass = await makePass(client, { locations: chain(10) });
    const card = await shop.savedCard(pass, { partnerId: (await partnerAt(15)).partnerId });
    const phone = await onPhone(card);
    const change = (count: number) => client.patch(`/passes/${pass.passId}`, { locations: chain(count) });
    assert.equal((await change(20)).status, 200);
    const nearest = [15, 16, 14, 17, 13, 18, 12, 19, 11, 10];
    await until('the phone has the nearest', () => placesOn(phone).join() === nearest.join());
    await until('Google has them', () => shop.object(card).merchantLocations?.length === 10);
    assert.deepEqual(shop.object(card).merchantLocations, points(nearest.map(place)));
    assert.deepEqual(shop.class(pass).merchantLocations ?? [], []);
    assert.equal((await change(5)).status, 200);
    await until('the phone has the five', () => placesOn(phone).join() === '0,1,2,3,4');
    await until('Google has them again', () => shop.class(pass).merchantLocations?.length === 5);
    await until('the object has none', () => (shop.object(card).merchantLocations ?? []).length === 0);
  });

  it('follows its partner, and keeps its places when that is deleted', async () => {
    const pass = await makePass(client, { locations: chain() });
    const few = await makePass(client, { locations: chain(2) });
    const partner = await partnerAt(null);
    const card = await makeCard(client, pass.passId, { partnerId: partner.partnerId });
    const phone = await onPhone(card);
    const path = `/partners/${partner.partnerId}`;
    const rollouts = async ({ passId }: Json) => (await client.get(`/passes/${passId}`)).body.rollout;
    assert.equal((await client.patch(path, { name: 'Renamed' })).status, 200);
    assert.equal(await rollouts(pass), null);
    const moved = await client.patch(path, { location: { latitude: 9.001, longitude: 13 } });
    assert.equal(moved.status, 200, moved.text);
    await until('the phone has the nearest', () => placesOn(phone).join() === aroundNorth.join());
    assert.equal(await rollouts(few), null);
    assert.equal((await client.delete(path)).status, 204);
    assert.deepEqual(placesOn(await onPhone(card)), aroundNorth);
  });

  it('says at each place what that says in the language of the phone', async () => {
    // Where one is missing the place says its own, and the card is shown in the language all the same.
    const german = {
      title: 'Kette',
      locations: chain(30).map((_, at) => (at === 20 ? null : `Laden ${at}`)),
    };
    const pass = await makePass(client, {
      title: 'Chain',
      locations: chain(30),
      fields: [],
      translations: { de: german },
    });
    assert.equal((await client.get(`/passes/${pass.passId}`)).body.warnings, undefined);
    const card = await makeCard(client, pass.passId, { partnerId: (await partnerAt(20)).partnerId });
    const { cards } = await onPhone(card, ['de', 'en']);
    const held = cards[0]?.pass as Json;
    assert.equal(held.logoText, 'Kette');
    assert.deepEqual(
      held.locations.slice(0, 3).map(({ relevantText }: Json) => relevantText),
      ['Shop number 20', 'Laden 21', 'Laden 19'],
    );
  });
});
