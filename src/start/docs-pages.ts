import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anyUrl, type DocsBundle, type DocsSite, docsSite } from '../kit/docs/docs-site.ts';
import type { OpenApiDocument } from '../kit/http/reference/openapi.ts';
import { sideProcess } from '../kit/processes/side-process.ts';
import { keptWork } from '../kit/promises.ts';
import { loadKept, type Place, shipKept } from '../kit/web-bundle/kept-bundle.ts';
import { routes } from '../routes.ts';
import { describeApi } from './reference.ts';

/** What the process that renders the pages is asked. */
export interface DocsQuestion extends Place {
  readonly document: OpenApiDocument;
}

/** Renders the pages. The service never imports what does. */
const render = sideProcess<DocsQuestion, DocsBundle>(
  new URL('../../tools/docs-site/docs-process.ts', import.meta.url),
  { room: 1, maxQueueMs: 120_000, idleMs: 0 },
);

/** Makes the pages that come with the program, so that no service has to. */
export async function shipDocs(): Promise<void> {
  const { options, make } = sources();
  await shipKept(options, make);
}

/** Reads the pages that come with the program or that were made before, or has them made, when they are first asked for. What failed is tried again. */
export function openDocs(dataDir: string, publicUrl: string): () => Promise<DocsSite> {
  const shelf = new Map<'docs', Promise<DocsSite>>();
  return () =>
    keptWork(shelf, 'docs', async () => {
      const { options, make } = sources();
      return docsSite(await loadKept({ ...options, keptIn: join(dataDir, 'docs') }, make), publicUrl);
    });
}

/** What the pages are made of: the description of the API, the guides, and the program that renders them. */
function sources() {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { document, json } = describeApi(routes, anyUrl);
  return {
    options: {
      root,
      sources: ['docs/guides', 'src/kit', 'tools/docs-site'],
      text: String(json),
      shippedIn: join(root, 'dist/docs'),
    },
    make: (place: Place) => render({ document, ...place }, 1),
  };
}
