import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import sharp from 'sharp';
import { validatePkpass } from '../../../tools/validator/validate-pkpass.ts';
import { extractZip, listZip } from '../../../tools/validator/zip-reader.ts';
import { passFile } from './archive-file.ts';
import type { AppleBarcode, AppleCard, AppleCardType, AppleField } from './card.ts';
import { createDevelopmentIdentity } from './certificates/development-ca.ts';
import { defaultIcon } from './default-icon.ts';
import { buildPkpass, buildPkpassChunks, manifestJson, type PassImage, prepareImage } from './pkpass.ts';
import { createSigner, type PassSigner } from './signature.ts';

const now = new Date();
const types: AppleCardType[] = ['loyalty', 'coupon', 'eventTicket', 'giftCard', 'generic'];
const card: AppleCard = {
  passTypeIdentifier: 'pass.com.example.card',
  teamIdentifier: 'TEAM123456',
  organizationName: 'Example Coffee',
  serialNumber: 'inst_1',
  authenticationToken: 'vxwxd7J8AlNNFPS8k0a0FfUFtq0ewzFdc',
  webServiceURL: 'https://cards.example.com/apple/',
  type: 'loyalty',
  title: 'Coffee Club',
  details: 'Ten stamps, one coffee.',
  terms: null,
  words: { message: 'News', details: 'Details', terms: 'Terms' },
  message: null,
  fields: [{ key: 'points', label: 'Points', value: '12', section: 'header', changeMessage: 'Now %@' }],
  colors: { background: '#17bb52', foreground: '#ffffff', label: null },
  barcode: { format: 'qr', value: '4006381333931', altText: null },
  expiresAt: null,
  voided: false,
  locations: [],

  beacons: [],
  dates: [],
  actions: [],
  options: {},
  nfc: null,
  signedAt: now,
};

describe('buildPkpass', () => {
  let folder: string;
  let root: X509Certificate;
  let signer: PassSigner;
  let icons: PassImage[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pkpass-'));
    const { passTypeIdentifier, teamIdentifier, organizationName } = card;
    const pem = await createDevelopmentIdentity({
      passTypeIdentifier,
      teamIdentifier,
      organizationName,
      now,
    });
    root = new X509Certificate(pem.root);
    signer = createSigner({
      passTypeIdentifier,
      teamIdentifier,
      certificate: new X509Certificate(pem.cert),
      privateKey: createPrivateKey(pem.key),
      wwdr: new X509Certificate(pem.wwdr),
    });
    icons = await defaultIcon(card.colors);
    await writeFile(join(folder, 'root.pem'), pem.root);
  });

  after(() => rm(folder, { recursive: true }));

  for (const type of types) {
    it(`makes a ${type} pass that OpenSSL and the validator accept`, async () => {
      const pkpass = await buildPkpass({ ...card, type }, icons, signer);
      assert.deepEqual(validatePkpass(pkpass, { root, now }), []);
      await verifyWithOpenssl(pkpass);
    });
  }

  it('packs the files in order, pass.json first and the signature last', async () => {
    const files = unpack(await buildPkpass(card, icons, signer));
    assert.deepEqual(
      [...files.keys()],
      ['pass.json', 'icon.png', 'icon@2x.png', 'icon@3x.png', 'manifest.json', 'signature'],
    );
  });

  it('gives equal bytes for equal input, and others for another card', async () => {
    const first = await buildPkpass(card, icons, signer);
    assert.deepEqual(await buildPkpass(structuredClone(card), icons, signer), first);
    assert.notDeepEqual(await buildPkpass({ ...card, serialNumber: 'inst_2' }, icons, signer), first);
  });

  it('gives the same file in chunks, which share the bytes of large images', async () => {
    const noise = { width: 375, height: 123, channels: 3, background: 'grey' } as const;
    const create = { ...noise, noise: { type: 'gaussian', mean: 128, sigma: 3 } } as const;
    const strip = prepareImage('strip.png', await sharp({ create }).png().toBuffer());
    const chunks = await buildPkpassChunks(card, [...icons, strip], signer);
    assert.ok(chunks.includes(strip.bytes));
    const pkpass = await buildPkpass(card, [...icons, strip], signer);
    assert.deepEqual(Buffer.concat(chunks), pkpass);
    assert.deepEqual(validatePkpass(pkpass, { root, now }), []);
  });

  it('keeps an update of a card from before the certificate verifiable', async () => {
    const signedAt = new Date('2020-01-01T00:00:00Z');
    const pkpass = await buildPkpass({ ...card, signedAt }, icons, signer);
    assert.deepEqual(validatePkpass(pkpass, { root, now }), []);
    await verifyWithOpenssl(pkpass);
  });

  it('holds any card: valid JSON, intact archive, a manifest of exactly its files', async () => {
    await fc.assert(
      fc.asyncProperty(anyCard(), anyImages(icons), async (changes, images) => {
        const pkpass = await buildPkpass({ ...card, ...changes }, images, signer);
        const errors = validatePkpass(pkpass, { root, now }).filter(({ level }) => level === 'error');
        assert.deepEqual(errors, []);
        const files = unpack(pkpass);
        const manifest = JSON.parse(read(files, 'manifest.json').toString());
        const packed = [...files].filter(([name]) => name !== 'manifest.json' && name !== 'signature');
        assert.deepEqual(manifest, Object.fromEntries(packed.map(([name, bytes]) => [name, sha1(bytes)])));
        const shown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(read(files, 'pass.json')));
        assert.equal(shown.logoText, changes.title);
        assert.equal(shown.barcodes?.[0].message, changes.barcode?.value);
      }),
      { numRuns: 60 },
    );
  });

  it('refuses a pass without an icon', async () => {
    const logo = { ...icons[0], name: 'logo.png' } as PassImage;
    await assert.rejects(buildPkpass(card, [logo], signer), /no icon; add icon\.png/);
  });

  it('refuses an image given twice', async () => {
    await assert.rejects(buildPkpass(card, [...icons, ...icons], signer), /"icon\.png" occurs twice/);
  });

  it('refuses a card of another pass type or team than the certificate', async () => {
    const message = /The card is for .*, the certificate for pass\.com\.example\.card of team TEAM123456/;
    await assert.rejects(
      buildPkpass({ ...card, passTypeIdentifier: 'pass.com.other' }, icons, signer),
      message,
    );
    await assert.rejects(buildPkpass({ ...card, teamIdentifier: 'OTHER12345' }, icons, signer), message);
  });

  async function verifyWithOpenssl(pkpass: Buffer): Promise<void> {
    const files = unpack(pkpass);
    const [manifest, signature] = [join(folder, 'manifest.json'), join(folder, 'signature')];
    await writeFile(manifest, read(files, 'manifest.json'));
    await writeFile(signature, read(files, 'signature'));
    const flags = ['-verify', '-binary', '-inform', 'DER', '-purpose', 'any'];
    const paths = ['-in', signature, '-content', manifest, '-CAfile', join(folder, 'root.pem')];
    await promisify(execFile)('openssl', ['cms', ...flags, ...paths]);
  }
});

function unpack(pkpass: Buffer): Map<string, Buffer> {
  const refuse = (rule: string, message: string) => assert.fail(`${rule}: ${message}`);
  const listings = listZip(pkpass, refuse);
  assert.ok(listings);
  const files = extractZip(pkpass, listings, { entries: 100, bytes: 1_000_000 }, refuse);
  assert.ok(files);
  assert.equal(files.size, listings.length);
  return files;
}

function read(files: Map<string, Buffer>, name: string): Buffer {
  return files.get(name) ?? assert.fail(`${name} is missing`);
}

function sha1(bytes: Buffer): string {
  return createHash('sha1').update(bytes).digest('hex');
}

/** Text of any script, which Wallet requires to be there. */
function anyText(): fc.Arbitrary<string> {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
  return text.filter((one) => one.trim() !== '');
}

function anyDate(): fc.Arbitrary<Date> {
  return fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true });
}

function anyColor(): fc.Arbitrary<string> {
  return fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
}

function anyFields(): fc.Arbitrary<AppleField[]> {
  const field = fc.record({
    key: fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/).filter((key) => key !== 'details' && key !== 'terms'),
    label: fc.string({ unit: 'grapheme' }),
    value: fc.option(anyText()),
    section: fc.constantFrom('header', 'primary', 'secondary', 'auxiliary', 'back'),
    changeMessage: fc.option(fc.constantFrom('%@', 'Now %@ points', '%@ ☕️')),
  } satisfies { [Key in keyof AppleField]: fc.Arbitrary<AppleField[Key]> });
  return fc.uniqueArray(field, { selector: ({ key }) => key, maxLength: 12 });
}

/** A Code 128 carries ASCII, the others anything. */
function anyBarcode(): fc.Arbitrary<AppleBarcode> {
  const altText = fc.option(anyText());
  const wide = fc.record({ format: fc.constantFrom('qr', 'pdf417', 'aztec'), value: anyText(), altText });
  const ascii = fc.stringMatching(/^[\x20-\x7e]{1,30}$/);
  return fc.oneof(wide, fc.record({ format: fc.constant('code128'), value: ascii, altText }));
}

function anyCard() {
  return fc.record({
    organizationName: anyText(),
    title: anyText(),
    details: fc.option(anyText()),
    terms: fc.option(anyText()),
    message: fc.option(anyText()),
    type: fc.constantFrom(...types),
    webServiceURL: fc.option(fc.constant('https://cards.example.com:8443/apple/')),
    fields: anyFields(),
    colors: fc.record({
      background: fc.option(anyColor()),
      foreground: fc.option(anyColor()),
      label: fc.option(anyColor()),
    }),
    barcode: fc.option(anyBarcode()),
    expiresAt: fc.option(anyDate()),
    voided: fc.boolean(),
    locations: fc.array(
      fc.record({
        latitude: fc.double({ min: -90, max: 90, noNaN: true }),
        longitude: fc.double({ min: -180, max: 180, noNaN: true }),
        relevantText: fc.option(anyText()),
      }),
      { maxLength: 10 },
    ),
    dates: fc.array(
      fc
        .record({ start: anyDate(), end: fc.option(anyDate()) })
        .filter(({ start, end }) => end === null || end > start),
      { maxLength: 10 },
    ),
    actions: fc.uniqueArray(fc.record({ kind: fc.constantFrom('shop', 'call', 'topUp'), uri: fc.webUrl() }), {
      selector: ({ kind }) => kind,
      maxLength: 2,
    }),
    options: fc.record(
      {
        sharing: fc.boolean(),
        group: anyText(),
        appStoreIds: fc.array(fc.integer({ min: 1 }), { minLength: 1, maxLength: 5 }),
        logoSymbol: fc.constant('cup.and.saucer.fill'),
      },
      { requiredKeys: [] },
    ),
    nfc: fc.constant(null),
  } satisfies { [Key in keyof AppleCard]?: fc.Arbitrary<AppleCard[Key]> });
}

/** The icons, and some of the other images with bytes of an icon. */
function anyImages(icons: readonly PassImage[]): fc.Arbitrary<PassImage[]> {
  const [{ bytes } = assert.fail('no icon')] = icons;
  const more = fc.subarray(['logo.png', 'logo@2x.png', 'strip.png', 'thumbnail@3x.png']);
  return more.map((names) => [...icons, ...names.map((name) => prepareImage(name, bytes))]);
}

const png = Buffer.from('89504e470d0a1a0a00', 'hex');

describe('passFile', () => {
  it('carries SHA-1 and CRC-32 of the bytes', () => {
    const { sha1, crc32 } = passFile('pass.json', Buffer.from('abc'));
    assert.equal(sha1, 'a9993e364706816aba3e25717850c26c9cd0d89d');
    assert.equal(crc32, 0x352441c2);
  });
});

describe('prepareImage', () => {
  it('takes the image names of Wallet, localised too', () => {
    const names = [
      'icon.png',
      'logo@2x.png',
      'strip@3x.png',
      'zh-Hans.lproj/logo.png',
      'es-419.lproj/logo.png',
    ];
    for (const name of names) assert.equal(prepareImage(name, png).name, name);
  });

  it('refuses other names', () => {
    const names = [
      'icon',
      'icon.jpg',
      'icon@4x.png',
      '../icon.png',
      '/icon.png',
      'a/icon.png',
      'Xicon.png\n',
      '.png',
    ];
    for (const name of names) assert.throws(() => prepareImage(name, png), /no image name of a pass/);
  });

  it('refuses bytes that are no PNG', () => {
    assert.throws(() => prepareImage('icon.png', Buffer.from('GIF89a')), /icon\.png is not a PNG/);
  });
});

describe('manifestJson', () => {
  it('maps each path to its hash, in the order of the files', () => {
    const files = [passFile('pass.json', Buffer.from('abc')), passFile('icon.png', Buffer.alloc(0))];
    assert.equal(
      manifestJson(files).toString(),
      '{"pass.json":"a9993e364706816aba3e25717850c26c9cd0d89d",' +
        '"icon.png":"da39a3ee5e6b4b0d3255bfef95601890afd80709"}',
    );
  });
});
