import { refusal } from '../../errors.ts';
import { keptOutcomes } from '../../kit/kept-outcomes.ts';
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
  const pngs = keptOutcomes<Buffer>(cachedBytes, ({ length }) => length + 500);
  return {
    inTurn: bulkhead.enter,
    pngOf: (name, svg) => pngs(name, () => previewPng(svg)),
  };
}
