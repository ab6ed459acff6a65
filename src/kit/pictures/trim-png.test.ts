import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cpuMs } from '../../../test/cpu-ms.ts';
import { trimPng } from './trim-png.ts';

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
