import { sniffImage } from '../../src/kit/pictures/sniff-image.ts';
import { pngChunk, pngChunks, pngSignature } from '../../src/passes/images/pictures.fixture.ts';

/** A chunk of a PNG or a WebP, or a segment of a JPEG with what follows it up to the next. */
export interface Part {
  readonly name: string;
  readonly data: Buffer;
}

export interface Parts {
  readonly format: 'PNG' | 'JPEG' | 'WebP';
  readonly parts: readonly Part[];
}

/** A picture as the parts of its format; null for what has lost its signature. */
export function splitParts(bytes: Buffer): Parts | null {
  const format = sniffImage(bytes);
  if (format === 'PNG') {
    const parts = pngChunks(bytes).map(({ type, data }) => ({ name: type, data }));
    return { format, parts };
  }
  if (format === 'JPEG') return { format, parts: jpegSegments(bytes) };
  return format === 'WebP' ? { format, parts: webpChunks(bytes) } : null;
}

/** The picture of the parts, with true lengths and checksums. */
export function joinParts({ format, parts }: Parts): Buffer {
  if (format === 'PNG') {
    return Buffer.concat([pngSignature, ...parts.map(({ name, data }) => pngChunk(name, data))]);
  }
  if (format === 'JPEG') return Buffer.concat([Buffer.from('ffd8', 'hex'), ...parts.map(({ data }) => data)]);
  const chunks = parts.flatMap(({ name, data }) => [
    Buffer.from(name.padEnd(4), 'latin1'),
    length32(data.length),
    data,
    Buffer.alloc(data.length % 2),
  ]);
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  return Buffer.concat([Buffer.from('RIFF'), length32(body.length), body]);
}

function jpegSegments(bytes: Buffer): Part[] {
  const parts: Part[] = [];
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const name = bytes.toString('hex', at, at + 2);
    let end = at + 2 + bytes.readUInt16BE(at + 2);
    // Compressed pixels run on to the next marker that is neither a stuffed byte nor a restart.
    while (
      name === 'ffda' &&
      end < bytes.length &&
      !/^ff(?!00|d[0-7])/.test(bytes.toString('hex', end, end + 2))
    ) {
      end++;
    }
    parts.push({ name, data: bytes.subarray(at, end) });
    at = end;
  }
  return [...parts, { name: 'rest', data: bytes.subarray(at) }];
}

function webpChunks(bytes: Buffer): Part[] {
  const parts: Part[] = [];
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + 8, at + 8 + length);
    parts.push({ name: bytes.toString('latin1', at, at + 4), data });
    at += 8 + length + (length % 2);
  }
  return parts;
}

function length32(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(length);
  return bytes;
}
