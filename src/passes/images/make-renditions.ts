import { hash } from 'node:crypto';
import { holdingPixels, type Image, loadSharp, PIXEL_BYTES } from '../../kit/pictures/sharp.ts';
import { type ImageKind, sniffImage } from '../../kit/pictures/sniff-image.ts';
import { trimJpeg, trimPng, trimWebp } from '../../kit/pictures/trim-image.ts';
import type { ImageSlot } from '../pass-row.ts';
import { type Rendition, renditions, type Size, smallest } from './image-slots.ts';

/** What is made of an image: PNG, sRGB, 8 bits, upright, without metadata. */
export interface RenderedImage {
  /** The main image; it may be one of the files. */
  readonly shown: RenderedFile;
  /** By the name that a wallet knows it by: `strip@2x.png` in a pass file, `google-hero.png`. */
  readonly files: Readonly<Record<string, RenderedFile>>;
}

export interface RenderedFile {
  readonly bytes: Buffer;
  /** SHA-256 of the bytes, hexadecimal. */
  readonly hash: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** The bytes cannot become the image of their slot. The message says why, and what to do about it. */
export class ImageRefused extends Error {
  readonly reason: 'not_an_image' | 'unsupported_type' | 'too_small';

  constructor(reason: ImageRefused['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Makes of an image from anywhere the files that wallets want of its slot. It is always decoded in full, once, and
 * encoded anew, so nothing but its pixels is passed on. Equal bytes give equal files. Raises ImageRefused. It runs
 * libraries in native code on bytes of strangers: renderImage has it done in a process of its own.
 */
export async function makeRenditions(slot: ImageSlot, bytes: Buffer): Promise<RenderedImage> {
  const { source, header } = await open(bytes, givesAddress);
  refuseSize(slot, header);
  const { shown, files } = renditions[slot](header.size);
  return holdingPixels(header.decodedBytes, async () => {
    const picture = await decode(source, header, frameOf(header.size, [shown, ...files]));
    const made = await Promise.all(
      files.map(async (file) => [file.name, await encode(picture, file)] as const),
    );
    const rendered: Readonly<Record<string, RenderedFile>> = Object.fromEntries(made);
    return { shown: rendered[shown.name] ?? (await encode(picture, shown)), files: rendered };
  });
}

/**
 * The size of an image, upright, that was decoded in full. Raises ImageRefused for what makeRenditions would refuse whatever
 * its slot.
 */
export async function measureImage(bytes: Buffer): Promise<Size> {
  const { source, header } = await open(bytes, sendsFile);
  // None takes a smaller one.
  refuseSize('logoUrl', header);
  const all = {
    name: 'all',
    taken: header.size,
    size: { width: Math.min(header.size.width, 256), height: 1 },
  };
  await holdingPixels(header.decodedBytes, () => decode(source, header, frameOf(header.size, [all])));
  return header.size;
}

/** An image with what it needs to be decoded. */
async function open(bytes: Buffer, advice: string): Promise<{ source: Buffer; header: Header }> {
  const kind = sniff(bytes, advice);
  const source = trims[kind](bytes);
  if (source === null) throw broken(kind);
  return { source, header: await readHeader(kind, source) };
}

const givesAddress = 'Give the address of a PNG, JPEG or WebP file itself, not that of a page that shows it.';
const sendsFile = 'Send a PNG, JPEG or WebP file.';

type Accepted = Extract<ImageKind, 'PNG' | 'JPEG' | 'WebP'>;

/** What leaves out of an image all but one picture. */
const trims: Readonly<Record<Accepted, (bytes: Buffer) => Buffer | null>> = {
  PNG: trimPng,
  JPEG: trimJpeg,
  WebP: trimWebp,
};

function sniff(bytes: Buffer, advice: string): Accepted {
  const kind = sniffImage(bytes);
  if (kind === 'PNG' || kind === 'JPEG' || kind === 'WebP') return kind;
  if (kind !== null) {
    throw new ImageRefused('unsupported_type', `It is ${kind}. Give PNG, JPEG or WebP.`);
  }
  const what = bytes.length === 0 ? 'It is empty.' : 'It is not an image.';
  throw new ImageRefused('not_an_image', `${what} ${advice}`);
}

interface Header {
  readonly kind: Accepted;
  /** As it is to be shown. */
  readonly size: Size;
  readonly turn: Turn;
  readonly isGrey: boolean;
  /** The most bytes of a decoded image in memory. */
  readonly decodedBytes: number;
}

async function readHeader(kind: Accepted, source: Buffer): Promise<Header> {
  const sharp = await loadSharp();
  const found = await sharp(source, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw broken(kind);
    });
  // What the loader takes it for is what it was sniffed to be.
  if (found.format !== kind.toLowerCase()) throw broken(kind);
  const turn = turns[found.orientation ?? 1] ?? upright;
  const { width, height } = found;
  // A progressive JPEG is collected as coefficients of two bytes.
  const sampleBytes = found.depth === 'ushort' || (kind === 'JPEG' && found.isProgressive) ? 2 : 1;
  return {
    kind,
    size: turn.isOnSide ? { width: height, height: width } : { width, height },
    turn,
    isGrey: found.space === 'b-w' || found.space === 'grey16',
    decodedBytes: width * height * found.channels * sampleBytes,
  };
}

function refuseSize(slot: ImageSlot, { kind, size, decodedBytes }: Header): void {
  const { width, height } = size;
  const is = `It is ${width}×${height} pixels`;
  if (width * height > MOST_PIXELS) {
    const megapixels = ((width * height) / 1e6).toFixed(1);
    throw new ImageRefused(
      'not_an_image',
      `${is}, ${megapixels} megapixels. Scale it down: ${MOST_PIXELS / 1e6} are the most, and a tenth is plenty.`,
    );
  }
  if (Math.max(width, height) > LONGEST_SIDE) {
    throw new ImageRefused('not_an_image', `${is}. Scale it down: a side has ${LONGEST_SIDE} at most.`);
  }
  const least = smallest[slot];
  if (width < least.width || height < least.height) {
    throw new ImageRefused(
      'too_small',
      `${is}. Give one of ${least.width}×${least.height} or more for ${slot}.`,
    );
  }
  if (decodedBytes > PIXEL_BYTES) {
    const how = kind === 'JPEG' ? 'without CMYK' : 'with 8 bits a channel';
    throw new ImageRefused(
      'not_an_image',
      `${is}, which take ${Math.round(decodedBytes / 1e6)} MB to decode. Scale it down, or save it ${how}.`,
    );
  }
}

const MOST_PIXELS = 25_000_000;

/** The decoder holds hundreds of lines at a time, however few there are. */
const LONGEST_SIDE = 16_384;

function broken(kind: Accepted): ImageRefused {
  return new ImageRefused('not_an_image', `The ${kind} is broken or cut off. Save it again.`);
}

/** How a picture becomes upright: mirrored, then turned clockwise. */
interface Turn {
  readonly angle: number;
  readonly mirror?: 'flip' | 'flop';
  /** Width and height change places. */
  readonly isOnSide: boolean;
}

const upright: Turn = { angle: 0, isOnSide: false };

/** By the tag `Orientation` of Exif. */
const turns: Readonly<Record<number, Turn>> = {
  1: upright,
  2: { angle: 0, mirror: 'flop', isOnSide: false },
  3: { angle: 180, isOnSide: false },
  4: { angle: 0, mirror: 'flip', isOnSide: false },
  5: { angle: 90, mirror: 'flip', isOnSide: true },
  6: { angle: 90, isOnSide: true },
  7: { angle: 90, mirror: 'flop', isOnSide: true },
  8: { angle: 270, isOnSide: true },
};

/** The part of an image that holds all that is wanted of it, as large as the largest wants it. */
interface Frame extends Size {
  readonly isWhole: boolean;
  /** To one of the image. */
  readonly scale: number;
}

function frameOf(source: Size, wanted: readonly Rendition[]): Frame {
  const width = Math.max(...wanted.map(({ taken }) => taken.width));
  const height = Math.max(...wanted.map(({ taken }) => taken.height));
  const scales = wanted.map(({ taken, size }) =>
    Math.max(size.width / taken.width, size.height / taken.height),
  );
  const scale = Math.min(1, Math.max(...scales));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    isWhole: width === source.width && height === source.height,
    scale,
  };
}

interface Picture extends Frame {
  readonly pixels: Buffer;
  readonly channels: 1 | 2 | 3 | 4;
  readonly isOpaque: boolean;
}

/** The frame of an image, upright. The image passes through in strips, and is turned after it was made smaller. */
async function decode(source: Buffer, { kind, turn, isGrey }: Header, frame: Frame): Promise<Picture> {
  const sharp = await loadSharp();
  const [width, height] = turn.isOnSide ? [frame.height, frame.width] : [frame.width, frame.height];
  const framed = sharp(source, { limitInputPixels: MOST_PIXELS, failOn: 'warning' })
    .resize(width, height, { fit: frame.isWhole ? 'fill' : 'cover' })
    .toColourspace(isGrey ? 'b-w' : 'srgb');
  let raw = await readRaw(framed).catch(() => {
    throw broken(kind);
  });
  if (turn !== upright) {
    const turned = sharp(raw.data, { raw: raw.info }).rotate(turn.angle);
    raw = await readRaw(turned.flip(turn.mirror === 'flip').flop(turn.mirror === 'flop'));
  }
  const { channels } = raw.info;
  return { ...frame, pixels: raw.data, channels, isOpaque: isOpaque(raw.data, channels) };
}

function readRaw(image: Image) {
  return image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
}

function isOpaque(pixels: Buffer, channels: number): boolean {
  if (channels % 2 === 1) return true;
  for (let at = channels - 1; at < pixels.length; at += channels) if (pixels[at] !== 255) return false;
  return true;
}

async function encode(
  picture: Picture,
  { taken, size, ground, isOfManyColours }: Rendition,
): Promise<RenderedFile> {
  const sharp = await loadSharp();
  const part = {
    width: clamp(Math.round(taken.width * picture.scale), picture.width),
    height: clamp(Math.round(taken.height * picture.scale), picture.height),
  };
  const { pixels, width, height, channels } = picture;
  let image = sharp(pixels, { raw: { width, height, channels } })
    .extract({ ...part, left: (width - part.width) >> 1, top: (height - part.height) >> 1 })
    .resize(size.width, size.height, { fit: 'fill' })
    .toColourspace(channels < 3 ? 'b-w' : 'srgb');
  if (ground !== undefined) image = image.extend({ ...around(size, ground), background: '#0000' });
  else if (picture.isOpaque) image = image.removeAlpha();
  // Photos are a third smaller with a filter for each line, at level 6; more effort gains little and takes long.
  const filtered = image.clone().png({ compressionLevel: 6, adaptiveFiltering: true });
  const bytes = await filtered.toBuffer();
  const drawn = { width: ground ?? size.width, height: ground ?? size.height };
  if (bytes.length <= PHOTO_BYTES || isOfManyColours) return fileOf(bytes, drawn);
  // What stays so large is a photo. On a screen of two or three pixels to the point people do not see that it is dithered, and
  // it travels to each phone again with each change of its card.
  const dithered = image.png({ palette: true, effort: 1, compressionLevel: 6 });
  return fileOf(await dithered.toBuffer(), drawn);
}

/** The hash is made here, in a process where it delays no answers. */
function fileOf(bytes: Buffer, size: Size): RenderedFile {
  return { bytes, hash: hash('sha256', bytes), ...size };
}

/** A file that is larger has 256 colours. */
const PHOTO_BYTES = 150_000;

function around({ width, height }: Size, ground: number) {
  const left = (ground - width) >> 1;
  const top = (ground - height) >> 1;
  return { left, top, right: ground - width - left, bottom: ground - height - top };
}

function clamp(length: number, most: number): number {
  return Math.min(Math.max(length, 1), most);
}
