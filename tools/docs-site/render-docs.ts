import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { DocsBundle } from '../../src/kit/docs/docs-site.ts';
import type { Html } from '../../src/kit/html.ts';
import { errorsPage } from './errors-page.ts';
import { guideHref, guideText } from './guide.ts';
import { layout, PAGE_POLICY, type PageParts } from './layout.ts';
import { operationPage } from './operation-page.ts';
import { searchIndex } from './searchable.ts';
import { groupHref, operationHref, ROOT, type SiteInput, siteOf } from './site.ts';
import { groupPage, startPage } from './start-page.ts';

/** Renders the pages of a document and its guides. Raises when two pages have one address. */
export async function renderDocs(input: SiteInput): Promise<DocsBundle> {
  const site = siteOf(input);
  const made = new Map<string, PageParts>();

  function add(href: string, title: string, main: Html, more: { tag?: string; width?: 'wide' } = {}) {
    if (made.has(href)) throw new Error(`two pages have the address ${href}`);
    made.set(href, { href, title, width: 'prose', ...more, main });
  }

  add(ROOT, site.document.info.title, startPage(site));
  for (const guide of site.guides) add(guideHref(guide), guide.title, guideText(guide, site));
  for (const tag of site.document.tags)
    add(groupHref(tag.name), tag.name, groupPage(site, tag), { tag: tag.name });
  for (const listed of site.operations) {
    const { operation } = listed;
    const [tag = ''] = operation.tags;
    add(operationHref(operation), operation.summary, operationPage(site, listed), { tag, width: 'wide' });
  }
  add(`${ROOT}/errors`, 'Errors', errorsPage(site));

  const pages = new Map<string, Buffer>();
  for (const [href, parts] of made) pages.set(href, await promisify(gzip)(layout(site, parts), { level: 9 }));
  return { pages, search: searchIndex(site), policy: PAGE_POLICY };
}
