import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { escapeHtml } from '../html.ts';
import { contentTag } from '../http/endpoints/headers.ts';
import { keptWork } from '../promises.ts';
import { type SearchIndex, searchPage } from './search.ts';

/** The pages of an API and its guides, rendered before a service shows them. */
export interface DocsBundle {
  /** Each compressed by gzip, by its address. */
  readonly pages: ReadonlyMap<string, Buffer>;
  readonly search: SearchIndex;
  /** The content security policy of all pages. */
  readonly policy: string;
}

/** What rendered pages have in the place of the address of the service. */
export const anyUrl = 'https://public-url.invalid';

/** A page in the two forms that are sent. */
interface KeptPage {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  /** An entity tag of the plain form, in its quotes. */
  readonly etag: string;
}

/** Rendered pages with the address of a service in them. */
export interface DocsSite {
  readonly policy: string;
  /** The page at an address; undefined where there is none. */
  page(href: string): Promise<KeptPage> | undefined;
  /** The page with what is found for a question. */
  search(query: string): string;
}

/** The pages as the service at `publicUrl` shows them. Each is finished when it is first asked for, and kept. */
export function docsSite({ pages, search, policy }: DocsBundle, publicUrl: string): DocsSite {
  const kept = new Map<string, Promise<KeptPage>>();
  return {
    policy,
    page(href) {
      const rendered = pages.get(href);
      if (rendered === undefined) return undefined;
      return keptWork(kept, href, async () => {
        const plain = Buffer.from(withUrl(String(await promisify(gunzip)(rendered)), publicUrl));
        const gzipped = await promisify(gzip)(plain, { level: 9 });
        return { plain, gzipped, etag: `"${contentTag(plain)}"` };
      });
    },
    search: (query) => searchPage(search, query),
  };
}

/** Examples have the address between quotes, but for a word of a shell, which gets some where the address needs them. */
function withUrl(page: string, publicUrl: string): string {
  const url = publicUrl.replaceAll("'", '%27');
  const quoted = /^[\w./:@%+=-]+$/.test(url) ? page : page.replaceAll(shellWords, '&#39;$&&#39;');
  return quoted.replaceAll(anyUrl, () => escapeHtml(url));
}

const shellWords = new RegExp(`(?<= )${anyUrl.replaceAll('.', '\\.')}[^\\s<]*`, 'g');
