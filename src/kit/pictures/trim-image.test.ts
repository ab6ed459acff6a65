import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cpuMs } from '../../../test/cpu-ms.ts';
import { loadSharp } from './sharp.ts';
import { trimJpeg, trimPng, trimWebp } from './trim-image.ts';

const sharp = await loadSharp();
const noise = Buffer.from(Array.from({ length: 64 * 48 * 3 }, (_, at) => (at * 7_919) % 251));
const picture = () => sharp(noise, { raw: { width: 64, height: 48, channels: 3 } });
const pixelsOf = (picture: Buffer) => sharp(picture).raw().toBuffer();

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** Segments directly after the first two bytes. */
function withSegments(jpeg: Buffer, ...segments: readonly Buffer[]): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

const kinds = {
  plain: await picture().jpeg().toBuffer(),
  progressive: await picture().jpeg({ progressive: true }).toBuffer(),
  'turned, with a profile': await picture()
    .withMetadata({ orientation: 6 })
    .withIccProfile('p3')
    .jpeg()
    .toBuffer(),
  CMYK: await picture().toColourspace('cmyk').jpeg().toBuffer(),
  'with restarts': await picture().jpeg({ quality: 40 }).toBuffer(),
};

for (const [name, jpeg] of Object.entries(kinds)) {
  it(`a JPEG that is ${name} has the same pixels, the same way up`, async () => {
    const trimmed = trimJpeg(jpeg) ?? assert.fail();
    assert.deepEqual(await pixelsOf(trimmed), await pixelsOf(jpeg));
    const [before, after] = [await sharp(jpeg).metadata(), await sharp(trimmed).metadata()];
    assert.deepEqual(
      [after.orientation, after.space, after.icc],
      [before.orientation, before.space, before.icc],
    );
  });
}

it('leaves out comments, notes of programs and what follows the end', () => {
  const xmp = segment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0<script>'));
  const talkative = withSegments(
    kinds.plain,
    segment(0xfe, Buffer.from('secret')),
    xmp,
    segment(0xed, noise),
  );
  assert.deepEqual(trimJpeg(Buffer.concat([talkative, Buffer.from('<script>')])), trimJpeg(kinds.plain));
});

it('keeps the first of what counts once', async () => {
  const exif = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), Buffer.from('MM\0*\0\0\0\b\0\0')]));
  const trimmed = trimJpeg(withSegments(kinds.plain, exif, exif, exif)) ?? assert.fail();
  assert.equal(trimmed.length, (trimJpeg(kinds.plain)?.length ?? 0) + exif.length);
});

it('is as small without millions of empty notes, before the pixels and between scans', async () => {
  const notes = Buffer.alloc(4_000_000, segment(0xe1, Buffer.alloc(0)));
  assert.deepEqual(trimJpeg(withSegments(kinds.plain, notes)), trimJpeg(kinds.plain));
  const { progressive } = kinds;
  const second = progressive.lastIndexOf(Buffer.from([0xff, 0xda]));
  const between = Buffer.concat([progressive.subarray(0, second), notes, progressive.subarray(second)]);
  assert.deepEqual(trimJpeg(between), trimJpeg(progressive));
});

it('refuses more scans than an honest picture has', () => {
  const { progressive } = kinds;
  const last = progressive.lastIndexOf(Buffer.from([0xff, 0xda]));
  const scan = progressive.subarray(last, progressive.length - 2);
  const many = Array.from({ length: 200 }, () => scan);
  assert.equal(
    trimJpeg(Buffer.concat([progressive.subarray(0, last), ...many, Buffer.from([0xff, 0xd9])])),
    null,
  );
});

it('finds no way through what is cut off within a segment', () => {
  const { plain } = kinds;
  const pixels = plain.indexOf(Buffer.from([0xff, 0xda])) + 14;
  for (let length = 3; length < pixels - 1; length++) {
    const trimmed = trimJpeg(plain.subarray(0, length));
    assert.ok(trimmed === null || trimmed.length <= length);
  }
  assert.equal(trimJpeg(plain.subarray(0, 30)), null);
  assert.equal(trimJpeg(Buffer.from([0xff, 0xd8, 0xff, 0xdb, 0xff, 0xff, 0])), null);
});

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const whole = [chunk('IHDR', 13), chunk('PLTE', 3), chunk('tRNS', 1), chunk('IDAT', 99), chunk('IEND', 0)];

describe('trimPng', () => {
  it('keeps what the pixels need', () => {
    const profile = chunk('iCCP', 40);
    const turned = chunk('eXIf', 20);
    const bytes = Buffer.concat([signature, profile, turned, ...whole]);
    assert.deepEqual(trimPng(bytes), bytes);
  });

  it('drops the rest, and what follows the end', () => {
    const [header, ...others] = whole;
    const texts = ['tEXt', 'zTXt', 'iTXt', 'tIME', 'acTL', 'fcTL', 'fdAT', 'prVt'].map((type) =>
      chunk(type, 50),
    );
    const bytes = Buffer.concat([
      signature,
      header ?? Buffer.alloc(0),
      ...texts,
      ...others,
      chunk('tEXt', 9),
      Buffer.from('<script>'),
    ]);
    assert.deepEqual(trimPng(bytes), Buffer.concat([signature, ...whole]));
  });

  it('finds no end in what was cut off or lies about a length', () => {
    const bytes = Buffer.concat([signature, ...whole]);
    for (let length = 0; length < bytes.length; length++)
      assert.equal(trimPng(bytes.subarray(0, length)), null);
    const tooLong = Buffer.from(bytes);
    tooLong.writeUInt32BE(0xffff_ffff, signature.length);
    assert.equal(trimPng(tooLong), null);
  });

  it('is quick about a million chunks', () => {
    const pair = Buffer.concat([chunk('IDAT', 0), chunk('tEXt', 0)]);
    const bytes = Buffer.concat([
      signature,
      ...Array.from({ length: 800_000 }, () => pair),
      chunk('IEND', 0),
    ]);
    const before = cpuMs();
    assert.equal(trimPng(bytes)?.length, 8 + 800_000 * 12 + 12);
    assert.ok(cpuMs() - before < 1_500);
  });
});

/** Its checksum is left to the decoder. */
function chunk(type: string, length: number): Buffer {
  const bytes = Buffer.alloc(length + 12, 7);
  bytes.writeUInt32BE(length);
  bytes.write(type, 4, 'latin1');
  return bytes;
}

async function still(): Promise<Buffer> {
  const create = { width: 40, height: 30, channels: 4, background: '#c0402080' } as const;
  return sharp({ create }).webp().toBuffer();
}

/** So many frames, each of another colour. */
async function moving(frames: number): Promise<Buffer> {
  const pixels = Buffer.concat(
    Array.from({ length: frames }, (_, at) => Buffer.alloc(20 * 10 * 3, at * 40 + 20)),
  );
  const raw = { width: 20, height: 10 * frames, channels: 3, pageHeight: 10 } as const;
  return sharp(pixels, { raw }).webp({ lossless: true, loop: 0 }).toBuffer();
}

/** A chunk after the others, counted in. */
function withChunk(webp: Buffer, type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(content.length, 4);
  const whole = Buffer.concat([webp, head, content, Buffer.alloc(content.length % 2)]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}

it('leaves a picture as it is', async () => {
  const webp = await still();
  assert.deepEqual(trimWebp(webp), webp);
});

it('keeps the first picture of several', async () => {
  const webp = await moving(5);
  assert.equal((await sharp(webp).metadata()).pages, 5);
  const trimmed = trimWebp(webp) ?? assert.fail();
  assert.ok((await sharp(trimmed).metadata()).pages !== 5);
  assert.deepEqual(await pixelsOf(trimmed), await pixelsOf(webp));
});

it('leaves out texts, unknown chunks and what follows the end', async () => {
  const webp = await still();
  const talkative = withChunk(withChunk(webp, 'XMP ', Buffer.from('<script>')), 'junk', Buffer.alloc(99));
  assert.deepEqual(trimWebp(Buffer.concat([talkative, Buffer.from('trailing')])), webp);
});

it('is quick with hundreds of thousands of frames', async () => {
  const webp = await moving(2);
  const at = webp.indexOf('ANMF');
  const frame = webp.subarray(at, at + 8 + webp.readUInt32LE(at + 4));
  const copies = Array.from({ length: Math.floor(15_000_000 / frame.length) }, () => frame);
  const bomb = Buffer.concat([webp.subarray(0, at), ...copies]);
  bomb.writeUInt32LE(bomb.length - 8, 4);
  const trimmed = trimWebp(bomb) ?? assert.fail();
  assert.equal(trimmed.length, at + frame.length);
  assert.deepEqual(await pixelsOf(trimmed), await pixelsOf(webp));
});

it('finds no end where a chunk, or the file, is cut off', async () => {
  const webp = await still();
  for (const length of [0, 4, 11, 12, 19, webp.length - 2])
    assert.equal(trimWebp(webp.subarray(0, length)), null);
  const overlong = Buffer.from(webp);
  overlong.writeUInt32LE(0xffffffff, overlong.indexOf('VP8') + 4);
  assert.equal(trimWebp(overlong), null);
});
