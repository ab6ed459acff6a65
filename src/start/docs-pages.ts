import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anyUrl, type DocsBundle, type DocsSite, docsSite } from '../kit/docs/docs-site.ts';
import { keptWork } from '../kit/promises.ts';
import { keptBundles } from '../kit/web-bundle/kept-bundle.ts';
import { routes } from '../routes.ts';
import { describeApi } from './reference.ts';

const { loadBundle, shipBundle } = keptBundles<{ readonly text: string }, DocsBundle>(
  new URL('../../tools/docs-site/docs-process.ts', import.meta.url),
);

/** Has the pages rendered that come with the program, so that no service has to. */
export function shipDocs(): Promise<void> {
  return shipBundle(sources());
}

/** Reads the pages that come with the program or were kept, or has them rendered, when they are first asked for. What failed is tried again. */
export function openDocs(dataDir: string, publicUrl: string): () => Promise<DocsSite> {
  const shelf = new Map<'docs', Promise<DocsSite>>();
  return () =>
    keptWork(shelf, 'docs', async () =>
      docsSite(await loadBundle({ ...sources(), keptIn: join(dataDir, 'docs') }), publicUrl),
    );
}

/** The description of the API, the guides, and the program that renders both. */
function sources() {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  return {
    root,
    sources: ['docs/guides', 'src/kit', 'tools/docs-site'],
    text: String(describeApi(routes, anyUrl).json),
    shippedIn: join(root, 'dist/docs'),
  };
}
