import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, type Json } from '../../../test/client.ts';
import { makeCard, makePass } from '../../../test/factories.ts';
import { until } from '../../../test/wallets.ts';
import { extractZip, listZip } from '../../../tools/validator/zip-reader.ts';
import { GoogleShop, startGoogleApp } from '../../delivery/google/google.fixture.ts';
import { imageSettings, startImageHost } from './images.fixture.ts';

const host = await startImageHost();
const { app, google } = await startGoogleApp(imageSettings);
const shop = await GoogleShop.open(app, google, 1_000);
const { client } = shop;

const german = { title: 'Blaue Bohne' };
const [own, other] = [200, 20];
/** A design whose only words are its title. */
const pictured = async () => ({
  fields: [],
  logoUrl: await host.url('logoUrl', own),
  heroUrl: await host.url('heroUrl', own),
});

/** The largest logo in a card's pass file. */
async function logoOf(card: Json): Promise<Buffer | undefined> {
  const { body } = await app.anyone.get(card.links.apple);
  const silent = () => undefined;
  const files = extractZip(body, listZip(body, silent) ?? [], { entries: 100, bytes: 1e8 }, silent);
  return files?.get('logo@3x.png');
}

const issue = (passId: string, locale: string) => makeCard(client, passId, { holder: { locale } });
const translationsOf = async (passId: string) => (await client.get(`/passes/${passId}`)).body.translations;

describe('images of a translation', () => {
  it('are on the cards of holders who read it, and the own ones on all others', async () => {
    const images = { logoUrl: await host.url('logoUrl', other) };
    const pass = await makePass(client, {
      ...(await pictured()),
      translations: { de: { ...german, images } },
    });
    assert.deepEqual(pass.translations.de.images, images);
    const [inGerman, inFrench, unknown] = [
      await issue(pass.passId, 'de-AT'),
      await issue(pass.passId, 'fr'),
      await makeCard(client, pass.passId),
    ];
    const logos = await Promise.all([inGerman, inFrench, unknown].map(logoOf));
    assert.ok(logos[0] && logos[1] && !logos[0].equals(logos[1]));
    assert.deepEqual(logos[1], logos[2]);
    const shown = pass.images.logoUrl.url.split('/').pop();
    const pages = await Promise.all(
      [inGerman, inFrench].map(async (card) => (await app.anyone.get(card.links.card)).text),
    );
    assert.deepEqual(
      pages.map((page) => page.includes(shown)),
      [false, true],
    );
    const { card: link } = unknown.links;
    const asked = await app.anyone.with({ 'accept-language': 'de' }).get(link.replace(/\/card$/, ''));
    assert.ok(!asked.text.includes(shown));
  });

  it('are the picture above the card at Google', async () => {
    const images = { heroUrl: await host.url('heroUrl', other) };
    const pass = await shop.pass({ ...(await pictured()), translations: { de: { ...german, images } } });
    const inGerman = await shop.savedCard(pass, { holder: { locale: 'de' } });
    const inEnglish = await shop.savedCard(pass, { holder: { locale: 'en' } });
    const hero = shop.object(inGerman).heroImage?.sourceUri.uri;
    assert.match(hero, /\/images\/[0-9a-f]{64}\.png$/);
    assert.notEqual(hero, shop.class(pass).heroImage.sourceUri.uri);
    assert.equal(shop.object(inEnglish).heroImage, undefined);
    await client.patch(`/passes/${pass.passId}`, { translations: { de: german } });
    await until('it is that of all again', () => shop.object(inGerman).heroImage === undefined);
  });

  it('are fetched once, and go with the image that they replace, with their language, or when they are left out', async () => {
    const logoUrl = await host.url('logoUrl', other);
    const { passId } = await makePass(client, {
      ...(await pictured()),
      translations: { de: { ...german, images: { logoUrl } }, fr: { title: 'Haricot', images: { logoUrl } } },
    });
    const patch = (body: object) => client.patch(`/passes/${passId}`, body);
    const card = await issue(passId, 'de');
    const before = await logoOf(card);
    const again = await patch({ translations: { de: { title: 'Bohne', images: { logoUrl } } } });
    assert.equal(again.status, 200, again.text);
    assert.deepEqual(await logoOf(card), before);
    await patch({ translations: { de: german } });
    assert.deepEqual(await translationsOf(passId), {
      de: german,
      fr: { title: 'Haricot', images: { logoUrl } },
    });
    assert.notDeepEqual(await logoOf(card), before);
    await patch({ logoUrl: null });
    assert.deepEqual(await translationsOf(passId), { de: german, fr: { title: 'Haricot' } });
    const copy = await client.post(`/passes/${passId}/clone`);
    assert.equal(copy.status, 201);
  });

  it('change the cards of those who see them', async () => {
    const logoUrl = await host.url('logoUrl', other);
    const pass = await shop.pass({
      ...(await pictured()),
      translations: { de: { ...german, images: { logoUrl } } },
    });
    const card = await issue(pass.passId, 'de');
    const before = await logoOf(card);
    const images = { logoUrl: await host.url('logoUrl', 100) };
    const changed = await client.patch(`/passes/${pass.passId}`, {
      translations: { de: { ...german, images } },
    });
    assert.equal(changed.status, 200, changed.text);
    assert.notDeepEqual(await logoOf(card), before);
  });

  it('are refused by path where the pass has none, or where nothing can be fetched, and nothing is saved', async () => {
    const pass = await makePass(client, await pictured());
    const send = (slot: string, url: string) =>
      client.patch(`/passes/${pass.passId}`, {
        translations: { de: { ...german, images: { [slot]: url } } },
      });
    const orphan = await send('stripUrl', await host.url('stripUrl'));
    assertRefused(orphan, 'invalid_request', /^translations\.de\.images\.stripUrl: replaces an image/);
    const gone = await send('logoUrl', `${await host.url('logoUrl')}.gone`);
    const reason = { slot: 'logoUrl', reason: 'bad_status' };
    assert.equal(gone.body.code, 'asset_fetch_failed', gone.text);
    assert.match(gone.body.error, /^translations\.de\.images\.logoUrl: /);
    assert.equal(gone.body.slot, reason.slot);
    assertRefused(await send('otherUrl', 'https://shop.example/a.png'), 'invalid_request');
    assert.deepEqual(await translationsOf(pass.passId), {});
  });
});
