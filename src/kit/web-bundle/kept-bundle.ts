import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { answerQuestions, sideProcess } from '../processes/side-process.ts';

/** What a bundle is made of, and where it is kept. */
export interface KeptOptions {
  /** The folder that all paths are of, with `package.json` in it. */
  readonly root: string;
  /** Folders whose files a bundle is made of: what they hold decides whether a bundle that was kept still fits. */
  readonly sources: readonly string[];
  /** A text that it is made of besides. */
  readonly text?: string;
  /** Where a bundle is kept for the next start. */
  readonly keptIn: string;
  /** Where an installation has put one, which is read first and never written to. */
  readonly shippedIn?: string;
}

/** The same for the bundle that an installation ships. */
type ShippedOptions = Omit<KeptOptions, 'keptIn'> & { readonly shippedIn: string };

/** Where a bundle is kept, its name there, and whether other accounts may read it. */
type Place = Pick<KeptOptions, 'keptIn'> & { readonly key: string; readonly isForAll?: boolean };

/**
 * Bundles of one kind, which a program of its own makes of the options. That takes memory that a process never gives back: it
 * is done in one that ends with it.
 */
export function keptBundles<More, T>(program: URL) {
  const make = sideProcess<More & Place, T>(program, { room: 1, timeoutMs: 120_000, idleMs: 0 });
  return {
    /** The bundle of the sources as they are: one that was shipped or kept, or a new one, which is then kept. */
    async loadBundle(options: More & KeptOptions): Promise<T> {
      const key = await keyOf(options);
      const shipped = options.shippedIn === undefined ? null : await readKept<T>(options.shippedIn, key);
      return shipped ?? (await readKept<T>(options.keptIn, key)) ?? make({ ...options, key }, 1);
    },
    /** Makes the bundle that an installation ships, where it is not there yet. Other accounts may read it, too. */
    async shipBundle(options: More & ShippedOptions): Promise<void> {
      const key = await keyOf(options);
      if ((await readKept(options.shippedIn, key)) !== null) return;
      await make({ ...options, keptIn: options.shippedIn, key, isForAll: true }, 1);
      if ((await readKept(options.shippedIn, key)) === null)
        throw new Error(`${options.shippedIn} cannot be written to`);
    },
  };
}

/** The side of the program that makes them. */
export function answerWithBundles<More>(make: (options: More) => Promise<unknown>): void {
  answerQuestions(async (options: More & Place) => {
    const made = await make(options);
    await keepBundle(options, made);
    return made;
  });
}

/** What a bundle depends on: every file of the sources, and the pinned versions of the packages. */
async function keyOf({ root, sources, text = '' }: Omit<KeptOptions, 'keptIn'>): Promise<string> {
  const listed = await Promise.all(
    sources.map(async (source) => {
      const found = await readdir(join(root, source), { recursive: true, withFileTypes: true });
      return found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
    }),
  );
  const paths = [join(root, 'package.json'), ...listed.flat().sort()];
  const hash = createHash('sha256').update(version).update(text);
  for (const path of paths) hash.update(`\0${relative(root, path)}\0`).update(await readFile(path));
  return hash.digest('hex').slice(0, 32);
}

/** Changes with what is made of the same sources. */
const version = '4';

/** The bundle that was kept under a key; null where there is none, or none that can be read. */
async function readKept<T>(folder: string, key: string): Promise<T | null> {
  try {
    return deserialize(await readFile(join(folder, `${key}.bundle`))) as T;
  } catch {
    return null;
  }
}

/**
 * Keeps a bundle in the place of those before it. Several processes may do so at once: each file is there as a whole or
 * not at all. Where the folder cannot be written to, the next start makes the bundle again.
 */
async function keepBundle({ keptIn, key, isForAll }: Place, bundle: unknown): Promise<void> {
  const name = `${key}.bundle`;
  const draft = join(keptIn, `${key}.${randomUUID()}.draft`);
  try {
    await mkdir(keptIn, { recursive: true, mode: isForAll ? 0o755 : 0o700 });
    await writeFile(draft, serialize(bundle), { mode: isForAll ? 0o644 : 0o600 });
    await rename(draft, join(keptIn, name));
    const old = (await readdir(keptIn)).filter((file) => file.endsWith('.bundle') && file !== name);
    await Promise.all(old.map((file) => rm(join(keptIn, file), { force: true })));
  } catch {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}
