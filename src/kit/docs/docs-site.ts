import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Html } from '../html.ts';
import { contentTag } from '../http/endpoints/headers.ts';
import { errorsPage } from './errors-page.ts';
import { guideHref, guideText } from './guide.ts';
import { layout, type PageParts } from './layout.ts';
import { operationPage } from './operation-page.ts';
import { createSearch, type Search, searchPage } from './search.ts';
import { groupHref, operationHref, ROOT, type SiteInput, siteOf } from './site.ts';
import { groupPage, startPage } from './start-page.ts';

/** A page in the two forms that are sent. */
export interface KeptPage {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  /** An entity tag of the plain form, in its quotes. */
  readonly etag: string;
}

/** The pages of an API: its reference and its guides. Each is made when it is first asked for, and kept. */
export interface DocsSite {
  /** Every address that there is, but the one of the search. */
  readonly hrefs: readonly string[];
  /** The page at an address; undefined where there is none. */
  page(href: string): Promise<KeptPage> | undefined;
  /** What is found for a question. */
  search(query: string): string;
}

/** The pages of a document and its guides. Throws when two pages have one address. */
export function docsSite(input: SiteInput): DocsSite {
  const site = siteOf(input);
  const makers = new Map<string, () => PageParts>();
  const kept = new Map<string, Promise<KeptPage>>();
  let search: Search | undefined;

  function add(href: string, title: string, main: () => Html, more: { tag?: string; width?: 'wide' } = {}) {
    if (makers.has(href)) throw new Error(`two pages have the address ${href}`);
    makers.set(href, () => ({ href, title, width: 'prose', ...more, main: main() }));
  }

  add(ROOT, site.document.info.title, () => startPage(site));
  for (const guide of site.guides) add(guideHref(guide), guide.title, () => guideText(guide, site));
  for (const tag of site.document.tags)
    add(groupHref(tag.name), tag.name, () => groupPage(site, tag), { tag: tag.name });
  for (const listed of site.operations) {
    const { operation } = listed;
    const [tag = ''] = operation.tags;
    const page = () => operationPage(site, listed);
    add(operationHref(operation), operation.summary, page, { tag, width: 'wide' });
  }
  add(`${ROOT}/errors`, 'Errors', () => errorsPage(site));

  return {
    hrefs: [...makers.keys()],
    page(href) {
      const make = makers.get(href);
      if (make === undefined) return undefined;
      let page = kept.get(href);
      if (page === undefined) {
        page = keep(layout(site, make()));
        kept.set(href, page);
      }
      return page;
    },
    search(query) {
      search ??= createSearch(site);
      const main = searchPage(query, search(query));
      return layout(site, { title: 'Search', href: `${ROOT}/search`, width: 'prose', query, main });
    },
  };
}

const compress = promisify(gzip);

async function keep(text: string): Promise<KeptPage> {
  const plain = Buffer.from(text);
  return { plain, gzipped: await compress(plain, { level: 9 }), etag: `"${contentTag(plain)}"` };
}
