import { LRUCache } from 'lru-cache';
import { refusal } from '../../errors.ts';
import type { Bulkhead, BulkheadOptions } from '../../kit/limits/bulkhead.ts';
import { previewPng } from './draw-preview.ts';

/** Previews as PNG. One takes a fifth of a second of a processor, so few are drawn at a time. */
export interface PreviewPictures {
  /** Does the work when all of the shares have a place. Raises `overloaded` when there is none in time. */
  readonly inTurn: Bulkhead['enter'];
  /** A drawing as PNG; `name` identifies it. The recent ones are kept. */
  pngOf(name: string, svg: string): Promise<Buffer>;
}

const cachedBytes = 16 * 1024 * 1024;

/** How many are drawn and how many wait at a time. */
export const previewLimits: BulkheadOptions = {
  places: { perKey: 2, total: 4 },
  waiting: { perKey: 250, total: 1_000 },
  maxQueueMs: 5_000,
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
  return {
    inTurn: bulkhead.enter,
    async pngOf(name, svg) {
      return (await pngs.fetch(name, { context: svg })) ?? previewPng(svg);
    },
  };
}
