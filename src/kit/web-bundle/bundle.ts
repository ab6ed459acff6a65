import type { Bundle, BundleSources } from './bundled.ts';
import { keptBundles } from './kept-bundle.ts';

/** Bundles of scripts and styles for browsers. */
export const { loadBundle, shipBundle } = keptBundles<BundleSources, Bundle>(
  new URL('./bundle-process.ts', import.meta.url),
);
