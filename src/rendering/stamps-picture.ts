import type { CardColors } from '../cards/card-colors.ts';
import { keptOutcomes } from '../kit/kept-outcomes.ts';
import { drawPicture, type PictureOrder } from '../kit/pictures/draw-picture.ts';
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

/** Drawing takes tens of milliseconds, on a photo more; cards of a pass have few different ones. */
const heroes = keptOutcomes<Buffer>(8 * 1024 * 1024, ({ length }) => length + 500);
const strips = keptOutcomes<PassImage[]>(24 * 1024 * 1024, (images) =>
  images.reduce((sum, { bytes }) => sum + bytes.length, 500),
);

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

/** A strip travels to every phone with each stamp: it has 256 colours as large images of passes have, which were dithered when they came in. */
const small = { format: 'png', compressionLevel: 6, palette: true, effort: 1, dither: 0 } as const;
/** A hero is fetched by Google, once: to find its colours would take three times as long. */
const quick = { format: 'png', compressionLevel: 6 } as const;

/** It has a ground of its own, since a wallet may choose the card's colour; a photo is cropped as Wallet crops it. */
async function picture(
  { stamps, colors, store }: Scene,
  size: PictureSize,
  behind: StoredImage | undefined,
): Promise<Buffer> {
  const { width, height, scale } = size;
  const pixels = { width: width * scale, height: height * scale };
  const shapes = stampsDrawing(stamps, size, stampColors(stamps, colors, behind !== undefined));
  const ground =
    behind === undefined ? `<rect width="${width}" height="${height}" fill="${colors.shade}"/>` : '';
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels.width}" height="${pixels.height}" viewBox="0 0 ${width} ${height}">${ground}${shapes}</svg>`;
  const order: PictureOrder =
    behind === undefined
      ? { source: drawing, as: { format: 'png', palette: true, compressionLevel: 9 } }
      : {
          source: await readImage(store, behind.hash),
          cover: pixels,
          flatten: colors.shade,
          over: drawing,
          as: size === HERO ? quick : small,
        };
  return (await drawPicture(order)).bytes;
}
