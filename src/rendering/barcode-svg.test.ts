import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barcodeSvg } from './barcode-svg.ts';
import { readBarcode } from './read-barcode.fixture.ts';

const SYMBOL = {
  qr: 'QRCode',
  pdf417: 'PDF417',
  aztec: 'Aztec',
  code128: 'Code128',
} as const;
const formats = Object.keys(SYMBOL) as (keyof typeof SYMBOL)[];

for (const format of formats) {
  test(`${format}: a scanner reads back what was written`, async () => {
    const values = [
      '7Q4MX2K9PLA',
      '0',
      'a^b (01) \\x~"<&>',
      'Café für Zoë',
      'https://shop.example/p/0198c2ae7b3c',
    ];
    for (const value of values) {
      assert.deepEqual(await readBarcode(barcodeSvg(format, value)), [
        { format: SYMBOL[format], text: value },
      ]);
    }
  });
}

const bars = {
  ean13: ['EAN13', '4006381333931', '2000000000008', '9780201379624', '0036000291452', '0000000000000'],
  code39: ['Code39', '7Q4MX2K9PLA', 'CARD 7-.$/+%', 'A', '+A%B/C$D', '-1234562', 'Z'.repeat(40)],
  codabar: ['Codabar', '40156', '12', '2-3:4/5.6+7$8', '5'.repeat(40)],
  itf: ['ITF', '1234', '123456', '04006381333931', '1234567890123456', '7'.repeat(40)],
} as const;
for (const [format, [symbol, ...values]] of Object.entries(bars)) {
  test(`${format}: a scanner reads back what was written`, async () => {
    for (const value of values)
      assert.deepEqual(await readBarcode(barcodeSvg(format as keyof typeof bars, value)), [
        { format: symbol, text: value },
      ]);
  });
}

for (const format of ['qr', 'pdf417', 'aztec'] as const) {
  test(`${format}: letters beyond Latin are written as UTF-8`, async () => {
    assert.deepEqual(await readBarcode(barcodeSvg(format, '会員 №42 ☕')), [
      { format: SYMBOL[format], text: '会員 №42 ☕' },
    ]);
  });
}

test('the longest value that a pass may have fits every symbol', async () => {
  const value = 'AbC4'.repeat(64).slice(0, 255);
  for (const format of formats) {
    assert.deepEqual(await readBarcode(barcodeSvg(format, value)), [{ format: SYMBOL[format], text: value }]);
  }
});

test('equal arguments give equal text, other values other text', () => {
  for (const format of formats) {
    assert.equal(barcodeSvg(format, 'A1'), barcodeSvg(format, 'A1'));
    assert.notEqual(barcodeSvg(format, 'A1'), barcodeSvg(format, 'A2'));
  }
});

test('the drawing is an image with a name, on white, without text of the value', () => {
  for (const format of formats) {
    const svg = barcodeSvg(format, 'SECRET<VALUE', { title: '"Scan" <me> & go' });
    assert.match(svg, /^<svg viewBox="0 0 \d+ \d+" xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^>]* role="img"/);
    assert.match(svg, /<title>&quot;Scan&quot; &lt;me&gt; &amp; go<\/title>/);
    assert.match(svg, /<rect width="100%" height="100%" fill="#ffffff" \/>/);
    assert.doesNotMatch(svg, /SECRET|style=|<text/);
  }
  assert.match(barcodeSvg('aztec', 'x'), /<title>Aztec code<\/title>/);
});

test('a value that the symbol cannot hold is refused with what to change', () => {
  assert.throws(() => barcodeSvg('qr', ''), /^Error: A QR code needs a value; it is empty\.$/);
  assert.throws(
    () => barcodeSvg('code128', '会員'),
    /Code 128 barcode holds Latin letters.* use qr, pdf417 or aztec/,
  );
  assert.throws(
    () => barcodeSvg('pdf417', 'x'.repeat(4_000)),
    /^Error: A PDF417 barcode cannot hold this value of 4000 characters; shorten it\.$/,
  );
});
