import { LRUCache } from 'lru-cache';
import type { CardColors } from '../cards/card-colors.ts';
import { drawPicture } from '../kit/pictures/draw-picture.ts';
import type { ImageFiles } from '../passes/images/image-files.ts';
import type { PassImage as OwnImage, PassType, StoredImage } from '../passes/pass-row.ts';
import { type PassImage, prepareImage } from '../wallet/apple/pkpass.ts';
import { readImage } from './apple-content.ts';
import { STRIP, type Stamps, stampColors, stampsDrawing } from './stamps-drawing.ts';

/** Stamps with what is around them. */
interface Scene {
  readonly stamps: Stamps;
  readonly colors: CardColors;
  /** Where the images are. */
  readonly store: ImageFiles;
}

/** The size in points, and the pixels of a point. */
interface PictureSize {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/** What Google Wallet shows above a card: 1032 by 336 pixels. */
const HERO: PictureSize = { width: 344, height: 112, scale: 3 };

/** Drawing takes tens of milliseconds, on a photo hundreds; cards of a pass have few different ones. */
const heroes = kept<Buffer>(8 * 1024 * 1024, ({ length }) => length);
const strips = kept<PassImage[]>(24 * 1024 * 1024, (images) =>
  images.reduce((sum, { bytes }) => sum + bytes.length, 0),
);

/** Draws what is not kept, once for callers at the same time. */
function kept<T extends object>(maxSize: number, sizeOf: (drawn: T) => number) {
  const shelf = new LRUCache<string, T>({
    maxSize,
    sizeCalculation: (drawn) => sizeOf(drawn) + 500,
    // What others push out while it is being drawn is answered all the same.
    ignoreFetchAbort: true,
    fetchMethod: (_name, _stale, { context }) => (context as () => Promise<T>)(),
  });
  return async (name: string, draw: () => Promise<T>) =>
    (await shelf.fetch(name, { context: draw })) ?? draw();
}

/** The stamps for Google Wallet, on an image or not, as PNG. Equal arguments give equal bytes. */
export function stampsHero(scene: Scene, image: OwnImage | undefined): Promise<Buffer> {
  const behind = image?.files['google-hero.png'];
  return heroes(nameOf(scene, [behind]), () => picture(scene, HERO, behind));
}

/**
 * The stamps as the strip of a pass file, on an image or not; nothing for a type without one. Equal arguments give equal
 * bytes.
 */
export async function stampsStrip(
  scene: Scene,
  type: PassType,
  image: OwnImage | undefined,
): Promise<PassImage[]> {
  const size = STRIP[type];
  if (size === null) return [];
  const names = ['strip.png', 'strip@2x.png', 'strip@3x.png'];
  // A small image has no file for the larger ones.
  const behind = names.map((name) => image?.files[name] ?? image?.shown);
  return strips(`${size.height} ${nameOf(scene, behind)}`, () =>
    Promise.all(
      names.map(async (name, at) =>
        prepareImage(name, await picture(scene, { ...size, scale: at + 1 }, behind[at])),
      ),
    ),
  );
}

function nameOf(
  { stamps, colors: { shade, foreground } }: Scene,
  behind: readonly (StoredImage | undefined)[],
) {
  return JSON.stringify([stamps, shade, foreground, behind.map((image) => image?.hash)]);
}

/** It has a ground of its own, since a wallet may choose the card's colour. */
async function picture(
  { stamps, colors, store }: Scene,
  size: PictureSize,
  behind: StoredImage | undefined,
): Promise<Buffer> {
  const { width, height, scale } = size;
  const shapes = stampsDrawing(stamps, size, stampColors(stamps, colors, behind !== undefined));
  const photo = behind === undefined ? '' : imageIn(size, await readImage(store, behind.hash));
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width * scale}" height="${height * scale}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="${colors.shade}"/>${photo}${shapes}</svg>`;
  const as = { format: 'png', palette: true, ...(behind === undefined ? small : quick) } as const;
  return (await drawPicture({ source: drawing, as })).bytes;
}

const small = { compressionLevel: 9 };
/** As images of passes are encoded: on a photo more effort gains little and takes long. */
const quick = { effort: 1, compressionLevel: 6 };

/** Cropped to the size, as Wallet crops it. */
function imageIn({ width, height }: PictureSize, png: Buffer): string {
  return `<image width="${width}" height="${height}" preserveAspectRatio="xMidYMid slice" href="data:image/png;base64,${png.toString('base64')}"/>`;
}
