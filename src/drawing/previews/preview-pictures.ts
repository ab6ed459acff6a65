import { LRUCache } from 'lru-cache';
import type { KeyCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import type { Bulkhead, BulkheadOptions } from '../../kit/limits/bulkhead.ts';
import { allEnded } from '../../kit/promises.ts';
import { type FetchedImages, fetchImages, type ImageUrls } from '../../passes/images/fetch-images.ts';
import { previewPng } from './draw-preview.ts';

/** Previews as PNG. One takes a fifth of a second of a processor, so few are drawn at a time. */
export interface PreviewPictures {
  /** Does the work when the key has a place. Raises `overloaded` when there is none in time. */
  inTurn<T>(keyId: string, work: () => Promise<T>): Promise<T>;
  /** A drawing as PNG; `name` tells it from all others. The recent ones are kept. */
  pngOf(name: string, svg: string): Promise<Buffer>;
  /** What is made of uploads of the caller's workspace. Those of the recent designs are kept. Raises `asset_fetch_failed`. */
  uploadsOf(ctx: KeyCtx, urls: ImageUrls): Promise<FetchedImages>;
}

const cachedBytes = 16 * 1024 * 1024;
/** A design is drawn anew with each letter that is typed into it. */
const cachedUploads = 64 * 1024 * 1024;

/** How many are drawn and how many wait at a time. */
export const previewLimits: BulkheadOptions = {
  places: { perKey: 2, total: 4 },
  waiting: { perKey: 250, total: 1_000 },
  patienceMs: 5_000,
  refusal() {
    const message = 'Too many previews are being drawn at the moment. Ask for fewer at a time, or for SVG.';
    return refusal('overloaded', message, {}, { 'retry-after': '2' });
  },
};

/** Makes the way to all of them. */
export function createPreviewPictures(bulkhead: Bulkhead): PreviewPictures {
  const pngs = new LRUCache<string, Buffer>({
    maxSize: cachedBytes,
    sizeCalculation: ({ length }) => length + 500,
    // What others push out while it is being drawn is answered all the same.
    ignoreFetchAbort: true,
    fetchMethod: (_name, _stale, { context }) => previewPng(context as string),
  });
  const uploads = new LRUCache<string, FetchedImages>({
    maxSize: cachedUploads,
    sizeCalculation: ({ files }) => files.reduce((sum, { bytes }) => sum + bytes.length, 500),
    ignoreFetchAbort: true,
    fetchMethod: (_name, _stale, { context }) => (context as () => Promise<FetchedImages>)(),
  });
  return {
    inTurn: (keyId, work) => bulkhead.enter(keyId, work),
    async pngOf(name, svg) {
      return (await pngs.fetch(name, { context: svg })) ?? previewPng(svg);
    },
    async uploadsOf(ctx, urls) {
      const made = await allEnded(
        Object.entries(urls).map(async ([slot, url]) => {
          const make = () => fetchImages(ctx, { [slot]: url });
          return (await uploads.fetch(`${ctx.workspaceId} ${slot} ${url}`, { context: make })) ?? make();
        }),
      );
      return {
        images: Object.assign({}, ...made.map(({ images }) => images)),
        files: made.flatMap(({ files }) => files),
      };
    },
  };
}
