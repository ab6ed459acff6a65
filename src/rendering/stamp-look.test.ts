import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import sharp from 'sharp';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { Phones, startDevelopmentApns, until } from '../../test/wallets.ts';
import { extractZip, listZip } from '../../tools/validator/zip-reader.ts';
import { cardColors } from '../cards/card-colors.ts';
import { GoogleShop, startGoogleApp } from '../delivery/google/google.fixture.ts';
import { award, makeProgram } from '../loyalty/account.fixture.ts';
import { stampsDrawing } from './stamps-drawing.ts';

const apns = await startDevelopmentApns();
const { app, google } = await startGoogleApp({ APNS_URL: apns.url });
const phones = new Phones(app, apns);
const tenStamps = { mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };
const colors = { background: '#10324a', foreground: '#ffffff', label: '#ffffff' };
const { shade } = cardColors(colors);
const plainLook = { over: 'plain', icon: null, color: null, markColor: null };
const strips = ['strip.png', 'strip@2x.png', 'strip@3x.png'];

let client: Client;
let shop: GoogleShop;
beforeEach(async () => {
  shop = await GoogleShop.open(app, google, 1_000);
  ({ client } = shop);
});

/** The address of an uploaded picture: its left half in one colour, its right half in another. */
async function halves(left: string, right: string, width = 1_200, height = 400): Promise<string> {
  const half = { create: { width: width / 2, height, channels: 3, background: left } } as const;
  const bytes = await sharp({ create: { width, height, channels: 3, background: right } })
    .composite([{ input: await sharp(half).png().toBuffer(), left: 0, top: 0 }])
    .png()
    .toBuffer();
  const { body } = await client.post('/images', bytes, { headers: { 'content-type': 'image/png' } });
  return body.url;
}

/** A card with three stamps, of a pass with a launched program. */
async function cardOf(design: object): Promise<Json> {
  const { pass } = await makeProgram(client, tenStamps, { design: { colors, ...design } });
  const card = await makeCard(client, pass.passId);
  await award(client, card, 3);
  return card;
}

async function imagesOf(card: Json): Promise<Map<string, Buffer>> {
  const { body } = await app.anyone.get(card.links.apple);
  const silent = () => undefined;
  const limits = { entries: 100, bytes: 10_000_000 };
  const files = extractZip(body, listZip(body, silent) ?? [], limits, silent) ?? new Map<string, Buffer>();
  return new Map([...files].filter(([name]) => name.startsWith('strip')));
}

/** The colour of a picture at a point, which 256 colours do not hit exactly. */
async function colorAt(png: Buffer, x: number, y: number): Promise<readonly number[]> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.round(y) * info.width + Math.round(x)) * info.channels;
  return [...data.subarray(at, at + 3)];
}

function assertNear(found: readonly number[], wanted: string, what: string): void {
  const value = Number.parseInt(wanted.slice(1), 16);
  const channels = [value >> 16, (value >> 8) & 255, value & 255];
  const isNear = found.every((channel, at) => Math.abs(channel - (channels[at] ?? 0)) <= 16);
  assert.ok(isNear, `${what}: ${found} is not ${channels}`);
}

/** A photo below the veil that all of it has. */
function veiled(photo: string): string {
  const [one, other] = [photo, shade].map((color) => Number.parseInt(color.slice(1), 16));
  const mixed = [16, 8, 0].map((bits) =>
    Math.round(0.7 * (((one ?? 0) >> bits) & 255) + 0.3 * (((other ?? 0) >> bits) & 255)),
  );
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** Near the upper edge of the first stamp, above what is on it: in points of a picture of that size. */
function onFirst(size: { width: number; height: number }): readonly [number, number] {
  const drawing = stampsDrawing({ filled: 3, threshold: 10 }, size, { ink: '#000', mark: '#fff' });
  const [, x, y, radius] = /translate\(([\d.]+) ([\d.]+)\) scale\(([\d.]+)\)/.exec(drawing) ?? [];
  return [Number(x), Number(y) - 0.85 * Number(radius)];
}

describe('stamps on a picture', () => {
  const look = { over: 'image', icon: 'cup', color: '#f2c14e', markColor: '#4a2b18' };

  it('are one picture of both in the pass file, in all three sizes, with the colours of the pass', async () => {
    const stripUrl = await halves('#c02040', '#20a0c0');
    const card = await cardOf({ stripUrl, stamps: look });
    const images = await imagesOf(card);
    assert.deepEqual([...images.keys()], strips);
    for (const [at, name] of strips.entries()) {
      const png = images.get(name) ?? Buffer.alloc(0);
      const scale = at + 1;
      assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [375 * scale, 123 * scale]);
      assertNear(await colorAt(png, 5, 5), veiled('#c02040'), `${name}, photo at the left`);
      const right = await colorAt(png, 375 * scale - 5, 123 * scale - 5);
      assertNear(right, veiled('#20a0c0'), `${name}, photo at the right`);
      const [x, y] = onFirst({ width: 375, height: 123 });
      assertNear(await colorAt(png, x * scale, y * scale), '#f2c14e', `${name}, a stamp`);
    }
    assert.deepEqual(await imagesOf(card), images, 'equal bytes when drawn again');
  });

  it('fill a strip of any height and an image that is small, and are plain without an image', async () => {
    const coupon = await cardOf({
      type: 'coupon',
      stripUrl: await halves('#c02040', '#20a0c0', 400, 110),
      stamps: { over: 'image' },
    });
    const png = (await imagesOf(coupon)).get('strip@3x.png') ?? Buffer.alloc(0);
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1_125, 432]);
    for (const y of [5, 427]) assertNear(await colorAt(png, 5, y), veiled('#c02040'), `at ${y}`);
    const [plain, over] = await Promise.all([cardOf({}), cardOf({ stamps: { over: 'image' } })]);
    assert.deepEqual(await imagesOf(over), await imagesOf(plain));
  });

  it('are what Google fetches, at an address that changes with the image and with the look', async () => {
    const heroUrl = await halves('#c02040', '#20a0c0');
    const card = await cardOf({ heroUrl, stamps: look });
    await shop.save(card);
    const addressOf = () => shop.object(card).heroImage?.sourceUri.uri as string;
    const first = addressOf();
    assert.match(first, /\/stamps\/3-10\.png\?v=10324a-ffffff-[0-9a-f]{16}$/);
    assert.ok(!shop.class({ passId: card.passId }).heroImage, 'its class has no other picture');
    const hero = (await app.anyone.get(first)).body;
    assert.deepEqual([hero.readUInt32BE(16), hero.readUInt32BE(20)], [1032, 336]);
    assertNear(await colorAt(hero, 5, 5), veiled('#c02040'), 'the photo');
    const [x, y] = onFirst({ width: 344, height: 112 });
    assertNear(await colorAt(hero, 3 * x, 3 * y), '#f2c14e', 'a stamp');
    const other = await app.anyone.get(first.replace('3-10', '3-11'));
    assertNear(
      await colorAt(other.body, 5, 5),
      shade,
      'no program has so many stamps: it costs no drawing on the photo',
    );
    let last = first;
    for (const changes of [
      { heroUrl: await halves('#408020', '#408020') },
      { stamps: { icon: 'star' } },
      { stamps: { color: '#ffffff' } },
      { stamps: { over: 'plain' } },
    ]) {
      assert.equal((await client.patch(`/passes/${card.passId}`, changes)).status, 200);
      await until('another address', () => addressOf() !== last);
      last = addressOf();
    }
    const plain = (await app.anyone.get(last)).body;
    assertNear(await colorAt(plain, 5, 5), shade, 'the plain ground');
  });

  it('are drawn so in previews, on the link page and on the web card', async () => {
    const stripUrl = await halves('#c02040', '#20a0c0');
    const card = await cardOf({ stripUrl, stamps: look });
    for (const platform of ['apple', 'google']) {
      const path = `/passes/${card.passId}/preview.svg?platform=${platform}&instanceId=${card.instanceId}`;
      const { text } = await client.get(path);
      assert.match(text, /<image [^>]*xMidYMid slice[^>]*data:image\/png.*<circle r="1" fill="#f2c14e"/s);
      assert.equal(text.split('<circle r="1" fill="#f2c14e"/>').length - 1, 3);
    }
    for (const link of [card.links.add, card.links.card]) {
      const { text } = await app.anyone.get(link, { headers: { accept: 'text/html' } });
      assert.match(text, /<svg class="stamps across"[^>]*><image href="[^"]*[0-9a-f]{64}\.png" /);
      const [, href = ''] = /<image href="([^"]+)"/.exec(text) ?? [];
      const picture = await app.anyone.get(new URL(href, new URL(link, app.url)).pathname);
      assert.equal(picture.status, 200, href);
    }
    const drawn = await client.post('/passes/preview', { passId: card.passId, stamps: { over: 'plain' } });
    assert.doesNotMatch(drawn.body.apple, /<image /);
    assert.match(drawn.body.web.html, /<svg class="stamps" /);
  });
});

describe('the look of stamps', () => {
  it('reaches phones when it changes, and is audited, an event and cloned with its pass', async () => {
    const card = await cardOf({});
    const phone = await phones.add([card]);
    const before = await imagesOf(card);
    const held = phone.cards[0]?.lastModified;
    const path = `/passes/${card.passId}`;
    const { body } = await client.get(path);
    assert.deepEqual(body.stamps, plainLook);
    const same = await client.patch(path, { stamps: { over: 'plain', color: null } });
    assert.equal(same.body.rollout?.rolloutId, body.rollout?.rolloutId, 'nothing to push');
    const changed = await client.patch(path, { stamps: { icon: 'cup', color: '#f2c14e' } });
    assert.deepEqual(changed.body.stamps, { ...plainLook, icon: 'cup', color: '#f2c14e' });
    await until('the phone has the new one', () => phone.cards[0]?.lastModified !== held);
    assert.notDeepEqual(await imagesOf(card), before);
    const { body: audited } = await client.get('/audit?action=updatePass');
    assert.deepEqual(audited.data[0].detail.after.stamps, changed.body.stamps);
    const { body: events } = await client.get('/events?type=pass.updated&limit=1');
    assert.deepEqual(events.data[0].previous, { stamps: plainLook });
    const clone = await client.post(`${path}/clone`, {});
    assert.deepEqual(clone.body.stamps, changed.body.stamps);
    const merged = await client.patch(path, { stamps: { icon: null } });
    assert.deepEqual(merged.body.stamps, { ...plainLook, color: '#f2c14e' });
  });

  it('is refused by path where it cannot be', async () => {
    const { passId } = await makePass(client, {});
    for (const [stamps, path] of [
      [{ icon: 'rocket' }, 'stamps.icon'],
      [{ color: 'red' }, 'stamps.color'],
      [{ color: '#fff"/><script' }, 'stamps.color'],
      [{ markColor: '#12345' }, 'stamps.markColor'],
      [{ over: 'photo' }, 'stamps.over'],
      [{ over: null }, 'stamps.over'],
      [{ size: 3 }, 'stamps.size'],
    ] as const) {
      const refused = await client.patch(`/passes/${passId}`, { stamps });
      assertRefused(refused, 'invalid_request');
      assert.equal(refused.body.problems[0].path, path, refused.text);
    }
    assert.deepEqual((await client.get(`/passes/${passId}`)).body.stamps, plainLook);
  });

  it('is warned of where it hides an image, or cannot be seen', async () => {
    const card = await cardOf({});
    const path = `/passes/${card.passId}`;
    const [stripUrl, heroUrl] = [await halves('#c02040', '#20a0c0'), await halves('#408020', '#20a0c0')];
    const hidden = await client.patch(path, { stripUrl, heroUrl });
    const [{ code, message }] = hidden.body.warnings;
    assert.equal(code, 'image_not_shown');
    assert.match(message, /"over": "image"/);
    const shown = await client.patch(path, { stripUrl: heroUrl, stamps: { over: 'image' } });
    assert.equal(shown.body.warnings, undefined);
    const warningsOf = async (stamps: object) => {
      const { body } = await client.post('/passes/preview', { passId: card.passId, stamps });
      return body.warnings.map((warning: Json) => [warning.code, warning.param]);
    };
    assert.deepEqual(await warningsOf({}), []);
    assert.deepEqual(await warningsOf({ color: '#0d2a3e' }), []);
    assert.deepEqual(await warningsOf({ over: 'plain', color: '#0d2a3e', markColor: '#0d2a3f' }), [
      ['stamp_low_contrast', 'stamps.color'],
      ['stamp_low_contrast', 'stamps.markColor'],
      ['image_not_shown', 'stripUrl'],
      ['image_not_shown', 'heroUrl'],
    ]);
  });
});
