import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type RenderOptions, toSVG } from 'bwip-js';
import sharp from 'sharp';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { prepareZXingModule as prepareWriter, writeBarcode } from 'zxing-wasm/writer';
import { barcodeSvg } from '../src/rendering/barcode-svg.ts';
import type { AppleCard } from '../src/wallet/apple/card.ts';
import { passJson } from '../src/wallet/apple/pass-json.ts';
import { saidIn } from '../web/scanner/camera/code-formats.ts';
import { isWhole, readerOptions, writtenText } from '../web/scanner/camera/written-text.ts';
import { makeCard, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';
import { cameraPicture } from './phone-film.ts';

const wasm = (name: string) => ({
  wasmBinary: new Uint8Array(readFileSync(new URL(import.meta.resolve(`zxing-wasm/${name}.wasm`)))).buffer,
});
prepareZXingModule({ overrides: wasm('reader/zxing_reader') });
prepareWriter({ overrides: wasm('writer/zxing_writer') });

const app = await startTestApp();
const { client } = app;

/** What others take for Shift_JIS, for UTF-8, or for nothing of the kind. */
const values = [
  'N°12',
  '20°C',
  'ÄÖÜ-7',
  '£5',
  '½ price',
  'µ12',
  '§§§',
  'Käse-ÄÖ7',
  'Größe ÿ',
  'Ã¤',
  'â‚¬',
  '€5 – “x”',
  '会員 №42',
  'Билет-7',
  'ｶｰﾄﾞ',
  'Cafe\u0301 ☕',
  'a^b ^ECI000003 \\000026',
];
const symbols = { qr: 'qrcode', aztec: 'azteccode', pdf417: 'pdf417', code128: 'code128' } as const;

const plain: AppleCard = {
  passTypeIdentifier: 'pass.com.example.card',
  teamIdentifier: 'TEAM123456',
  organizationName: 'Example Coffee',
  serialNumber: 'inst_1',
  authenticationToken: '',
  webServiceURL: null,
  type: 'loyalty',
  title: 'Coffee Club',
  details: null,
  terms: null,
  words: { message: 'News', details: 'Details', terms: 'Terms' },
  message: null,
  fields: [],
  colors: { background: null, foreground: null, label: null },
  barcode: null,
  expiresAt: null,
  voided: false,
  locations: [],
  beacons: [],
  dates: [],
  actions: [],
  options: {},
  nfc: null,
  signedAt: new Date('2026-08-01T12:00:00Z'),
};

async function picture(svg: string): Promise<Uint8Array> {
  return new Uint8Array(
    await sharp(Buffer.from(svg), { density: 72 * 4 })
      .png()
      .toBuffer(),
  );
}

/** What the scanner reads, with its own options, and what another reader guesses. */
async function read(image: Uint8Array): Promise<{ ours: string; theirs: string }> {
  const [found] = await readBarcodes(image, readerOptions);
  const [guessed] = await readBarcodes(image, { textMode: 'Plain' });
  assert.ok(found !== undefined && guessed !== undefined, 'nothing is read');
  return { ours: writtenText(found), theirs: guessed.text };
}

/** Bytes in a symbol that names no character set. */
async function readBytes(bcid: (typeof symbols)[keyof typeof symbols], bytes: Buffer) {
  return readDrawn({ bcid, text: bytes.toString('latin1'), binarytext: true });
}

async function readDrawn(drawn: RenderOptions) {
  return read(await picture(toSVG({ scale: 1, padding: 8, backgroundcolor: 'ffffff', ...drawn })));
}

describe('a code of a card', () => {
  for (const format of ['qr', 'aztec', 'pdf417'] as const)
    it(`finds the card by what is read of its ${format}, whatever its letters`, async () => {
      const { passId } = await makePass(client, { barcode: { mode: 'unique', format } });
      for (const barcode of values) {
        const card = await makeCard(client, passId, { barcode });
        const { ours, theirs } = await read(await picture(barcodeSvg(format, card.barcode)));
        assert.deepEqual([ours, theirs], [card.barcode, card.barcode]);
        const { body } = await client.get(
          `/instances/lookup?${new URLSearchParams({ barcode: ours, passId })}`,
        );
        assert.equal(body.instanceId, card.instanceId, barcode);
      }
    });

  for (const format of ['qr', 'aztec', 'pdf417'] as const)
    it(`is read of a pass of Apple's as ${format}, which names no character set`, async () => {
      for (const value of values) {
        const json = passJson({ ...plain, barcode: { format, value, altText: null } }).toString();
        const [{ message, messageEncoding }] = JSON.parse(json).barcodes;
        const bytes = Buffer.from(message, messageEncoding === 'utf-8' ? 'utf8' : 'latin1');
        const { ours, theirs } = await readBytes(symbols[format], bytes);
        assert.deepEqual([ours, theirs], [value, value], messageEncoding);
      }
    });
});

/** Codes that some reader takes for something else: a UPC-A, an ISBN, small letters, a medicine, an ITF-14. */
const bars = {
  ean13: ['4006381333931', '0036000291452', '9780201379624', '2000000000008'],
  code39: ['CARD 7', '+A+B', '%A$B/C', '-1234562', 'A0000A'],
  codabar: ['40156', '$1.50', '12-34:56'],
  itf: ['123456', '04006381333931', '1234567890123456'],
} as const;

describe('bars of a card', () => {
  for (const [format, codes] of Object.entries(bars))
    it(`find the card by what is read of its ${format}, its own code too`, async () => {
      const { passId } = await makePass(client, { barcode: { mode: 'unique', format } });
      const own = await makeCard(client, passId);
      for (const barcode of [own.barcode, ...codes]) {
        const card = barcode === own.barcode ? own : await makeCard(client, passId, { barcode });
        const image = await picture(barcodeSvg(format as keyof typeof bars, barcode));
        const found = await readBarcodes(image, readerOptions);
        const said = found.map((one) => saidIn(format as keyof typeof bars, writtenText(one)));
        assert.deepEqual(said, [barcode]);
        const { body } = await client.get(`/instances/lookup?${new URLSearchParams({ barcode, passId })}`);
        assert.equal(body.instanceId, card.instanceId, barcode);
      }
    });

  it('are read of a Codabar without the letters at its ends, whichever they are', async () => {
    for (const [start, stop] of ['AB', 'BA', 'CD', 'DD']) {
      const drawn = { bcid: 'rationalizedCodabar', text: `${start}40156-7${stop}` };
      const svg = toSVG({ scale: 1, padding: 10, backgroundcolor: 'ffffff', ...drawn });
      const found = await readBarcodes(await picture(svg), readerOptions);
      assert.deepEqual(
        found.map((one) => saidIn('codabar', writtenText(one))),
        ['40156-7'],
      );
    }
  });
});

describe('an ITF that is held at an angle', () => {
  it('is read as a whole, and not up to where a line leaves it', async () => {
    let cut = 0;
    for (const value of ['1234567890123456', '2644983512907746', '1618033988749894']) {
      const photo = new Uint8Array(await cameraPicture({ format: 'itf', value }));
      const found = await readBarcodes(photo, readerOptions);
      assert.deepEqual(found.filter(isWhole).map(writtenText), [value]);
      cut += found.length - 1;
    }
    assert.ok(cut > 0, 'no line leaves the code: this shows nothing');
  });
});

describe('a code that others have drawn', () => {
  const isLatin1 = (text: string) => Buffer.from(text, 'latin1').toString('latin1') === text;

  for (const [format, bcid] of Object.entries(symbols))
    it(`is read by its bytes where it is a ${format} without a character set`, async () => {
      for (const value of values) {
        if (isLatin1(value) && value !== 'Ã¤')
          assert.equal((await readBytes(bcid, Buffer.from(value, 'latin1'))).ours, value);
        assert.equal((await readBytes(bcid, Buffer.from(value))).ours, value);
      }
      // The letters that Windows has where Latin-1 has control characters.
      assert.equal((await readBytes(bcid, Buffer.from([0x80, 0x35, 0x96, 0xe9]))).ours, '€5–é');
    });

  it('is read by the character set that it names, and by its Kanji', async () => {
    const named = await readDrawn({ bcid: 'qrcode', text: '^ECI000026Ã¤', parsefnc: true });
    assert.equal(named.ours, 'Ã¤');
    // Cyrillic letters of ISO 8859-5, which are letters of Latin-1, too.
    const written = await writeBarcode('Билет', { format: 'QRCode', options: 'eci=ISO-8859-5', scale: 4 });
    const kanji = await writeBarcode('点茗点茗点茗', { format: 'QRCode', scale: 4 });
    for (const [{ image }, text] of [
      [written, 'Билет'],
      [kanji, '点茗点茗点茗'],
    ] as const)
      assert.equal((await read(new Uint8Array((await image?.arrayBuffer()) ?? []))).ours, text);
    // As a reader gives out Kanji between bytes of UTF-8, which have become letters one by one.
    assert.equal(writtenText({ text: '点茗Ã¤', hasECI: false }), '点茗ä');
  });
});
