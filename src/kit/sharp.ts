import { useBundledFonts } from './fonts/bundled-fonts.ts';
import { createGate } from './gate.ts';

type Library = typeof import('sharp')['default'];
export type Image = ReturnType<Library>;

let loading: Promise<Library> | undefined;

/**
 * The one place that loads sharp, with the first picture: it weighs ten megabytes. Of all formats that it could read it
 * keeps PNG, JPEG and WebP from memory, and SVG for drawings of our own: bytes from elsewhere are sniffed first.
 */
export function loadSharp(): Promise<Library> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Library> {
  useBundledFonts();
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: readable.map((format) => `VipsForeignLoad${format}Buffer`) });
  // No two requests bring the same pixels, and one thread a picture leaves the others to what else is to be done.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

const readable = ['Png', 'Jpeg', 'Webp', 'Svg'];

/** Pixels of all pictures from elsewhere that may be in memory at a time. */
export const PIXEL_BYTES = 150_000_000;

/** So many small pictures are at work at a time. */
const PICTURES = 4;

/** Of the four threads that Node has for such work; signatures and files need the others. */
const THREADS = 2;

const rooms = createGate(PIXEL_BYTES);
const threads = createGate(THREADS);

/** Runs work on a picture that takes so many bytes when it is decoded, as soon as there is room for them. */
export function holdingPixels<T>(bytes: number, work: () => Promise<T>): Promise<T> {
  return rooms(work, Math.max(bytes, PIXEL_BYTES / PICTURES));
}

/** Runs one step of such work, a call of sharp, on one of the threads that are left to it. */
export function onPixelThread<T>(step: () => Promise<T>): Promise<T> {
  return threads(step);
}
