import assert from 'node:assert/strict';
import { randomUUID, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Json } from '../../test/client.ts';
import { makeCard } from '../../test/factories.ts';
import { Phones, startDevelopmentApns, until } from '../../test/wallets.ts';
import { validatePkpass } from '../../tools/validator/validate-pkpass.ts';
import { extractZip, listZip } from '../../tools/validator/zip-reader.ts';
import { GoogleShop, startGoogleApp } from '../delivery/google/google.fixture.ts';
import { OpenBrowser } from '../delivery/web/browser.fixture.ts';
import { award, makeProgram } from './account.fixture.ts';

const apns = await startDevelopmentApns();
const { app, google } = await startGoogleApp({ APNS_URL: apns.url });
const phones = new Phones(app, apns);
const root = new X509Certificate(readFileSync(join(app.config.dataDir, 'apple-development', 'root.pem')));
const points = { mode: 'POINTS', reward: { title: 'Free coffee', cost: 100 } };
const tenStamps = { mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };

let shop: GoogleShop;
beforeEach(async () => {
  shop = await GoogleShop.open(app, google, 1_000);
});

/** A card of a pass with a launched program. */
async function cardWith(program: object, design: object = {}, holder: object = {}): Promise<Json> {
  const { pass } = await makeProgram(shop.client, program, { design });
  return makeCard(shop.client, pass.passId, { holder: { identifier: randomUUID(), ...holder } });
}

/** The pass file of a card that the strict validator has nothing against. */
async function passFile(card: Json): Promise<{ json: Json; files: Map<string, Buffer>; bytes: Buffer }> {
  const { body, headers } = await app.anyone.get(card.links.apple);
  assert.deepEqual(validatePkpass(body, { root, now: new Date() }), []);
  const report = (_rule: string, message: string) => assert.fail(message);
  const files = extractZip(body, listZip(body, report) ?? [], { entries: 100, bytes: 10_000_000 }, report);
  assert.ok(files !== null);
  assert.ok(headers.get('last-modified'));
  return { json: JSON.parse(String(files.get('pass.json'))), files, bytes: body };
}

/** The last day on which the next points of a card to expire count. */
async function lastDayOf({ passId, holder }: Json, locale: string): Promise<string> {
  const { body } = await shop.client.get(`/loyalty/holders/${holder.identifier}?passId=${passId}`);
  const format = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return format.format(Date.parse(body.nextExpiry.at) - 1);
}

/** The fields of a section as `key: value`. */
const section = (json: Json, name: string, style = 'storeCard'): string[] =>
  (json[style][`${name}Fields`] ?? []).map(({ key, value }: Json) => `${key}: ${value}`);

describe('the pass file', () => {
  it('shows the balance first, the reward, and what expires next', async () => {
    const card = await cardWith({ ...points, expiry: { months: 3 } }, { language: 'de' });
    await award(shop.client, card, 1_250);
    const { json, files } = await passFile(card);
    const lastDay = await lastDayOf(card, 'de');
    assert.deepEqual(json.storeCard.headerFields, [
      { key: 'loyalty-balance', label: 'Punkte', value: '1.250', changeMessage: 'Punkte: %@' },
    ]);
    assert.deepEqual(section(json, 'secondary'), ['tier: Bronze', 'loyalty-reward: Free coffee: 100 Punkte']);
    assert.deepEqual(section(json, 'back'), [`loyalty-expiry: 1.250 Punkte am ${lastDay}`, 'latest-news: –']);
    assert.ok(![...files.keys()].some((name) => name.startsWith('strip')));
  });

  it('shows nothing of a program before its launch, and all of a paused one', async () => {
    const { pass, program } = await makeProgram(shop.client, points, { launched: false });
    const card = await makeCard(shop.client, pass.passId);
    const before = await passFile(card);
    assert.equal(before.json.storeCard.headerFields, undefined);
    const status = (to: string) =>
      shop.client.patch(`/loyalty/programs/${program.programId}`, { status: to });
    await status('active');
    const launched = await passFile(card);
    assert.deepEqual(section(launched.json, 'header'), ['loyalty-balance: 0']);
    await status('paused');
    assert.deepEqual((await passFile(card)).bytes, launched.bytes);
  });

  const strips = { loyalty: 123, giftCard: 144, coupon: 144, eventTicket: 98, generic: null };
  const styles = {
    loyalty: 'storeCard',
    giftCard: 'storeCard',
    coupon: 'coupon',
    eventTicket: 'eventTicket',
    generic: 'generic',
  };
  for (const [type, height] of Object.entries(strips)) {
    it(`draws the stamps of a ${type} ${height === null ? 'not at all' : 'as its strip'}`, async () => {
      const card = await cardWith(tenStamps, {
        type,
        fields: [{ key: 'tier', label: 'Tier', value: 'Bronze', section: 'primary' }],
      });
      const others = ['tier: Bronze', 'loyalty-reward: Free coffee: 10 stamps'];
      if (height !== null)
        assert.deepEqual(
          section((await passFile(card)).json, 'auxiliary', styles[type as keyof typeof styles]),
          others,
        );
      await award(shop.client, card, 23);
      const { json, files } = await passFile(card);
      const style = styles[type as keyof typeof styles];
      assert.deepEqual(section(json, 'header', style), ['loyalty-balance: 3 of 10']);
      const sizes = ['strip.png', 'strip@2x.png', 'strip@3x.png'].flatMap((name) => {
        const png = files.get(name);
        return png === undefined ? [] : [[png.readUInt32BE(16), png.readUInt32BE(20)]];
      });
      if (height === null) {
        assert.deepEqual(sizes, []);
        assert.deepEqual(section(json, 'primary', style), ['tier: Bronze']);
        return;
      }
      assert.deepEqual(
        sizes,
        [1, 2, 3].map((scale) => [375 * scale, height * scale]),
      );
      assert.deepEqual(section(json, 'primary', style), [], 'nothing is written across the stamps');
      assert.deepEqual(section(json, 'secondary', style), ['loyalty-pending: Free coffee × 2']);
      // A ticket has two rows. Where there is one, a ready reward has it to itself.
      assert.deepEqual(section(json, 'auxiliary', style), type === 'eventTicket' ? others : []);
    });
  }

  it('is another one after an award, and the same until then', async () => {
    const card = await cardWith(tenStamps);
    const strip = async () => {
      const { files, bytes } = await passFile(card);
      return { bytes, png: files.get('strip@3x.png') };
    };
    const first = await strip();
    assert.deepEqual(await strip(), first);
    await award(shop.client, card, 1);
    const second = await strip();
    assert.notDeepEqual(second.png, first.png);
    const target = { passId: card.passId, instanceId: card.instanceId };
    await shop.client.post('/loyalty/adjust', { ...target, points: -1, reason: 'Not theirs' });
    assert.deepEqual((await strip()).png, first.png);
  });

  it('has no strip when the shop wants none', async () => {
    const { files, json } = await passFile(await cardWith({ ...tenStamps, drawsStamps: false }));
    assert.ok(!files.has('strip.png'));
    assert.deepEqual(section(json, 'header'), ['loyalty-balance: 0 of 10']);
  });

  it('shows on the lock screen an award, of a first reward and of the next', async () => {
    const card = await cardWith(tenStamps);
    const phone = await phones.add([card]);
    const awards = [
      [9, 'Stamps: 9 of 10'],
      [1, 'Stamps: 0 of 10 · Free coffee × 1'],
      [5, 'Stamps: 5 of 10 · Free coffee × 1'],
      [10, 'Ready to redeem: Free coffee × 2'],
    ] as const;
    for (const [stamps, text] of awards) {
      const known = phone.notifications.length;
      assert.equal((await award(shop.client, card, stamps)).pushed, true);
      await until(`the phone to say ${text}`, () => phone.notifications.length > known);
      assert.equal(phone.notifications.at(-1)?.text, text);
    }
  });
});

describe('Google Wallet', () => {
  it('shows the points of a loyalty card in their own place', async () => {
    const card = await cardWith(points);
    await award(shop.client, card, 120);
    await shop.save(card);
    const object = shop.object(card);
    assert.deepEqual(object.loyaltyPoints, { label: 'Points', balance: { string: '120' } });
    assert.equal(object.heroImage ?? null, null);
    const ids = object.textModulesData.map(({ id }: Json) => id);
    assert.deepEqual(ids, ['tier', 'loyalty-reward']);
    const template = JSON.stringify(shop.class({ passId: card.passId }).classTemplateInfo);
    assert.match(template, /object\.loyaltyPoints\.balance/);
    assert.match(template, /object\.textModulesData\['loyalty-reward'\]/);
  });

  it('shows those of other types among its texts', async () => {
    const card = await cardWith(points, { type: 'generic' });
    await shop.save(card);
    assert.equal(shop.shows(card, 'loyalty-balance', 'generic'), '0');
  });

  it('has one class for the cards of a pass, whatever they have and read', async () => {
    const { pass } = await makeProgram(shop.client, tenStamps, { design: { language: 'de' } });
    const cards = [];
    for (const [stamps, locale] of [
      [0, 'en'],
      [17, 'de-AT'],
    ] as const) {
      const card = await makeCard(shop.client, pass.passId, { holder: { locale } });
      if (stamps > 0) await award(shop.client, card, stamps);
      await shop.save(card);
      cards.push(card);
    }
    assert.deepEqual(shop.requests(shop.classId(pass)), ['POST loyaltyClass']);
    assert.equal(shop.object(cards[1] as Json).loyaltyPoints.balance.string, '7 von 10');
    assert.equal(shop.shows(cards[1] as Json, 'loyalty-pending'), 'Free coffee × 1');
  });

  it('shows the stamps as a picture that anyone may fetch and keep', async () => {
    const card = await cardWith(tenStamps, { colors: { background: '#10324a' } });
    await award(shop.client, card, 3);
    await shop.save(card);
    const { uri } = shop.object(card).heroImage.sourceUri;
    assert.equal(uri, `https://cards.example.test/passes/${card.passId}/stamps/3-10.png?v=10324a-ffffff`);
    const picture = await app.anyone.get(uri);
    assert.equal(picture.status, 200);
    assert.equal(picture.headers.get('content-type'), 'image/png');
    assert.match(picture.headers.get('cache-control') ?? '', /^public, max-age=31536000, immutable$/);
    assert.deepEqual([picture.body.readUInt32BE(16), picture.body.readUInt32BE(20)], [1032, 336]);
    const known = { headers: { 'if-none-match': picture.headers.get('etag') ?? '' } };
    assert.equal((await app.anyone.get(uri, known)).status, 304);
    const path = `/passes/${card.passId}/stamps`;
    for (const name of ['0-1', '100-100'])
      assert.equal((await app.anyone.get(`${path}/${name}.png`)).status, 200);
    for (const name of ['11-10', '0-0', '0-101'])
      assertRefused(await app.anyone.get(`${path}/${name}.png`), 'pass_not_found');
    for (const name of ['01-10', '1e1-10', '-1-10', '3-1000'])
      assert.ok([400, 404].includes((await app.anyone.get(`${path}/${name}.png`)).status), name);
    assertRefused(await app.anyone.get(`/passes/pass_0/stamps/3-10.png`), 'pass_not_found');
  });
});

describe('the web card', () => {
  it('draws the stamps, and follows an award by itself', async () => {
    const card = await cardWith(tenStamps);
    await award(shop.client, card, 3);
    const browser = await OpenBrowser.open(app.url, card);
    const stampsIn = (face: string) => face.split('<circle r="1" ').length - 1;
    const first = browser.states[0];
    assert.equal(stampsIn(first?.face ?? ''), 3);
    assert.match(first?.face ?? '', /3 of 10/);
    await award(shop.client, card, 7);
    await until('the award to show', () => browser.states.length > 1);
    const second = browser.states.at(-1);
    assert.equal(stampsIn(second?.face ?? ''), 0);
    assert.match(second?.face ?? '', /Free coffee × 1/);
    assert.equal(second?.facts['field loyalty-pending'], 'Ready to redeem: Free coffee × 1');
    browser.close();
  });

  it('is the same picture on the page that offers the wallets', async () => {
    const card = await cardWith({ ...tenStamps, expiry: { months: 3 } });
    await award(shop.client, card, 4);
    const lastDay = await lastDayOf(card, 'en');
    const { text } = await app.anyone.get(card.links.add, { headers: { accept: 'text/html' } });
    assert.equal(text.split('<circle r="1" ').length - 1, 4);
    assert.match(text, new RegExp(`Next to expire</dt><dd[^>]*>4 stamps on ${lastDay}`));
  });

  it('has no picture of points', async () => {
    const card = await cardWith(points);
    const { text } = await app.anyone.get(card.links.card, { headers: { accept: 'text/html' } });
    assert.match(text, /Points<\/bdi><\/dt><dd><bdi>0</);
    assert.doesNotMatch(text, /<svg class="stamps"/);
  });
});
