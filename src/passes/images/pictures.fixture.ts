import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** What a hand-made PNG says of itself; `pixels` are its rows, each after the byte of its filter. */
export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  /** PNG specification §11.2.2: 0 grey, 2 colour, 3 palette, 6 colour with transparency. */
  readonly colour?: number;
  readonly interlaced?: boolean;
}

/** A PNG from its parts, however wrong they are; black where no pixels are given. */
export function png(header: PngHeader, chunks: readonly Buffer[] = [], pixels = blackRows(header)): Buffer {
  return Buffer.concat([
    pngSignature,
    pngHeader(header),
    ...chunks,
    pngChunk('IDAT', deflateSync(pixels, { level: 9 })),
    pngChunk('IEND'),
  ]);
}

export const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

export function pngHeader({ width, height, depth = 8, colour = 2, interlaced = false }: PngHeader): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8);
  return pngChunk('IHDR', data);
}

export function pngChunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const chunk = Buffer.alloc(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8);
  return chunk;
}

/** The chunks of a PNG, as they stand. */
export function pngChunks(bytes: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = [];
  let at = pngSignature.length;
  while (at + 12 <= bytes.length) {
    const end = at + 12 + bytes.readUInt32BE(at);
    chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end - 4) });
    at = end;
  }
  return chunks;
}

function blackRows({ width, height, depth = 8, colour = 2 }: PngHeader): Buffer {
  const samples = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colour] ?? 1;
  return Buffer.alloc(height * (1 + Math.ceil((width * samples * depth) / 8)));
}

/** Something like a photo: slopes of colour with grain, the same each time. */
export function photo(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  let grain = 1;
  for (let at = 0; at < pixels.length; at += 3) {
    const x = (at / 3) % width;
    const y = Math.floor(at / 3 / width);
    grain = (Math.imul(grain, 1_103_515_245) + 12_345) >>> 0;
    const rough = (grain >>> 16) % 24;
    pixels[at] = 100 + 100 * Math.sin(x / 37 + y / 91) + rough;
    pixels[at + 1] = 90 + 80 * Math.cos(y / 53) + rough;
    pixels[at + 2] = 60 + 60 * Math.sin((x * y) / 40_000) + rough;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** One colour all over. */
export function plain(width: number, height: number, background = '#336699'): Sharp {
  return sharp({ create: { width, height, channels: background.length === 9 ? 4 : 3, background } });
}

/** Four fields: red and green above, blue and white below. */
export function fields(width: number, height: number): Sharp {
  const half = { width: Math.ceil(width / 2), height: Math.ceil(height / 2), channels: 3 as const };
  const field = (background: string, left: number, top: number) => ({
    input: { create: { ...half, background } },
    left: left * (width - half.width),
    top: top * (height - half.height),
  });
  return plain(width, height, '#000000').composite([
    field('#ff0000', 0, 0),
    field('#00ff00', 1, 0),
    field('#0000ff', 0, 1),
    field('#ffffff', 1, 1),
  ]);
}

/** Moving pictures of so many frames, the first of one colour and the others of another. */
export async function animatedWebp(width: number, height: number, frames: number): Promise<Buffer> {
  const pictures = Array.from({ length: frames }, (_, index) =>
    plain(width, height, index === 0 ? '#ff0000' : '#00ff00')
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(pictures), { join: { animated: true } })
    .webp()
    .toBuffer();
}

/** A black PNG with a second frame that only readers of APNG see. */
export function animatedPng(width: number, height: number): Buffer {
  const words = (...values: number[]) => {
    const data = Buffer.alloc(values.length * 4);
    for (const [index, value] of values.entries()) data.writeUInt32BE(value, index * 4);
    return data;
  };
  const frame = (sequence: number) =>
    pngChunk('fcTL', Buffer.concat([words(sequence, width, height, 0, 0), Buffer.from([0, 1, 0, 10, 0, 0])]));
  const white = Buffer.alloc(height * (1 + width * 3), 255).fill(0, 0, 1);
  for (let row = 0; row < height; row++) white[row * (1 + width * 3)] = 0;
  const whole = png({ width, height }, [pngChunk('acTL', words(2, 0)), frame(0)]);
  const end = whole.length - pngChunk('IEND').length;
  return Buffer.concat([
    whole.subarray(0, end),
    frame(1),
    pngChunk('fdAT', Buffer.concat([words(2), deflateSync(white)])),
    whole.subarray(end),
  ]);
}
