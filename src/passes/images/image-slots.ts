import type { ImageSlot } from '../pass-row.ts';

/** A size in pixels, or points where the name says so. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A file that is made of an image. */
export interface Rendition {
  readonly name: string;
  /** What is taken of the image, from its middle. */
  readonly taken: Size;
  /** What that is scaled to. */
  readonly size: Size;
  /** The side of a transparent square in whose middle it stands. */
  readonly ground?: number;
  /** It is not dithered, however large: no phone gets it with each change of its card. */
  readonly isOfManyColours?: boolean;
}

/** The files of an image, and the main one. */
interface Renditions {
  readonly shown: Rendition;
  readonly files: readonly Rendition[];
}

/** The least that a slot takes. */
export const smallest: Readonly<Record<ImageSlot, Size>> = {
  iconUrl: { width: 87, height: 87 },
  logoUrl: { width: 50, height: 50 },
  stripUrl: { width: 375, height: 98 },
  thumbnailUrl: { width: 90, height: 90 },
  backgroundUrl: { width: 180, height: 220 },
  heroUrl: { width: 1032, height: 336 },
  posterUrl: { width: 358, height: 448 },
};

/** What is made of an image of a slot. Files that would need more pixels than it has are left out. */
export const renditions: Readonly<Record<ImageSlot, (source: Size) => Renditions>> = {
  iconUrl: (source) => {
    const taken = middle(source, 1);
    const side = Math.min(taken.width, 512);
    return {
      shown: { name: 'shown', taken, size: { width: side, height: side }, isOfManyColours: true },
      files: resolutions('icon', taken, { width: 29, height: 29 }),
    };
  },
  logoUrl: (source) => {
    const files = resolutions('logo', source, inside(source, { width: 160, height: 50 }));
    // Google cuts a circle out of it: 15 % on each side are left empty.
    const size = whole(inside(source, { width: 462, height: 462 }));
    const google = { name: 'google-logo.png', taken: source, size, ground: 660, isOfManyColours: true };
    const onPoster = resolutions('primaryLogo', source, inside(source, { width: 126, height: 30 }));
    return { ...showingLargest(files), files: [...files, ...onPoster, google] };
  },
  stripUrl: (source) => {
    const height = clamp((375 * source.height) / source.width, 98, 144);
    const files = resolutions('strip', middle(source, 375 / height), { width: 375, height });
    return { ...showingLargest(files), files: [...files, hero(source)] };
  },
  thumbnailUrl: (source) => {
    const taken = middle(source, clamp(source.width / source.height, 2 / 3, 3 / 2));
    return showingLargest(resolutions('thumbnail', taken, inside(taken, { width: 90, height: 90 })));
  },
  backgroundUrl: (source) =>
    showingLargest(resolutions('background', middle(source, 180 / 220), { width: 180, height: 220 })),
  heroUrl: (source) => showingLargest([hero(source)]),
  posterUrl: (source) =>
    showingLargest(resolutions('artwork', middle(source, 358 / 448), { width: 358, height: 448 })),
};

function hero(source: Size): Rendition {
  const aspect = 1032 / 336;
  const taken = middle(source, aspect);
  const width = Math.min(1032, taken.width);
  return {
    name: 'google-hero.png',
    taken,
    size: whole({ width, height: width / aspect }),
    isOfManyColours: true,
  };
}

/** The files for screens of one, two and three pixels to the point, as far as there are pixels for them. */
function resolutions(name: string, taken: Size, points: Size): Rendition[] {
  return [1, 2, 3].flatMap((scale) => {
    const size = whole({ width: points.width * scale, height: points.height * scale });
    if (size.width > taken.width || size.height > taken.height) return [];
    return [{ name: scale === 1 ? `${name}.png` : `${name}@${scale}x.png`, taken, size }];
  });
}

function showingLargest(files: readonly Rendition[]): Renditions {
  const shown = files.at(-1);
  if (shown === undefined)
    throw new Error('An image that is large enough for its slot has at least one file.');
  return { shown, files };
}

/** The largest part of an aspect. */
function middle({ width, height }: Size, aspect: number): Size {
  return width > height * aspect
    ? { width: Math.round(height * aspect), height }
    : { width, height: Math.round(width / aspect) };
}

/** The largest of the same aspect that fits in, enlarged if need be. */
function inside({ width, height }: Size, limits: Size): Size {
  const scale = Math.min(limits.width / width, limits.height / height);
  return { width: width * scale, height: height * scale };
}

function whole({ width, height }: Size): Size {
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
