import { extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';
import type { Bundle, BundledEntry, BundledFile, BundleSources } from './bundled.ts';

/** Bundles the entries, and compresses each file that comes of them. */
export async function makeBundle({ root, applications }: BundleSources): Promise<Bundle> {
  const files = new Map<string, BundledFile>();
  const entries = new Map<string, BundledEntry>();
  for (const application of applications) {
    const made = await makeApplication(root, application);
    for (const [name, file] of made.files) files.set(name, file);
    for (const [name, entry] of made.entries) entries.set(name, entry);
  }
  return { files, entries };
}

async function makeApplication(root: string, entries: readonly string[]): Promise<Bundle> {
  const result = await build({
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
    // What imports such a file gets the file's name, next to itself.
    loader: { '.wasm': 'file', '.woff2': 'file' },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    logLevel: 'silent',
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
  '.woff2': 'font/woff2',
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
