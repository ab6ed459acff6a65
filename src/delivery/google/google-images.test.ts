import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, describe, it } from 'node:test';
import type { Json } from '../../../test/client.ts';
import { makeCard } from '../../../test/factories.ts';
import { until } from '../../../test/wallets.ts';
import { decodeId } from '../../kit/ids.ts';
import { makeProgram } from '../../loyalty/account.fixture.ts';
import { imageSettings, startImageHost } from '../../passes/images/images.fixture.ts';
import { readCardRows } from '../../rendering/read-cards.ts';
import { GoogleShop, startGoogleApp } from './google.fixture.ts';
import { googleCard } from './google-card.ts';

const host = await startImageHost();
const { app, google } = await startGoogleApp(imageSettings);
let shop: GoogleShop;
beforeEach(async () => {
  shop = await GoogleShop.open(app, google, 1_000);
});

/** What Google finds at the address of a picture: its size in pixels. */
async function sizeOf(image: Json): Promise<[width: number, height: number]> {
  const { uri } = image.sourceUri;
  assert.match(uri, /^https:\/\/cards\.example\.test\/images\/[0-9a-f]{64}\.png$/);
  const { status, body, headers } = await app.anyone.get(uri);
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'image/png');
  return [body.readUInt32BE(16), body.readUInt32BE(20)];
}

/** Where each type has its logo. */
const logos: Record<string, string> = {
  loyalty: 'programLogo',
  giftCard: 'programLogo',
  coupon: 'titleImage',
  eventTicket: 'logo',
  generic: 'logo',
};

describe('the images of a card at Google', () => {
  for (const [type, logo] of Object.entries(logos)) {
    it(`are a logo to be masked and a hero above the card, for the type ${type}`, async () => {
      const pass = await shop.pass({ type, ...(await host.urls()) });
      const card = await shop.savedCard(pass);
      const [place, other] = [shop.class(pass, type), shop.object(card, type)];
      const bearer = type === 'generic' ? other : place;
      assert.deepEqual(await sizeOf(bearer[logo]), [660, 660]);
      assert.deepEqual(await sizeOf(bearer.heroImage), [1032, 336]);
      assert.equal(bearer.heroImage.contentDescription.defaultValue.value, 'Blue Bean Club');
      assert.equal((type === 'generic' ? place : other).heroImage, undefined);
    });
  }

  it('have the strip for a hero where there is no other', async () => {
    const urls = await host.urls(['stripUrl', 'heroUrl']);
    const both = await shop.pass(urls);
    const strip = await shop.pass({ stripUrl: urls.stripUrl });
    const none = await shop.pass();
    for (const pass of [both, strip, none]) await shop.save(await shop.card(pass));
    const [hero, stripped, bare] = [both, strip, none].map((pass) => shop.class(pass).heroImage);
    assert.notEqual(hero.sourceUri.uri, stripped.sourceUri.uri);
    assert.deepEqual(await sizeOf(stripped), [1032, 336]);
    assert.equal(bare, undefined);
    assert.match(shop.class(none).programLogo.sourceUri.uri, /\/passes\/pass_\w+\/logo\.png\?v=/);
  });

  it('of which there are none leave the class what it was before there were any', async () => {
    const card = await shop.card(await shop.pass());
    const ctx = { app: app.running.app, requestId: 'req_test' };
    const named = { workspaceId: shop.workspaceId, instanceId: decodeId('inst', card.instanceId) ?? '' };
    const [row] = await readCardRows(ctx, [named]);
    assert.ok(row);
    const { resource, content } = googleCard(ctx, google.issuerId, row).class;
    const later = [
      ...['heroImage', 'linksModuleData', 'localizedProgramName', 'appLinkData', 'viewUnlockRequirement'],
      ...['securityAnimation', 'enableSmartTap', 'redemptionIssuers', 'valueAddedModuleData'],
    ];
    const members = Object.entries(resource);
    assert.ok(members.every(([name, member]) => member === null || !later.includes(name)));
    const others = Object.fromEntries(members.filter(([name]) => !later.includes(name)));
    assert.deepEqual(content, createHash('sha256').update(JSON.stringify(others)).digest());
  });

  it('give way to the stamps, which each card has of its own', async () => {
    const tenStamps = { mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };
    const { pass } = await makeProgram(shop.client, tenStamps, { design: await host.urls() });
    const card = await makeCard(shop.client, pass.passId);
    await shop.save(card);
    assert.match(shop.object(card).heroImage.sourceUri.uri, /\/stamps\/0-10\.png/);
    assert.equal(shop.class(pass).heroImage, undefined);
    assert.deepEqual(await sizeOf(shop.class(pass).programLogo), [660, 660]);
  });

  it('change in one request however many cards there are, and go when they are taken away', async () => {
    const pass = await shop.pass(await host.urls(['logoUrl', 'heroUrl']));
    const cards = [await shop.savedCard(pass), await shop.savedCard(pass), await shop.savedCard(pass)];
    const patches = () => shop.requests(shop.classId(pass)).filter((request) => request.startsWith('PATCH'));
    const before = shop.class(pass);
    const path = `/passes/${pass.passId}`;

    await shop.client.patch(path, await host.urls(['logoUrl', 'heroUrl']));
    const changed = await shop.client.patch(path, { heroUrl: await host.url('heroUrl', 20) });
    assert.equal(changed.status, 200);
    const hero = () => shop.class(pass).heroImage?.sourceUri.uri;
    await until('Google has the hero', () => hero() !== before.heroImage.sourceUri.uri);
    await shop.settled();
    assert.equal(patches().length, 1, 'the same pictures from elsewhere are nothing new');
    assert.deepEqual(shop.class(pass).programLogo, before.programLogo);

    await shop.client.patch(path, { logoUrl: await host.url('logoUrl', 20) });
    const logo = () => shop.class(pass).programLogo.sourceUri.uri;
    await until('Google has the logo', () => logo() !== before.programLogo.sourceUri.uri);
    await shop.client.patch(path, { logoUrl: null, heroUrl: null });
    await until('Google has no hero', () => hero() === undefined);
    assert.match(logo(), /\/logo\.png\?v=/);
    await shop.settled();
    for (const card of cards) assert.deepEqual(shop.patches(card), []);
  });

  it('of a generic card go, too', async () => {
    const pass = await shop.pass({ type: 'generic', ...(await host.urls(['logoUrl', 'heroUrl'])) });
    const card = await shop.savedCard(pass);
    await shop.client.patch(`/passes/${pass.passId}`, { logoUrl: null, heroUrl: null });
    await until('Google has no hero', () => shop.object(card, 'generic').heroImage === undefined);
    assert.equal(shop.object(card, 'generic').logo, undefined);
  });
});
