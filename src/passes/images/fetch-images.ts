import type { KeyCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import type { Tx } from '../../kit/db/database.ts';
import { FetchRefused } from '../../kit/safe-fetch/safe-fetch.ts';
import {
  type ImageSlot,
  imageSlots,
  type PassImage,
  type PassImages,
  type StoredImage,
} from '../pass-row.ts';
import { type ImageFile, insertFiles, touchFiles } from './images.sql.ts';
import { ImageRefused, type RenderedImage, renderImage } from './render-image.ts';

/** The URLs of a request: null removes an image, absent leaves it alone. */
export type ImageUrls = Readonly<Partial<Record<ImageSlot, string | null>>>;

/** Images that were fetched for a request, and the files that are to be stored with the pass. */
export interface FetchedImages {
  readonly images: PassImages;
  readonly files: readonly ImageFile[];
}

/** A request that names no URL. */
export const noImages: FetchedImages = { images: {}, files: [] };

/** Whether a request names a URL to fetch. */
export function namesImages(urls: ImageUrls): boolean {
  return imageSlots.some((slot) => typeof urls[slot] === 'string');
}

/**
 * Fetches the images of a request, side by side, and makes of each what the wallets want. Raises `asset_fetch_failed`
 * or `payload_too_large` for the first slot, in their order, whose URL is unusable; `overloaded` when too many others
 * are being fetched.
 */
export async function fetchImages(ctx: KeyCtx, urls: ImageUrls): Promise<FetchedImages> {
  const abort = new AbortController();
  const fetching = imageSlots.flatMap((slot) => {
    const url = urls[slot];
    return typeof url === 'string' ? [{ slot, image: fetchImage(ctx, slot, url, abort.signal) }] : [];
  });
  const ended = Promise.allSettled(fetching.map(({ image }) => image));
  try {
    const images: Partial<Record<ImageSlot, PassImage>> = {};
    const files = new Map<string, ImageFile>();
    for (const { slot, image } of fetching) {
      const fetched = await image;
      images[slot] = fetched.image;
      for (const file of fetched.files) files.set(file.hash, file);
    }
    return { images, files: [...files.values()] };
  } finally {
    abort.abort();
    await ended;
  }
}

async function fetchImage(
  ctx: KeyCtx,
  slot: ImageSlot,
  url: string,
  signal: AbortSignal,
): Promise<{ image: PassImage; files: ImageFile[] }> {
  try {
    return await ctx.app.fetchUrl(url, {
      key: ctx.actor,
      signal,
      use: async (bytes) => describe(url, await renderImage(slot, bytes)),
    });
  } catch (error) {
    throw refusalOf(slot, error);
  }
}

function describe(url: string, { shown, files }: RenderedImage) {
  const named = Object.entries(files).map(([name, file]) => [name, stored(file)] as const);
  const image: PassImage = { url, shown: stored(shown), files: Object.fromEntries(named) };
  return { image, files: [shown, ...Object.values(files)] };
}

function stored({ hash, width, height }: StoredImage): StoredImage {
  return { hash, width, height };
}

function refusalOf(slot: ImageSlot, error: unknown): unknown {
  if (error instanceof ImageRefused)
    return refusal('asset_fetch_failed', `${slot}: ${error.message}`, { slot, reason: error.reason });
  if (!(error instanceof FetchRefused)) return error;
  const message = `${slot}: ${error.message}`;
  if (error.reason === 'too_large') return refusal('payload_too_large', message);
  if (error.reason === 'busy') return refusal('overloaded', message, {}, { 'retry-after': '5' });
  const hint = error.reason === 'blocked_host' ? ` ${howToAllow}` : '';
  return refusal('asset_fetch_failed', message + hint, { slot, reason: error.reason });
}

const howToAllow = 'For development whoever runs the service can allow networks with FETCH_ALLOW_CIDRS.';

/**
 * Stores the files that a pass is about to show; the workspace may have some of them. Call it, as `keepImages`, before
 * anything is locked: files are large, and nobody is to wait for them.
 */
export async function storeImages(tx: Tx, ctx: KeyCtx, files: readonly ImageFile[]): Promise<void> {
  if (files.length === 0) return;
  const hashes = files.map(({ hash }) => hash);
  const stored = await touchFiles(tx, ctx.workspaceId, hashes, ctx.app.now());
  const missing = files.filter(({ hash }) => !stored.has(hash));
  if (missing.length > 0) await insertFiles(tx, ctx.workspaceId, missing, ctx.app.now());
}

/** Keeps the images of one pass for another that is about to show them too. */
export async function keepImages(tx: Tx, ctx: KeyCtx, images: PassImages): Promise<void> {
  const files = Object.values(images).flatMap(({ shown, files }) => [shown, ...Object.values(files)]);
  const hashes = [...new Set(files.map(({ hash }) => hash))];
  if (hashes.length === 0) return;
  const stored = await touchFiles(tx, ctx.workspaceId, hashes, ctx.app.now());
  if (stored.size < hashes.length) throw new Error('an image of a pass is not in the store');
}
