import { sideProcess } from '../processes/side-process.ts';
import type { BundleQuestion } from './bundle-process.ts';
import type { Bundle, BundleSources } from './bundled.ts';
import { type KeptOptions, loadKept, shipKept } from './kept-bundle.ts';

type BundleOptions = BundleSources & KeptOptions;

/** The bundle of the sources as they are: one that was shipped or kept, or a new one, which is then kept. */
export function loadBundle({ root, entries, ...options }: BundleOptions): Promise<Bundle> {
  return loadKept({ root, ...options }, (place) => make({ root, entries, ...place }, 1));
}

/** Makes the bundle that an installation ships, where it is not there yet. */
export function shipBundle({
  root,
  entries,
  ...options
}: Omit<BundleOptions, 'keptIn'> & { readonly shippedIn: string }): Promise<void> {
  return shipKept({ root, ...options }, (place) => make({ root, entries, ...place }, 1));
}

/** Bundling takes memory that a process never gives back: it is done in one that ends with it. */
const make = sideProcess<BundleQuestion, Bundle>(new URL('./bundle-process.ts', import.meta.url), {
  room: 1,
  maxQueueMs: 120_000,
  idleMs: 0,
});
