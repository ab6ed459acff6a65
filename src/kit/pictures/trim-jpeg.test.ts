import assert from 'node:assert/strict';
import { it } from 'node:test';
import { loadSharp } from './sharp.ts';
import { trimJpeg } from './trim-jpeg.ts';

const sharp = await loadSharp();
const noise = Buffer.from(Array.from({ length: 64 * 48 * 3 }, (_, at) => (at * 7_919) % 251));
const picture = () => sharp(noise, { raw: { width: 64, height: 48, channels: 3 } });
const pixelsOf = (jpeg: Buffer) => sharp(jpeg).raw().toBuffer();

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
