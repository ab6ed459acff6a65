import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { PKPass } from 'passkit-generator';
import { GoogleShop, startGoogleApp } from '../src/delivery/google/google.fixture.ts';
import { photo } from '../src/passes/images/pictures.fixture.ts';
import { googleWord } from '../src/wallet/google/resource.ts';
import { signFor } from '../src/wallet-credentials/identities.fixture.ts';
import schemas from '../tools/fakes/google-schemas.json' with { type: 'json' };
import {
  barcodeKeys,
  beaconKeys,
  featuredActionKeys,
  fieldKeys,
  locationKeys,
  nfcKeys,
  passKeys,
  relevantDateKeys,
  styleKeys,
} from '../tools/validator/pass-keys.ts';
import { validatePkpass } from '../tools/validator/validate-pkpass.ts';
import { extractZip, listZip } from '../tools/validator/zip-reader.ts';
import type { Json } from './client.ts';
import { until } from './wallets.ts';

const { app, google } = await startGoogleApp();
const shop = await GoogleShop.open(app, google, 1_000);
const root = new X509Certificate(readFileSync(join(app.config.dataDir, 'apple-development', 'root.pem')));
const document = readFileSync('docs/WALLET-FIELDS.md', 'utf8');

/** What a table of the document says: by key, whether it is sent. */
function tableOf(heading: string): Map<string, boolean> {
  const [, section = ''] = document.split(`\n## ${heading}\n`);
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (`.*`) \| (.*) \|$/gm)];
  assert.ok(rows.length > 0, heading);
  const all = rows.flatMap(([, keys = '', by = '']) =>
    keys.split(', ').map((key) => [key.replaceAll('`', ''), !by.startsWith('–')] as const),
  );
  assert.equal(new Set(all.map(([key]) => key)).size, all.length, `a key of "${heading}" is listed twice`);
  return new Map(all);
}

/** Fails unless the table has all keys that there are, and says of each whether it was sent. */
function assertTable(heading: string, known: Iterable<string>, sent: ReadonlySet<string>): void {
  const table = tableOf(heading);
  assert.deepEqual([...table.keys()].sort(), [...new Set(known)].sort(), heading);
  for (const [key, isSent] of table)
    assert.equal(sent.has(key), isSent, `${heading}: ${key} is ${sent.has(key) ? '' : 'not '}sent`);
}

const passType = 'pass.com.example.hall';
await signFor(shop.client, passType, { commonName: `Pass Type ID with NFC: ${passType}` });
await shop.client.put('/workspace/wallets/nfc', { redemptionIssuers: ['3388000000000000042'] });

const image = await shop.client.post('/images', await photo(1_200, 400).png().toBuffer(), {
  headers: { 'content-type': 'image/png' },
});
const picture: string = image.body.url;
const portrait = await shop.client.post('/images', await photo(600, 800).png().toBuffer(), {
  headers: { 'content-type': 'image/png' },
});
const uuid = '5a4bcfce-174e-4bac-a814-092e77f6b7e5';
const formats: readonly (readonly [format: string | undefined, value: string, more?: object])[] = [
  [undefined, 'Gold', { align: 'center', changeMessage: 'Now %@' }],
  ['number', '12.5'],
  ['percent', '12.5'],
  ['currency', '12.50', { currency: 'EUR' }],
  ['date', '2027-03-01'],
  ['time', '18:30'],
  ['dateTime', '2027-03-01T18:30:00Z'],
  ['relative', '2027-03-01T18:30:00Z'],
  ['link', 'https://hall.example'],
  ['phone', '+49 30 1234567'],
];
const sections = ['header', 'primary', 'secondary', 'auxiliary', 'back'];
const fields = formats.map(([format, value, more], at) => ({
  ...{ key: `field${at}`, label: `Field ${at}`, value, section: sections[at] ?? 'back', ...more },
  ...(format !== undefined && { format }),
}));

/** All that a design can have, and its texts in another language. */
const design = {
  title: 'Winter Concert',
  details: 'All of it.',
  terms: 'No refunds.',
  expiry: { kind: 'fixed', at: '2028-01-01T00:00:00Z' },
  fields: [...fields, { ...fields[8], key: 'fixed', editable: false }],
  colors: { background: '#10324a', foreground: '#ffffff', label: '#c8d7e0' },
  locations: [{ latitude: 52.5, longitude: 13.4, relevantText: 'It is here' }],
  beacons: [{ uuid, major: 1, minor: 2, relevantText: 'It is near' }],
  dates: [{ start: '2027-03-01T19:30:00Z', end: '2027-03-01T22:00:00Z' }, { start: '2027-03-02T19:30:00Z' }],
  actions: [{ kind: 'shop', title: 'To the shop', to: 'https://hall.example/shop' }],
  modules: [{ header: 'Next season', body: 'See all concerts', url: 'https://hall.example/next' }],
  walletOptions: {
    ...{
      sharing: false,
      screenshots: false,
      unlock: true,
      shimmer: true,
      expiryNotice: true,
      group: 'winter',
    },
    ...{ purpose: 'membership', appStoreIds: [123456789], appUrl: 'hall://winter' },
    ...{ androidApp: 'example.hall.app', logoSymbol: 'music.note', nfc: 'code' },
  },
};

function translation(language: string) {
  const words = (text: string) => `${text} (${language})`;
  const labels = design.fields.map(({ key, label, value }) => [
    key,
    key === 'field0'
      ? { label: words(label ?? ''), value: words(value ?? ''), changeMessage: words('Now %@') }
      : { label: words(label ?? '') },
  ]);
  return {
    ...{ title: words(design.title), details: words(design.details), terms: words(design.terms) },
    fields: Object.fromEntries(labels),
    locations: [words('It is here')],
    beacons: [words('It is near')],
    actions: { shop: words('To the shop') },
    modules: [{ header: words('Next season'), body: words('See all concerts') }],
    program: { rewardTitle: words('Free seat') },
  };
}

type Type = keyof typeof googleWord;

/** A card of a type with all of it in three languages: what Apple and Google got. */
async function sentOf(type: Type): Promise<{ pass: Json; class: Json; object: Json }> {
  const made = await shop.pass({
    ...design,
    type,
    // Of more places than a card has each object has its own.
    ...(type === 'generic' && {
      locations: Array.from({ length: 11 }, () => design.locations[0]),
      posterUrl: portrait.body.url,
    }),
    translations: { de: translation('de'), fr: translation('fr') },
    ...{ logoUrl: picture, heroUrl: picture },
  });
  const programs: Partial<Record<Type, object>> = {
    loyalty: { mode: 'STAMPS', reward: { title: 'Free seat' }, threshold: 10 },
    giftCard: { mode: 'MONEY', currency: 'EUR' },
  };
  if (programs[type] !== undefined) {
    const body = { passId: made.passId, ...programs[type] };
    const { programId } = (await shop.client.post('/loyalty/programs', body)).body;
    const launched = await shop.client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
    assert.equal(launched.status, 200, launched.text);
  }
  const { warnings } = (await shop.client.get(`/passes/${made.passId}`)).body;
  assert.equal(warnings, undefined, 'all texts are translated');
  const holder = { identifier: 'M-1', name: 'Ada Lovelace' };
  const value = type === 'giftCard' && { value: { amount: '25', currency: 'EUR' } };
  const card = await shop.savedCard(made, { holder, ...value });
  const path = `/passes/${made.passId}/messages`;
  for (const audience of [undefined, { installed: true }]) {
    const announced = await shop.client.post(path, { text: 'Doors open late', audience });
    assert.equal(announced.status, 202, announced.text);
  }
  await shop.synced(card);
  const pass = await inPassFile(card);
  await shop.client.post(`/instances/${card.instanceId}/void`);
  await until('Google knows that it is voided', () => shop.object(card, type).state === 'INACTIVE');
  const voided = await inPassFile(card);
  // Google writes these itself, and refuses them of others.
  const { hasUsers: _, hasLinkedDevice: __, ...object } = shop.object(card, type);
  return { pass: { ...pass, ...voided }, class: shop.class(made, type), object };
}

/** What the files of all cards are in the eyes of another program. */
const readElsewhere: { readonly pass: Json; readonly read: PKPass; readonly said: readonly string[] }[] = [];

/** `pass.json` of a card, whose file is one that Wallet has nothing against. */
async function inPassFile(card: Json): Promise<Json> {
  const { body } = await app.anyone.get(card.links.apple);
  assert.deepEqual(validatePkpass(body, { root, now: new Date() }), []);
  const silent = () => undefined;
  const files = extractZip(body, listZip(body, silent) ?? [], { entries: 100, bytes: 1e7 }, silent);
  for (const language of ['en', 'de', 'fr'])
    assert.ok(files?.has(`${language}.lproj/pass.strings`), language);
  const pass = JSON.parse(String(files?.get('pass.json')));
  readElsewhere.push({ pass, ...readBy(Object.fromEntries(files ?? [])) });
  return pass;
}

/** The files as passkit-generator reads them, and what it has against them: it leaves that out. */
function readBy(files: Record<string, Buffer>) {
  const said: string[] = [];
  const { warn } = console;
  console.warn = (...args) => said.push(args.join(' '));
  try {
    return { read: new PKPass(files), said };
  } finally {
    console.warn = warn;
  }
}

const types = Object.keys(googleWord) as Type[];
const sent = await Promise.all(types.map(sentOf));

/** The members of all of some objects. */
function namesIn(objects: readonly unknown[]): Set<string> {
  return new Set(objects.flatMap((one) => (one instanceof Object ? Object.keys(one) : [])));
}

/** The members of Google's schemas of a kind. */
function membersOf(kind: 'Class' | 'Object'): string[] {
  return Object.values(googleWord).flatMap((word) => {
    const name = `${word.charAt(0).toUpperCase()}${word.slice(1)}${kind}` as keyof typeof schemas.schemas;
    return schemas.schemas[name].split(' ').map((member) => member.split(':')[0] ?? '');
  });
}

describe('docs/WALLET-FIELDS.md', () => {
  const passes = sent.map(({ pass }) => pass);
  const styles = passes.flatMap(({ storeCard, coupon, eventTicket, generic, posterGeneric }) =>
    [storeCard, coupon, eventTicket, generic, posterGeneric].filter((style) => style !== undefined),
  );

  it('has each key of pass.json, and says what sends it', () => {
    assertTable('pass.json', Object.keys(passKeys), namesIn(passes));
    const groups = Object.values(styleKeys).flatMap((keys) => Object.keys(keys));
    assertTable('Groups of fields', groups, namesIn(styles));
    const shown = styles.flatMap((style) => Object.values(style).flat());
    assertTable('Fields', Object.keys(fieldKeys), namesIn(shown));
    const named = ['barcodes', 'relevantDates', 'locations', 'beacons', 'featuredActions', 'nfc'];
    const parts = passes.flatMap((pass) => named.flatMap((name) => pass[name]));
    const tables = [barcodeKeys, relevantDateKeys, locationKeys, beaconKeys, featuredActionKeys, nfcKeys];
    const known = tables.flatMap((keys) => Object.keys(keys));
    assertTable('Barcodes, dates, places, beacons, actions', known, namesIn(parts));
  });

  it('is right about files that another program reads whole', () => {
    assert.equal(readElsewhere.length, 2 * types.length);
    for (const { pass, read, said } of readElsewhere) {
      assert.deepEqual(said, []);
      // It writes moments with milliseconds and lists that are empty, and leaves out what it does not know: the symbol of a logo, and
      // what a poster has below it.
      const props = JSON.parse(
        JSON.stringify(read.props).replace(/(?<=T[\d:]{8})\.000(?=Z")/g, ''),
        (_key, value) => (Array.isArray(value) && value.length === 0 ? undefined : value),
      );
      const { logoSymbolName: _, posterGeneric, ...known } = pass;
      const { additionalInfoFields: __, ...front } = posterGeneric ?? {};
      assert.deepEqual(props, posterGeneric === undefined ? known : { ...known, posterGeneric: front });
      assert.deepEqual(read.languages.toSorted(), ['de', 'en', 'fr']);
    }
  });

  it("has each member of Google's classes and objects, and says what sends it", () => {
    assertTable("Google's classes", membersOf('Class'), namesIn(sent.map((one) => one.class)));
    assertTable("Google's objects", membersOf('Object'), namesIn(sent.map(({ object }) => object)));
  });
});
