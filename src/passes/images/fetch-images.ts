import type { KeyCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import type { Tx } from '../../kit/db/database.ts';
import { FetchRefused } from '../../kit/safe-fetch/safe-fetch.ts';
import {
  type ImageKey,
  type ImageSlot,
  imageSlots,
  type PassImage,
  type PassImages,
  type StoredImage,
  type Translation,
} from '../pass-row.ts';
import { type ImageFile, insertFiles, touchFiles } from './images.sql.ts';
import { ImageRefused, type RenderedImage, renderImage } from './render-image.ts';
import { isUpload, uploadDays, useUpload } from './uploads.ts';

/** The URLs of a request, of the web or of uploads: null removes an image, absent leaves it alone. */
export type ImageUrls = Readonly<Partial<Record<ImageKey, string | null>>>;

/** Images that were fetched for a request, and the files that are to be stored with the pass. */
export interface FetchedImages {
  readonly images: PassImages;
  readonly files: readonly ImageFile[];
}

/** A request that names no URL. */
export const noImages: FetchedImages = { images: {}, files: [] };

/** Translations by their languages; null takes one away. */
type SentTranslations = Readonly<Record<string, Translation | null>>;

/** Whether a request names a URL. */
export function namesImages({
  translations = {},
  ...urls
}: ImageUrls & { readonly translations?: SentTranslations }): boolean {
  return imageSlots.some((slot) => typeof urls[slot] === 'string') || translatedUrls(translations).length > 0;
}

/** The URLs of a request and of the translations that it leads to, of these without what the pass has from there already. */
export function urlsToFetch(urls: ImageUrls, translations: SentTranslations, shown: PassImages): ImageUrls {
  const own = imageSlots.map((slot) => [slot, urls[slot]] as const);
  const others = translatedUrls(translations).filter(([key, url]) => shown[key]?.url !== url);
  return Object.fromEntries([...own, ...others].filter(([, url]) => url !== undefined));
}

/** The images of translations by their keys, and where they come from. */
export function translatedUrls(translations: SentTranslations): (readonly [ImageKey, string])[] {
  return Object.entries(translations).flatMap(([language, translation]) =>
    imageSlots.flatMap((slot) => {
      const url = translation?.images?.[slot];
      return url === undefined ? [] : [[`${slot}@${language}`, url] as const];
    }),
  );
}

/** The images of a request that are to be there. */
export function entriesOf(urls: ImageUrls): (readonly [ImageKey, string])[] {
  return (Object.entries(urls) as [ImageKey, string | null | undefined][]).flatMap(([key, url]) =>
    typeof url === 'string' ? [[key, url] as const] : [],
  );
}

/** The slot of an image, and how a request calls it. */
export function placeOf(key: ImageKey): { slot: ImageSlot; name: string } {
  const [slot, language] = key.split('@') as [ImageSlot, string?];
  return { slot, name: language === undefined ? slot : `translations.${language}.images.${slot}` };
}

/**
 * Fetches the images of a request, or loads uploaded ones, in parallel, and renders the files that wallets need of each.
 * `shown` has the present images of the pass: their uploads may be deleted. Raises
 * `asset_fetch_failed` or `payload_too_large` for the first image, in their order, whose URL is unusable; `overloaded`
 * when too many others are being fetched.
 */
export async function fetchImages(
  ctx: KeyCtx,
  urls: ImageUrls,
  shown: PassImages = noImages.images,
): Promise<FetchedImages> {
  const abort = new AbortController();
  const signals = [abort.signal, ctx.client?.signal].filter((one) => one !== undefined);
  const signal = AbortSignal.any(signals);
  const fetching = entriesOf(urls).map(([key, url]) => ({
    key,
    image: fetchImage(ctx, { key, url, shown: shown[key] }, signal),
  }));
  const ended = Promise.allSettled(fetching.map(({ image }) => image));
  try {
    const images: Partial<Record<ImageKey, PassImage>> = {};
    const files = new Map<string, ImageFile>();
    for (const { key, image } of fetching) {
      const fetched = await image;
      images[key] = fetched.image;
      for (const file of fetched.files) files.set(file.hash, file);
    }
    return { images, files: [...files.values()] };
  } finally {
    abort.abort();
    await ended;
  }
}

interface Wanted {
  readonly key: ImageKey;
  readonly url: string;
  readonly shown: PassImage | undefined;
}

interface Fetched {
  readonly image: PassImage;
  readonly files: readonly ImageFile[];
}

async function fetchImage(ctx: KeyCtx, wanted: Wanted, signal: AbortSignal): Promise<Fetched> {
  const { key, url } = wanted;
  const { slot } = placeOf(key);
  try {
    if (isUpload(url)) return await takeUpload(ctx, wanted, signal);
    return await ctx.app.fetchUrl(url, {
      key: ctx.workspaceId,
      signal,
      use: async (bytes) => describe(url, await renderImage(slot, bytes)),
    });
  } catch (error) {
    throw refusalOf(key, error);
  }
}

const pictureInUrl = /^data:image\/(?:png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/;

/** Whether a URL holds the picture itself. */
export function holdsPicture(url: string): boolean {
  return pictureInUrl.test(url);
}

/** Renders the picture that a URL holds, and stores nothing. Raises `asset_fetch_failed` for what is none. */
export async function renderHeld(key: ImageKey, url: string): Promise<FetchedImages> {
  try {
    const bytes = Buffer.from(pictureInUrl.exec(url)?.[1] ?? '', 'base64');
    const { image, files } = describe(url, await renderImage(placeOf(key).slot, bytes));
    return { images: { [key]: image }, files };
  } catch (error) {
    throw refusalOf(key, error);
  }
}

async function takeUpload(ctx: KeyCtx, { key, url, shown }: Wanted, signal: AbortSignal): Promise<Fetched> {
  const { slot, name } = placeOf(key);
  const rendered = await useUpload(ctx, url, (bytes) => renderImage(slot, bytes), signal);
  if (rendered !== null) return describe(url, rendered);
  if (shown?.url === url) return { image: shown, files: [] };
  const message = `${name}: The workspace has no such upload; each is kept for ${uploadDays} days. Upload the image again.`;
  throw refusal('asset_fetch_failed', message, { slot, reason: 'invalid_url' });
}

function describe(url: string, { shown, files }: RenderedImage): Fetched {
  const named = Object.entries(files).map(([name, file]) => [name, stored(file)] as const);
  const image: PassImage = { url, shown: stored(shown), files: Object.fromEntries(named) };
  return { image, files: [shown, ...Object.values(files)] };
}

function stored({ hash, width, height }: StoredImage): StoredImage {
  return { hash, width, height };
}

function refusalOf(key: ImageKey, error: unknown): unknown {
  const { slot, name } = placeOf(key);
  if (error instanceof ImageRefused)
    return refusal('asset_fetch_failed', `${name}: ${error.message}`, { slot, reason: error.reason });
  if (!(error instanceof FetchRefused)) return error;
  const message = `${name}: ${error.message}`;
  if (error.reason === 'too_large') return refusal('payload_too_large', message);
  if (error.reason === 'busy') return refusal('overloaded', message);
  const hint = error.reason === 'blocked_host' ? ` ${howToAllow}` : '';
  return refusal('asset_fetch_failed', message + hint, { slot, reason: error.reason });
}

const howToAllow = 'For development the operator can allow networks with FETCH_ALLOW_CIDRS.';

/**
 * Stores the files of the images that a pass is about to show; the workspace may have some of them. Call it before anything
 * is locked: files are large, and no other call is to wait for them.
 */
export async function storeImages(tx: Tx, ctx: KeyCtx, { images, files }: FetchedImages): Promise<void> {
  const named = Object.values(images).flatMap((image) =>
    image === undefined ? [] : [image.shown, ...Object.values(image.files)],
  );
  const hashes = [...new Set(named.map(({ hash }) => hash))];
  if (hashes.length === 0) return;
  const stored = await touchFiles(tx, ctx.workspaceId, hashes, ctx.app.now());
  const missing = files.filter(({ hash }) => !stored.has(hash));
  if (stored.size + missing.length < hashes.length) throw new Error('an image of a pass is not in the store');
  if (missing.length > 0) await insertFiles(tx, ctx.workspaceId, missing, ctx.app.now());
}
