import { deflateSync, inflateSync } from 'node:zlib';
import { joinParts, type Part, type Parts, splitParts } from './picture-parts.ts';
import type { Random } from './random.ts';

export type Seeds = readonly [Buffer, ...Buffer[]];

/** A picture that was broken one to four times: in its bytes, or in its parts, whose lengths and checksums are mended. */
export function mutate(random: Random, seeds: Seeds): Buffer {
  let bytes = random.pick(seeds);
  for (let times = 1 + random.below(4); times > 0; times--) {
    const parts = random.below(5) < 3 ? splitParts(bytes) : null;
    bytes =
      parts !== null && parts.parts.length > 0
        ? joinParts({ ...parts, parts: random.pick(partMutations)(random, parts) })
        : random.pick(byteMutations)(random, bytes, seeds);
  }
  return bytes.subarray(0, 300_000);
}

const byteMutations: readonly [ByteMutation, ...ByteMutation[]] = [
  flipBits,
  (random, bytes) => overwrite(random, bytes, random.bytes(1 + random.below(64))),
  (random, bytes) => overwrite(random, bytes, edgeNumber(random)),
  (random, bytes) => bytes.subarray(0, random.below(bytes.length + 1)),
  (random, bytes) => {
    const [from, to] = range(random, bytes);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  (random, bytes) => {
    const [from, to] = range(random, bytes);
    const copies = Array.from({ length: 1 + random.below(4) }, () => bytes.subarray(from, to));
    return Buffer.concat([bytes.subarray(0, to), ...copies, bytes.subarray(to)]);
  },
  (random, bytes) => {
    const at = random.below(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), random.bytes(1 + random.below(200)), bytes.subarray(at)]);
  },
  // The head of one and the tail of another.
  (random, bytes, seeds) => {
    const other = random.pick(seeds);
    const head = bytes.subarray(0, random.below(bytes.length + 1));
    return Buffer.concat([head, other.subarray(random.below(other.length + 1))]);
  },
];

type ByteMutation = (random: Random, bytes: Buffer, seeds: Seeds) => Buffer;

const partMutations: readonly [PartMutation, ...PartMutation[]] = [
  (random, { parts }) => parts.toSpliced(random.below(parts.length), 1),
  (random, { parts }) => {
    const part = parts[random.below(parts.length)];
    const copies = Array.from({ length: 1 + random.below(12) }, () => part ?? []).flat();
    return parts.toSpliced(random.below(parts.length + 1), 0, ...copies);
  },
  (random, { parts }) => {
    const [from, to] = [random.below(parts.length), random.below(parts.length)];
    return parts.with(from, parts[to] ?? nothing).with(to, parts[from] ?? nothing);
  },
  (random, { parts }) => changePart(random, parts, ({ data }) => flipBits(random, data)),
  (random, { parts }) => changePart(random, parts, ({ data }) => overwrite(random, data, edgeNumber(random))),
  (random, { parts }) =>
    changePart(random, parts, ({ data }) => data.subarray(0, random.below(data.length + 1))),
  (random, { parts }) =>
    changePart(random, parts, ({ data }) => Buffer.concat([data, random.bytes(random.below(300))])),
  changeHeader,
  changeHeader,
  changePixels,
];

type PartMutation = (random: Random, picture: Parts) => readonly Part[];

const nothing: Part = { name: 'none', data: Buffer.alloc(0) };

/** Another width or height, or another kind of pixels, where the format has them. */
function changeHeader(random: Random, { parts }: Parts): readonly Part[] {
  const at = parts.findIndex(({ name }) => /^(?:IHDR|ffc[0-2]|VP8[ LX])$/.test(name));
  const { name, data } = parts[at] ?? nothing;
  const places = { IHDR: 0, 'VP8 ': 6, VP8L: 1, VP8X: 4 }[name] ?? 5;
  const header = Buffer.from(data);
  if (header.length < places + 10) return parts;
  const side = random.pick([
    0,
    1,
    2,
    89,
    90,
    100,
    500,
    4_999,
    5_000,
    16_383,
    65_500,
    65_535,
    2 ** 24,
    2 ** 31 - 1,
    2 ** 32 - 1,
  ]);
  if (name === 'IHDR') {
    if (random.below(2) === 0) header.writeUInt32BE(side, random.pick([0, 4]));
    else header[8 + random.below(5)] = random.pick([0, 1, 2, 3, 4, 6, 8, 16, 255]);
  } else if (name.startsWith('VP8')) {
    header.writeUInt16LE(side & 0xffff, places + random.below(6));
  } else {
    // Behind the marker and its length: depth, height, width, number of components, their sampling.
    if (random.below(2) === 0) header.writeUInt16BE(side & 0xffff, places + random.pick([0, 2]));
    else
      header[random.pick([4, 9, 10, 11, 12, 13, 14])] = random.pick([
        0, 1, 2, 3, 4, 8, 12, 0x11, 0x22, 0x44, 255,
      ]);
  }
  return parts.with(at, { name, data: header });
}

/** The pixels of a PNG before they were compressed; its filters are among them. */
function changePixels(random: Random, { parts }: Parts): readonly Part[] {
  const at = parts.findIndex(({ name }) => name === 'IDAT');
  const { name, data } = parts[at] ?? nothing;
  try {
    const pixels = overwrite(random, flipBits(random, inflateSync(data)), random.bytes(1 + random.below(40)));
    const cut = random.below(4) === 0 ? pixels.subarray(0, random.below(pixels.length)) : pixels;
    return at < 0 ? parts : parts.with(at, { name, data: deflateSync(cut, { level: 1 }) });
  } catch {
    return changePart(random, parts, (part) => flipBits(random, part.data));
  }
}

function changePart(random: Random, parts: readonly Part[], change: (part: Part) => Buffer): readonly Part[] {
  const at = random.below(parts.length);
  const part = parts[at] ?? nothing;
  return parts.with(at, { name: part.name, data: change(part) });
}

function flipBits(random: Random, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let times = 1 + random.below(8); times > 0 && copy.length > 0; times--) {
    const at = random.below(copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
  }
  return copy;
}

function overwrite(random: Random, bytes: Buffer, by: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  by.copy(copy, random.below(copy.length + 1));
  return copy;
}

/** Numbers at which lengths and sizes overflow, of one to four bytes, either end first. */
function edgeNumber(random: Random): Buffer {
  const value = random.pick([
    0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff,
  ]);
  const bytes = Buffer.alloc(4);
  if (random.below(2) === 0) bytes.writeUInt32BE(value);
  else bytes.writeUInt32LE(value);
  return bytes.subarray(random.below(4));
}

function range(random: Random, bytes: Buffer): readonly [from: number, to: number] {
  const from = random.below(bytes.length + 1);
  return [from, Math.min(bytes.length, from + random.below(random.pick([4, 64, 4_096])))];
}
