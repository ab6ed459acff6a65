import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { sideProcess } from '../processes/side-process.ts';
import type { BundleQuestion } from './bundle-process.ts';
import type { Bundle, BundleSources } from './bundled.ts';
import { readKept } from './kept-bundle.ts';

interface BundleOptions extends BundleSources {
  /** Folders whose files are bundled: what they hold decides whether a bundle that was kept still fits. */
  readonly sources: readonly string[];
  /** Where a bundle is kept for the next start. */
  readonly keptIn: string;
  /** Where an installation has put one, which is read first and never written to. */
  readonly shippedIn?: string;
}

/** The bundle of the sources as they are: one that was shipped or kept, or a new one, which is then kept. */
export async function loadBundle(options: BundleOptions): Promise<Bundle> {
  const key = await keyOf(options);
  const shipped = options.shippedIn === undefined ? null : await readKept(options.shippedIn, key);
  return shipped ?? (await readKept(options.keptIn, key)) ?? make({ ...options, key }, 1);
}

/** Makes the bundle that an installation ships, where it is not there yet. Other accounts may read it, too. */
export async function shipBundle(
  options: Omit<BundleOptions, 'keptIn'> & { readonly shippedIn: string },
): Promise<void> {
  const key = await keyOf(options);
  if ((await readKept(options.shippedIn, key)) !== null) return;
  await make({ ...options, keptIn: options.shippedIn, key, isForAll: true }, 1);
  if ((await readKept(options.shippedIn, key)) === null)
    throw new Error(`${options.shippedIn} cannot be written to`);
}

/** Bundling takes memory that a process never gives back: it is done in one that ends with it. */
const make = sideProcess<BundleQuestion, Bundle>(new URL('./bundle-process.ts', import.meta.url), {
  room: 1,
  maxQueueMs: 120_000,
  idleMs: 0,
});

/** What a bundle depends on: every file of the sources, and the pinned versions of the packages. */
async function keyOf({ root, sources }: Pick<BundleOptions, 'root' | 'sources'>): Promise<string> {
  const listed = await Promise.all(
    sources.map(async (source) => {
      const found = await readdir(join(root, source), { recursive: true, withFileTypes: true });
      return found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
    }),
  );
  const paths = [join(root, 'package.json'), ...listed.flat().sort()];
  const hash = createHash('sha256').update(bundlerVersion);
  for (const path of paths) hash.update(`\0${relative(root, path)}\0`).update(await readFile(path));
  return hash.digest('hex').slice(0, 32);
}

/** Changes with what is made of the same sources. */
const bundlerVersion = '3';
