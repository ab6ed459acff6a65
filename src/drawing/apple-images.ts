import type { ImageFiles } from '../passes/images/image-files.ts';
import { type PassImage, prepareImage } from '../wallet/apple/pkpass.ts';
import type { CardRow } from './card.sql.ts';
import { type PlacedImages, placedImages } from './placed-images.ts';

/** An image of a pass file, and what the store knows it by. */
export interface StoredPassImage {
  readonly hash: string;
  readonly image: PassImage;
}

const places: readonly (keyof PlacedImages)[] = ['icon', 'logo', 'strip', 'thumbnail', 'background'];

/** Checksums take milliseconds: they are kept as long as the bytes are. */
const prepared = new WeakMap<Buffer, PassImage>();

/** The images of its pass that the pass file of a card shows. Throws when one of them is not in the store. */
export async function appleImages(
  card: Pick<CardRow, 'type' | 'images' | 'program'>,
  store: ImageFiles,
): Promise<StoredPassImage[]> {
  const placed = placedImages(card);
  const wanted = places.flatMap((place) => {
    const files = Object.entries(placed[place]?.files ?? {});
    return files.filter(([name]) => name.split(/[@.]/, 1)[0] === place);
  });
  const images: StoredPassImage[] = [];
  for (const [name, { hash }] of wanted)
    images.push({ hash, image: prepare(name, await readImage(store, hash)) });
  return images;
}

/** The bytes of an image that a pass shows. Throws when the store has lost it. */
export async function readImage(store: ImageFiles, hash: string): Promise<Buffer> {
  const bytes = await store.read(hash);
  if (bytes === undefined) throw new Error(`the image ${hash} of a pass is not in the store`);
  return bytes;
}

function prepare(name: string, bytes: Buffer): PassImage {
  const known = prepared.get(bytes);
  if (known?.name === name) return known;
  const image = prepareImage(name, bytes);
  prepared.set(bytes, image);
  return image;
}
