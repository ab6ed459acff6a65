import type { ImageSlot } from './draft.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** What an image is cut to, and what wallets make of it; the least and the most are of pixels. */
export interface ImageShape {
  /** Null takes the whole image. */
  readonly aspect: number | null;
  readonly least: Size;
  readonly mostWidth: number;
  /** How Apple Wallet and Google Wallet show it; null where one does not. */
  readonly apple: 'plain' | 'rounded' | 'blurred' | null;
  readonly google: 'plain' | 'round' | null;
}

export const imageShapes: Readonly<Record<ImageSlot, ImageShape>> = {
  iconUrl: {
    aspect: 1,
    least: { width: 87, height: 87 },
    mostWidth: 512,
    apple: 'rounded',
    google: null,
  },
  logoUrl: {
    aspect: null,
    least: { width: 50, height: 50 },
    mostWidth: 960,
    apple: 'plain',
    google: 'round',
  },
  stripUrl: {
    aspect: 375 / 144,
    least: { width: 375, height: 98 },
    mostWidth: 1_125,
    apple: 'plain',
    google: 'plain',
  },
  heroUrl: {
    aspect: 1_032 / 336,
    least: { width: 1_032, height: 336 },
    mostWidth: 2_064,
    apple: null,
    google: 'plain',
  },
  thumbnailUrl: {
    aspect: 1,
    least: { width: 90, height: 90 },
    mostWidth: 540,
    apple: 'plain',
    google: null,
  },
  backgroundUrl: {
    aspect: 180 / 220,
    least: { width: 180, height: 220 },
    mostWidth: 1_080,
    apple: 'blurred',
    google: null,
  },
  posterUrl: {
    aspect: 358 / 448,
    least: { width: 358, height: 448 },
    mostWidth: 1_074,
    apple: 'plain',
    google: null,
  },
};

/** What of an image is taken: how far it is enlarged, and where, from 0 to 1. */
export interface Crop {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

export interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

/** The part of an image of that size that a crop takes, in its pixels. */
export function boxOf(size: Size, aspect: number, { zoom, x, y }: Crop): Box {
  const whole = wholeOf(size, aspect);
  const [width, height] = [whole.width / zoom, whole.height / zoom];
  return { width, height, left: (size.width - width) * x, top: (size.height - height) * y };
}

/** How far it may be enlarged until too few pixels are left; below 1 it is too small. */
export function mostZoom(size: Size, aspect: number, least: Size): number {
  const whole = wholeOf(size, aspect);
  return Math.min(whole.width / least.width, whole.height / least.height);
}

/** The largest part of that shape. */
function wholeOf({ width, height }: Size, aspect: number): Size {
  return width / height > aspect ? { width: height * aspect, height } : { width, height: width / aspect };
}
