import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Json, png } from './pkpass-sample.fixture.ts';
import { imageName, validateImages } from './validate-images.ts';

function check(pass: Json, files: Record<string, Buffer>): string[] {
  const found: string[] = [];
  validateImages(new Map(Object.entries(files)), pass, (rule, _message, where) => {
    found.push(`${rule} @ ${where}`);
  });
  return found;
}

describe('imageName', () => {
  it('splits language, name and scale', () => {
    assert.deepEqual(imageName('icon.png'), { language: null, base: 'icon', scale: 1 });
    assert.deepEqual(imageName('zh-Hans.lproj/logo@3x.png'), { language: 'zh-Hans', base: 'logo', scale: 3 });
    for (const name of [
      'icon@1x.png',
      'icon@4x.png',
      'images/icon.png',
      'a/fr.lproj/icon.png',
      'icon.PNG',
      'icon.jpg',
    ]) {
      assert.equal(imageName(name), null, name);
    }
  });
});

describe('validateImages', () => {
  it('knows which image each style shows', () => {
    const shown: Record<string, string[]> = {
      boardingPass: ['icon', 'logo', 'footer'],
      coupon: ['icon', 'logo', 'strip'],
      eventTicket: ['icon', 'logo', 'strip', 'background', 'thumbnail'],
      generic: ['icon', 'logo', 'thumbnail'],
      storeCard: ['icon', 'logo', 'strip'],
    };
    for (const [style, names] of Object.entries(shown)) {
      for (const name of [
        'icon',
        'logo',
        'strip',
        'background',
        'thumbnail',
        'footer',
        'unknown',
        'constructor',
      ]) {
        const expected = names.includes(name) ? [] : [`image-unused @ ${name}.png`];
        assert.deepEqual(
          check({ [style]: {} }, { [`${name}.png`]: png(10, 10) }),
          expected,
          `${style} ${name}`,
        );
      }
    }
  });

  it('knows that a strip hides background and thumbnail', () => {
    const files = { 'strip.png': png(9, 9), 'background.png': png(9, 9), 'thumbnail@2x.png': png(9, 9) };
    assert.deepEqual(check({ eventTicket: {} }, files), [
      'image-unused @ background.png',
      'image-unused @ thumbnail@2x.png',
    ]);
  });

  it('takes poster images with a poster or semantic style only', () => {
    const files = { 'artwork.png': png(500, 500) };
    assert.deepEqual(check({ eventTicket: {} }, files), ['image-unused @ artwork.png']);
    assert.deepEqual(check({ eventTicket: {}, preferredStyleSchemes: ['posterEventTicket'] }, files), []);
  });

  it('wants the artwork of a poster, in exactly its size', () => {
    const poster = { generic: {}, posterGeneric: {} };
    const logos = {
      'logo.png': png(160, 50),
      'primaryLogo@2x.png': png(252, 60),
      'thumbnail.png': png(90, 90),
    };
    assert.deepEqual(check(poster, { 'artwork.png': png(358, 448), ...logos }), []);
    assert.deepEqual(check(poster, { 'artwork@3x.png': png(1074, 1344), ...logos }), []);
    assert.deepEqual(check(poster, logos), ['image-poster @ undefined']);
    assert.deepEqual(check(poster, { 'artwork.png': png(358, 447) }), ['image-poster @ artwork.png']);
    assert.deepEqual(check(poster, { 'artwork@2x.png': png(717, 896) }), ['image-size @ artwork@2x.png']);
    assert.deepEqual(check({ generic: {} }, { 'artwork.png': png(358, 448) }), [
      'image-unused @ artwork.png',
    ]);
    const large = { 'artwork.png': png(358, 448), 'primaryLogo.png': png(160, 50) };
    assert.deepEqual(check(poster, large), ['image-size @ primaryLogo.png']);
  });

  it('measures in pixels of the scale, by style', () => {
    const strip = (style: string, height: number) =>
      check({ [style]: {} }, { 'strip@2x.png': png(750, height) });
    assert.deepEqual(strip('storeCard', 288), []);
    assert.deepEqual(strip('coupon', 289), ['image-size @ strip@2x.png']);
    assert.deepEqual(strip('eventTicket', 196), []);
    assert.deepEqual(strip('eventTicket', 197), ['image-size @ strip@2x.png']);
    assert.deepEqual(check({ generic: {} }, { 'icon@3x.png': png(115, 115) }), ['image-size @ icon@3x.png']);
    assert.deepEqual(check({ generic: {} }, { 'thumbnail.png': png(40, 70) }), [
      'image-size @ thumbnail.png',
    ]);
    assert.deepEqual(check({ generic: {} }, { 'thumbnail.png': png(60, 90) }), []);
  });

  it('refuses what only looks like a PNG', () => {
    const whole = png(10, 10);
    const huge = Buffer.from(whole);
    huge.writeUInt32BE(0xffffffff, 33);
    const flat = Buffer.from(whole);
    flat.writeUInt32BE(0, 16);
    const wrong = [
      Buffer.alloc(0),
      Buffer.from('GIF89a'),
      whole.subarray(0, 40),
      whole.subarray(0, -13),
      huge,
      flat,
    ];
    for (const bytes of wrong) {
      assert.deepEqual(check({ generic: {} }, { 'logo.png': bytes }), ['image-invalid @ logo.png']);
    }
  });

  it('compares the languages', () => {
    const image = png(10, 10);
    const same = {
      'fr.lproj/logo.png': image,
      'fr.lproj/logo@2x.png': image,
      'de.lproj/logo@2x.png': image,
      'de.lproj/logo.png': image,
    };
    assert.deepEqual(check({ generic: {} }, same), []);
    assert.deepEqual(check({ generic: {} }, { ...same, 'it.lproj/logo.png': image }), [
      'image-resolutions-differ @ it.lproj/logo.png',
    ]);
    assert.deepEqual(check({ generic: {} }, { ...same, 'logo.png': image }), [
      'image-shadowed @ fr.lproj/logo.png',
      'image-shadowed @ de.lproj/logo.png',
    ]);
  });
});
