import type { CardColors } from '../../cards/card-colors.ts';
import { keptOutcomes } from '../../kit/kept-outcomes.ts';
import { drawPicture } from '../../kit/pictures/draw-picture.ts';
import type { ImageFiles } from '../../passes/images/image-files.ts';
import type { StoredImage } from '../../passes/pass-row.ts';
import { readImage } from '../../rendering/apple-content.ts';
import type { IconName } from '../../rendering/drawn-icon.ts';

interface Wanted {
  readonly store: ImageFiles;
  readonly hash: string;
  /** `#rrggbb` */
  readonly ground: string;
  readonly name: IconName;
}

const keptBytes = 8 * 1024 * 1024;

/** Scaling takes milliseconds, and a browser asks for several. */
const kept = keptOutcomes<Buffer>(keptBytes, ({ length }) => length + 200);

/**
 * The icon of its pass as that of an installed web card, as PNG. Where a mask cuts, and where nothing may be
 * see-through, the card's colour is behind it. Equal arguments give equal bytes.
 */
export async function passIcon(
  store: ImageFiles,
  { hash }: StoredImage,
  { background }: CardColors,
  name: IconName,
): Promise<Buffer> {
  const wanted: Wanted = { store, hash, ground: background, name };
  return kept(`${name} ${background} ${hash}`, () => scaled(wanted));
}

/** Where the icon of a card lies, seen from its page: another one when its pass gets another icon. */
export function iconAddress({ icon }: { readonly icon: StoredImage | null }, name: IconName): string {
  return icon === null ? `icons/${name}` : `icons/${name}?v=${icon.hash.slice(0, 12)}`;
}

/** The sizes in pixels of the whole icon, and of the picture in it. */
const sizes: Readonly<Record<IconName, readonly [whole: number, picture: number]>> = {
  '180.png': [180, 180],
  '192.png': [192, 192],
  '512.png': [512, 512],
  // W3C, "Web Application Manifest": a mask may cut all but a circle of 80 % of the width.
  'maskable.png': [512, 290],
};

async function scaled({ store, hash, ground, name }: Wanted): Promise<Buffer> {
  const source = await readImage(store, hash);
  const [whole, side] = sizes[name];
  // Apple shows what is transparent as black.
  const isOpaque = name === '180.png' || name === 'maskable.png';
  const behind = isOpaque ? { flatten: ground } : {};
  const margin = (whole - side) / 2;
  return (await drawPicture({ source, side, margin, ground, ...behind, as: { format: 'png' } })).bytes;
}
