import { type Html, html } from '../kit/html.ts';
import type { Answer } from '../kit/http/endpoints/endpoint.ts';
import { contentTag, matchesEtag } from '../kit/http/endpoints/headers.ts';
import { bestCoding } from '../kit/http/endpoints/takes-gzip.ts';
import type { SiteRequest } from '../kit/http/server/site.ts';
import type { Bundle } from '../kit/web-bundle/bundled.ts';

type Headers = SiteRequest['headers'];

/** Where the files of the bundle are: for each app below its own pages, since a service worker reaches no further. */
export const assetsPaths = { console: '/console/assets/', scanner: '/scan/assets/' } as const;

/** What the pages of an app differ in. */
export interface AppPage {
  /** Its entry in the bundle. */
  readonly entry: keyof typeof assetsPaths;
  readonly title: string;
  /** Icons and other elements of its head. */
  readonly head: Html;
  readonly noScript: Html;
}

/** The page that all addresses of an app show. Its script draws everything; the theme is set before anything is drawn. */
export function appPage({ entries }: Bundle, { entry, title, head, noScript }: AppPage): string {
  const { script, styles, imports } = entryOf(entries, entry);
  const assets = assetsPaths[entry];
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<meta name="robots" content="noindex">
<title>${title}</title>
${head}
<script src="${assets}${entryOf(entries, 'appearance').script}" async></script>
${styles.map((name) => html`<link rel="stylesheet" href="${assets}${name}">\n`)}
${imports.map((name) => html`<link rel="modulepreload" href="${assets}${name}">\n`)}
<script type="module" src="${assets}${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>${noScript}</p></noscript>
</body>
</html>
`;
  return page.text;
}

/** What a page has to load for an entry of the bundle. */
export function entryOf(entries: Bundle['entries'], name: string) {
  const entry = entries.get(name);
  if (entry === undefined) throw new Error(`the bundle has no entry ${name}`);
  return entry;
}

/** Allows scripts and styles of our own alone, and no framing; then what an app needs besides that. */
export function appPolicy(more: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    ...more,
  ].join('; ');
}

/** A page as it is answered: browsers ask each time whether there is a newer one. */
export function pageAnswer(html: string, headers: Headers, more: Record<string, string>): Answer {
  return freshAnswer('text/html', html, headers, { 'referrer-policy': 'same-origin', ...more });
}

/** A script without a hash in its name: browsers ask each time whether there is a newer one. */
export function scriptAnswer(script: string, headers: Headers, more: Record<string, string>): Answer {
  return freshAnswer('text/javascript', script, headers, more);
}

function freshAnswer(type: string, body: string, headers: Headers, more: Record<string, string>): Answer {
  const etag = `"${contentTag(body)}"`;
  const about = { 'x-robots-tag': 'noindex', 'cache-control': 'private, no-cache', ...more, etag };
  if (matchesEtag(headers['if-none-match'], etag)) return { status: 304, headers: about };
  return { status: 200, body, headers: { 'content-type': `${type}; charset=utf-8`, ...about } };
}

/**
 * A worker follows the policy that its script comes with, not that of the page: this one may load and compile
 * WebAssembly, which no page may.
 */
const workerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** A file of the bundle, whose name contains the hash of its content; null where there is none. */
export function fileAnswer({ files }: Bundle, name: string, headers: Headers): Answer | null {
  const file = files.get(name);
  if (file === undefined) return null;
  const coding = bestCoding(headers['accept-encoding']);
  const etag = `"${coding === null ? name : `${name}-${coding}`}"`;
  const about = { etag, 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' };
  if (matchesEtag(headers['if-none-match'], etag)) return { status: 304, headers: about };
  const type = {
    ...about,
    'content-type': file.mediaType,
    ...(name.includes('.worker-') && { 'content-security-policy': workerPolicy }),
  };
  if (coding === null) return { status: 200, body: file.plain, headers: type };
  const body = coding === 'br' ? file.brotli : file.gzip;
  return { status: 200, body, headers: { ...type, 'content-encoding': coding } };
}
