import { availableParallelism } from 'node:os';
import { useBundledFonts } from '../fonts/bundled-fonts.ts';
import { createGate } from '../limits/bulkhead.ts';

type Library = typeof import('sharp')['default'];
export type Image = ReturnType<Library>;

let loading: Promise<Library> | undefined;

/**
 * The one place that loads sharp, in processes separate from those that serve: `draw-picture.ts` and the process for images from elsewhere. It reads only
 * PNG, JPEG and WebP from memory, and SVG for drawings of our own: bytes from elsewhere are sniffed first.
 */
export async function loadSharp(): Promise<Library> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Library> {
  useBundledFonts();
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: readable.map((format) => `VipsForeignLoad${format}Buffer`) });
  // No two requests bring the same pixels, and pictures share the processors better than the lines of one do.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

const readable = ['Png', 'Jpeg', 'Webp', 'Svg'];

/** Pixels of all pictures that may be in memory at a time. */
export const PIXEL_BYTES = 150_000_000;

/** So many small pictures are at work at a time. */
const PICTURES = Math.min(4, availableParallelism());

const rooms = createGate(PIXEL_BYTES);

/** Runs work on a picture that takes so many bytes when it is decoded, as soon as there is room for them. */
export function holdingPixels<T>(bytes: number, work: () => Promise<T>): Promise<T> {
  return rooms(work, Math.max(bytes, PIXEL_BYTES / PICTURES));
}
