import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Bundle, BundledFile } from './bundled.ts';
import { keepBundle, readKept } from './kept-bundle.ts';

export interface BundleOptions {
  /** The folder that all paths are of, with `node_modules` and `package.json` in it. */
  readonly root: string;
  readonly entries: readonly string[];
  /** Folders whose files are bundled: what they hold decides whether a bundle that was kept still fits. */
  readonly sources: readonly string[];
  /** Where a bundle is kept for the next start. */
  readonly keptIn: string;
}

/** The bundle of the sources as they are: one that was kept, or a new one, which is then kept. */
export async function loadBundle(options: BundleOptions): Promise<Bundle> {
  const key = await keyOf(options);
  const kept = await readKept(options.keptIn, key);
  if (kept !== null) return kept;
  const made = await makeBundle(options);
  await keepBundle(options.keptIn, key, made);
  return made;
}

/** What a bundle depends on: every file of the sources, and the pinned versions of the packages. */
async function keyOf({ root, sources }: BundleOptions): Promise<string> {
  const listed = await Promise.all(
    sources.map(async (source) => {
      const found = await readdir(join(root, source), { recursive: true, withFileTypes: true });
      return found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
    }),
  );
  const paths = [join(root, 'package.json'), ...listed.flat().sort()];
  const hash = createHash('sha256').update(bundlerVersion);
  const texts = await Promise.all(paths.map((path) => readFile(path)));
  for (const [at, path] of paths.entries())
    hash.update(`\0${relative(root, path)}\0`).update(texts[at] ?? '');
  return hash.digest('hex').slice(0, 32);
}

/** Changes with what is made of the same sources. */
const bundlerVersion = '3';

/** How many bundles are being made by the bundler's process. */
let running = 0;

async function makeBundle({ root, entries }: BundleOptions): Promise<Bundle> {
  // It is 11 MB and a process of its own, and needed only when something has changed.
  const esbuild = await import('esbuild');
  running += 1;
  const result = await esbuild
    .build({
      absWorkingDir: root,
      entryPoints: [...entries],
      outdir: 'out',
      write: false,
      bundle: true,
      splitting: true,
      format: 'esm',
      minify: true,
      metafile: true,
      target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
      jsx: 'automatic',
      jsxImportSource: 'preact',
      legalComments: 'none',
      // What imports one gets its name beside the script.
      loader: { '.wasm': 'file' },
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      assetNames: '[name]-[hash]',
      logLevel: 'silent',
    })
    .finally(() => {
      running -= 1;
      // It would leave others without an answer.
      if (running === 0) esbuild.stop();
    });
  const files = new Map<string, BundledFile>();
  // One after the other: each takes some MB while it is compressed.
  for (const { path, contents } of result.outputFiles) {
    const name = relative(join(root, 'out'), path);
    files.set(name, await compressed(name, Buffer.from(contents)));
  }
  const outputs = new Map(
    Object.entries(result.metafile.outputs).map(([path, output]) => [relative('out', path), output]),
  );
  const found = [...outputs].flatMap(([script, { entryPoint = '', cssBundle }]) => {
    if (!entries.includes(entryPoint) || !script.endsWith('.js')) return [];
    const name = entryPoint.replace(/^.*\/|\.\w+$/g, '');
    const styles = cssBundle === undefined ? [] : [relative('out', cssBundle)];
    return [[name, { script, styles, ...importsOf(script, outputs) }] as const];
  });
  return { files, entries: new Map(found) };
}

interface Output {
  readonly cssBundle?: string;
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
}

/** All that a script imports, and what that imports: before it runs, and what it loads later, pictures and styles included. */
function importsOf(script: string, outputs: ReadonlyMap<string, Output>) {
  const imports = new Set<string>();
  const later = new Set<string>();
  const visit = (name: string, found: Set<string>) => {
    const { imports: direct = [], cssBundle } = outputs.get(name) ?? {};
    if (found === later && cssBundle !== undefined) later.add(relative('out', cssBundle));
    for (const { path, kind } of direct) {
      const imported = relative('out', path);
      const into = kind === 'import-statement' ? found : later;
      if (into.has(imported)) continue;
      into.add(imported);
      visit(imported, into);
    }
  };
  visit(script, imports);
  return { imports: [...imports], later: [...later].filter((name) => name !== script && !imports.has(name)) };
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** A window no larger than the files are. */
const brotliParams = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 18 };

async function compressed(name: string, plain: Buffer): Promise<BundledFile> {
  const [zipped, brotli] = await Promise.all([
    promisify(gzip)(plain, { level: 9 }),
    promisify(brotliCompress)(plain, { params: brotliParams }),
  ]);
  return { mediaType: mediaTypes[extname(name)] ?? 'application/octet-stream', plain, gzip: zipped, brotli };
}
