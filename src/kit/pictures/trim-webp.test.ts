import assert from 'node:assert/strict';
import { it } from 'node:test';
import { loadSharp } from './sharp.ts';
import { trimWebp } from './trim-webp.ts';

const sharp = await loadSharp();

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

const pixelsOf = (webp: Buffer) => sharp(webp).raw().toBuffer();

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
