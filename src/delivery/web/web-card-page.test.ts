import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { cardColors } from '../../cards/card-colors.ts';
import { drawnIcon, iconNames } from '../../rendering/drawn-icon.ts';
import type { CardView } from '../../rendering/page.ts';
import { webCardManifest, webCardPage } from './web-card-page.ts';
import { webCardState } from './web-card-state.ts';

const now = new Date('2026-05-01T12:00:00Z');
const view: CardView = {
  organization: 'Blue Bean Coffee',
  title: 'Blue Bean Club',
  type: 'loyalty',
  details: 'Ten stamps, one coffee.',
  terms: null,
  message: null,

  actions: [],
  modules: [],
  fields: [
    {
      key: 'points',
      label: 'Points',
      value: '1,250',
      section: 'primary',
      changeMessage: 'You have %@ points',
    },
    { key: 'tier', label: 'Tier', value: null, section: 'secondary' },
    { key: 'hours', label: '', value: '7 to 18', section: 'back', changeMessage: null },
  ],
  stamps: null,
  images: { logo: null, banner: null, thumbnail: null },
  icon: null,
  badges: new Map(),
  colors: { background: '#10324a', foreground: '#ffffff', label: '#c8d7e0' },
  barcode: { format: 'qr', value: '7Q4MX2K9PLA' },
  holderName: 'Ada Lovelace',
  expiresAt: null,
  expired: false,
  voided: false,
  locale: 'en',
  reader: 'en',
  links: {
    add: 'https://wallet.example/p/secret',
    apple: 'https://wallet.example/p/secret/apple.pkpass',
    google: null,
    qr: 'https://wallet.example/p/secret/qr.svg',
    card: 'https://wallet.example/p/secret/card',
  },
  development: true,
};
const stateOf = (changes: Partial<CardView> = {}) => webCardState({ ...view, ...changes }, now);
const pageOf = (changes: Partial<CardView> = {}) =>
  webCardPage({
    view: { ...view, ...changes },
    state: stateOf(changes),
    instanceId: '0198c2ae-7b3c-7000-8000-000000000001',
    pushKey: 'BKey',
  });

describe('the state of a web card', () => {
  test('has a version of its own for everything that can be seen, and the same one at another time', () => {
    const changes: Partial<CardView>[] = [
      { title: 'Red Bean Club' },
      { organization: 'Red Bean' },
      { details: null },
      { message: 'Closed on Monday' },
      { fields: [] },
      { colors: { ...view.colors, background: '#000000' } },
      { barcode: null },
      { holderName: null },
      { expiresAt: new Date('2027-01-01') },
      { voided: true },
      { expired: true },
      { locale: 'de' },
      { reader: 'de' },
      { type: 'coupon' },
    ];
    const versions = changes.map((change) => stateOf(change).version);
    assert.equal(new Set([...versions, stateOf().version]).size, changes.length + 1);
    assert.equal(webCardState(view, new Date('2030-01-01')).version, stateOf().version);
  });

  test('shows each fact in the words of the shop, or by its label', () => {
    assert.deepEqual(stateOf().facts, {
      'field points': 'You have 1,250 points',
      'field tier': 'Tier: –',
      'field hours': 'hours: 7 to 18',
      status: 'This card is valid.',
    });
    const more = stateOf({
      message: 'Closed on Monday',
      expiresAt: new Date('2027-01-01'),
      voided: true,
    }).facts;
    assert.deepEqual(
      [more.message, more.status, more.expiry],
      ['Closed on Monday', 'This card is no longer valid.', undefined],
    );
    assert.equal(
      stateOf({ expiresAt: new Date('2027-01-01') }).facts.expiry,
      'Valid until January 1, 2027 at 12:00 AM UTC',
    );
    const value = '$& $1 %@';
    const [points] = view.fields;
    assert.ok(points);
    assert.equal(
      stateOf({ fields: [{ ...points, value }] }).facts['field points'],
      `You have ${value} points`,
    );
  });

  test('says when it changes by itself', () => {
    const expiresAt = new Date('2027-01-01');
    assert.equal(stateOf().changesAt, null);
    assert.equal(stateOf({ expiresAt }).changesAt, expiresAt.toISOString());
    assert.equal(stateOf({ expiresAt, expired: true }).changesAt, null);
  });

  test('a card that is not good is grey, says why, and a void one has no barcode', () => {
    for (const change of [{ voided: true }, { expired: true }]) {
      const { face, theme } = stateOf(change);
      assert.match(face, /class="banner alert"/);
      assert.equal(theme['--card'], '#5f6368');
    }
    assert.doesNotMatch(stateOf({ voided: true }).face, /<svg[^>]*role="img"/);
    // What iPhones do with a development certificate does not concern a web card.
    assert.doesNotMatch(stateOf().face, /banner/);
  });
});

describe('the page of a web card', () => {
  test('lets through its own style and files, and nothing else', () => {
    const { html, policy } = pageOf();
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    assert.equal(
      policy,
      `default-src 'none'; style-src 'sha256-${hash}'; script-src 'self'; connect-src 'self'; img-src 'self'; ` +
        "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'",
    );
    assert.doesNotMatch(html, /\s(style|on[a-z]+)=/i);
    assert.deepEqual(html.match(/<script\b[^>]*>[^<]/g), null, 'the page has an inline script');
    assert.doesNotMatch(style, /url\(|@import/);
  });

  test('has only relative addresses, so that it works behind any proxy', () => {
    const addresses = [...pageOf().html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
    assert.ok(addresses.length > 5);
    assert.deepEqual(
      addresses.filter((address) => /^(\/|\w+:)/.test(address ?? '')),
      [],
    );
    assert.ok(addresses.includes('../secret'));
  });

  test('what a shop or a holder writes stays text', () => {
    const hostile = `"'></title></style></svg><script>alert(1)</script><img src=x onerror=alert(1)><!--`;
    const field = {
      key: hostile,
      label: hostile,
      value: hostile,
      section: 'back' as const,
      changeMessage: hostile,
    };
    const written = {
      organization: hostile,
      title: hostile,
      details: hostile,
      terms: hostile,
      message: hostile,
      holderName: hostile,
      fields: [field, { ...field, section: 'primary' as const }],
    };
    const { face, about } = stateOf(written);
    for (const html of [pageOf(written).html, face, about]) assert.doesNotMatch(html, /<script>|<img|<!--/);
    assert.deepEqual(
      JSON.parse(JSON.stringify(webCardManifest({ ...view, ...written }))).short_name,
      hostile,
    );
  });

  test('is in the language of its holder', () => {
    assert.match(pageOf({ reader: 'de-AT' }).html, /<html lang="de-AT">[\s\S]*Diese Karte behalten/);
  });
});

describe('the icons of a web card', () => {
  test('have the sizes that they are named after, and the colours of the card', async () => {
    const colors = cardColors(view.colors);
    for (const name of iconNames) {
      const { data, info } = await sharp(await drawnIcon(colors, name))
        .raw()
        .toBuffer({ resolveWithObject: true });
      const size = name === 'maskable.png' ? 512 : Number.parseInt(name, 10);
      assert.deepEqual([info.width, info.height], [size, size]);
      const pixel = (x: number, y: number) => [
        ...data.subarray((y * size + x) * info.channels).subarray(0, 3),
      ];
      const near = (found: number[], wanted: number[]) =>
        found.every((channel, at) => Math.abs(channel - (wanted[at] ?? 0)) < 8);
      assert.ok(near(pixel(size / 2, Math.round(size * 0.92)), [0x10, 0x32, 0x4a]), `${name} below the card`);
      assert.ok(near(pixel(size / 2, Math.round(size * 0.35)), [0xff, 0xff, 0xff]), `${name} on the card`);
      // Where the corners are cut, nothing may be see-through to begin with.
      const { isOpaque } = await sharp(await drawnIcon(colors, name)).stats();
      assert.equal(isOpaque, name === '180.png' || name === 'maskable.png', name);
    }
  });
});
