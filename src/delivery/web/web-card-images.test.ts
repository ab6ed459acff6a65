import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import type { Json } from '../../../test/client.ts';
import { makeCard, makePass } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { until } from '../../../test/wallets.ts';
import { makeProgram } from '../../loyalty/account.fixture.ts';
import { imageSettings, startImageHost } from '../../passes/images/images.fixture.ts';
import { readBarcodesIn } from '../../rendering/read-barcode.fixture.ts';
import { OpenBrowser } from './browser.fixture.ts';

const host = await startImageHost();
const app = await startTestApp(imageSettings);
const { client } = await app.newWorkspace('pro', 1_000);

const html = { headers: { accept: 'text/html' } };
const newCard = async (design: object): Promise<Json> =>
  makeCard(client, (await makePass(client, design)).passId);

/** The images of a page: class → address as the browser resolves it, size, alternative text. */
function imagesOf(page: string, at: string): Record<string, { path: string; size: string; alt: string }> {
  const found = [
    ...page.matchAll(/<img class="(\w+)" src="([^"]*)" width="(\d+)" height="(\d+)" alt="([^"]*)">/g),
  ];
  assert.equal(found.length, page.split('<img').length - 1, 'an image without size or alternative text');
  return Object.fromEntries(
    found.map(([, name = '', src = '', width, height, alt = '']) => {
      assert.match(src, /^\.\.\//, 'an address that fits one origin only');
      return [name, { path: new URL(src, at).href, size: `${width}×${height}`, alt }];
    }),
  );
}

/** Both pages of a card, and its images on them, which can be fetched. */
async function pagesOf(card: Json) {
  const pages = await Promise.all(
    [card.links.add, card.links.card].map(async (link) => {
      const { text, headers } = await app.anyone.get(link, html);
      return { text, policy: headers.get('content-security-policy') ?? '', images: imagesOf(text, link) };
    }),
  );
  const [holders, web] = pages;
  assert.ok(holders && web);
  assert.deepEqual(web.images, holders.images, 'the web card shows something else');
  for (const { path } of Object.values(holders.images)) {
    const reply = await app.anyone.get(path);
    assert.equal(reply.headers.get('content-type'), 'image/png', path);
  }
  return { holders, web, images: holders.images };
}

const sizesOf = (images: Awaited<ReturnType<typeof pagesOf>>['images']) =>
  Object.fromEntries(Object.entries(images).map(([name, { size }]) => [name, size]));

describe('the pages of a card', () => {
  it('show the images in the place that each type has for them, and leave them room before they are there', async () => {
    const across = { logo: '160×50', across: '375×144' };
    const expected = {
      loyalty: across,
      giftCard: across,
      coupon: across,
      eventTicket: across,
      generic: { logo: '160×50', across: '375×122', thumbnail: '68×90' },
    };
    for (const [type, sizes] of Object.entries(expected)) {
      const { images, web } = await pagesOf(await newCard({ type, ...(await host.urls()) }));
      assert.deepEqual(sizesOf(images), sizes, type);
      assert.ok(Object.values(images).every(({ alt }) => alt === ''));
      assert.doesNotMatch(web.text, /class="monogram"/);
    }
    const urls = await host.urls(['thumbnailUrl', 'backgroundUrl', 'heroUrl']);
    const ticket = await pagesOf(await newCard({ type: 'eventTicket', ...urls }));
    assert.deepEqual(sizesOf(ticket.images), { across: '375×122', thumbnail: '68×90' });
    assert.match(ticket.web.text, /class="monogram"/);
  });

  it('may load images only where there are some', async () => {
    const { holders } = await pagesOf(await newCard(await host.urls(['logoUrl'])));
    assert.match(holders.policy, /^default-src 'none'; style-src '[^']+'; img-src 'self'; base-uri/);
    const own = holders.policy.replace(/; frame-ancestors.*/, '').replaceAll("'", '&#39;');
    assert.ok(holders.text.includes(`content="${own}"`), 'the page and its header differ');
    for (const design of [{}, await host.urls(['iconUrl', 'backgroundUrl'])]) {
      const bare = await pagesOf(await newCard(design));
      assert.doesNotMatch(bare.holders.policy, /img-src/);
      assert.deepEqual(bare.images, {});
    }
  });

  it('show the stamps instead of strip and hero', async () => {
    const tenStamps = { mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };
    const { pass } = await makeProgram(client, tenStamps, { design: await host.urls() });
    const { images, web } = await pagesOf(await makeCard(client, pass.passId));
    assert.deepEqual(Object.keys(images), ['logo']);
    assert.match(web.text, /class="stamps"/);
  });

  it('grey the images of a card that is not good', async () => {
    const card = await newCard(await host.urls());
    assert.doesNotMatch((await pagesOf(card)).web.text, /lifeless"/);
    await client.post(`/instances/${card.instanceId}/void`);
    const { web, images } = await pagesOf(card);
    assert.match(web.text, /class="card loyalty lifeless"/);
    assert.deepEqual(Object.keys(images), ['logo', 'across']);
  });

  it('show another image at once when it changes, and nothing when it is the same again', async () => {
    const pass = await makePass(client, await host.urls(['logoUrl', 'stripUrl']));
    const card = await makeCard(client, pass.passId);
    const browser = await OpenBrowser.open(app.url, card);
    const path = `/passes/${pass.passId}`;
    const shown = () => imagesOf(browser.states.at(-1)?.face, card.links.card);
    const before = shown();

    await client.patch(path, await host.urls(['logoUrl', 'stripUrl']));
    await client.patch(path, { stripUrl: await host.url('stripUrl', 20) });
    await until('the other strip', () => shown().across?.path !== before.across?.path);
    assert.equal(browser.states.length, 2);
    assert.deepEqual(shown().logo, before.logo);
    await client.patch(path, { logoUrl: null, stripUrl: null });
    await until('no image', () => Object.keys(shown()).length === 0);
    browser.close();
  });
});

describe('the icon of an installed card', () => {
  const manifestOf = async (card: Json) =>
    JSON.parse((await app.anyone.get(`${card.links.add}/card.webmanifest`)).text);
  const pngOf = async (card: Json, src: string) => (await app.anyone.get(`${card.links.add}/${src}`)).body;

  it('is that of its pass, in every size, and clear of what a mask cuts off', async () => {
    const card = await newCard({ colors: { background: '#10324a' }, ...(await host.urls(['iconUrl'], 0)) });
    const { icons } = await manifestOf(card);
    const page = (await app.anyone.get(card.links.card, html)).text;
    const touch = /<link rel="apple-touch-icon" href="([^"]+)">/.exec(page)?.[1] ?? '';
    assert.match(
      page,
      /<link rel="icon" type="image\/png" sizes="192x192" href="icons\/192\.png\?v=\w{12}">/,
    );
    const all = [...icons, { src: touch, sizes: '180x180', purpose: 'any' }];
    assert.equal(all.length, 4);
    for (const { src, sizes, purpose } of all) {
      assert.match(src, /^icons\/\w+\.png\?v=[0-9a-f]{12}$/);
      const image = sharp(await pngOf(card, src));
      const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
      assert.equal(`${info.width}x${info.height}`, sizes);
      const corner = [...data.subarray(0, 3)];
      const middle = [
        ...data
          .subarray(info.width * 3 * Math.round(info.height * 0.45) + Math.round(info.width * 0.45) * 3)
          .subarray(0, 3),
      ];
      // hsl(0,60%,70%) is the sky of the picture.
      const sky = [224, 133, 133];
      const near = (found: number[], wanted: number[]) =>
        found.every((channel, at) => Math.abs(channel - (wanted[at] ?? 0)) < 6);
      assert.ok(near(middle, sky), `${src}: ${middle}`);
      assert.ok(near(corner, purpose === 'maskable' ? [0x10, 0x32, 0x4a] : sky), `${src}: ${corner}`);
    }
  });

  it('has another address when it changes, and is drawn again when it is taken away', async () => {
    const pass = await makePass(client, await host.urls(['iconUrl']));
    const card = await makeCard(client, pass.passId);
    const first = (await manifestOf(card)).icons[0].src;
    const png = await pngOf(card, first);
    await client.patch(`/passes/${pass.passId}`, { iconUrl: await host.url('iconUrl', 20) });
    const second = (await manifestOf(card)).icons[0].src;
    assert.notEqual(second, first);
    assert.notDeepEqual(await pngOf(card, second), png);
    await client.patch(`/passes/${pass.passId}`, { iconUrl: null });
    const { icons } = await manifestOf(card);
    assert.equal(icons[0].src, 'icons/192.png');
    const plain = await newCard({});
    assert.deepEqual(await pngOf(card, 'icons/192.png'), await pngOf(plain, 'icons/192.png'));
  });
});

describe('GET /p/{token}/picture.png', () => {
  it('is the card with its barcode, and is offered on the web card without scripts', async () => {
    const card = await newCard(await host.urls(['logoUrl']));
    const page = await app.anyone.get(card.links.card, html);
    assert.match(
      page.text,
      /<a class="button quiet" href="picture\.png" download="Blue Bean Club\.png">Save as picture<\/a>/,
    );
    const picture = await app.anyone.get(`${card.links.add}/picture.png`);
    assert.equal(picture.status, 200);
    assert.match(picture.headers.get('cache-control') ?? '', /^private/);
    const read = await readBarcodesIn(picture.body);
    assert.deepEqual(
      read.map(({ text }) => text),
      [card.barcode],
    );
  });
});
