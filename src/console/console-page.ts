import { html } from '../kit/html.ts';
import { contentTag } from '../kit/http/headers.ts';
import type { Bundle } from '../kit/web-bundle/bundled.ts';

/** The page that all addresses of the console show, and its entity tag. */
export interface ConsolePage {
  readonly html: string;
  readonly etag: string;
}

/** Where the files of the bundle are. */
export const assetsPath = '/console/assets/';

/** Scripts and styles of our own alone, and nobody may frame it. One policy makes elements of a text: that of the web card. */
export const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types web-card',
].join('; ');

/** Its script draws everything; the theme is set before anything is drawn. */
export function consolePage({ entries }: Bundle): ConsolePage {
  const { script, styles, imports } = entryOf(entries, 'console');
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<meta name="robots" content="noindex">
<title>Punchcard</title>
<link rel="icon" href="data:,">
<script src="${assetsPath}${entryOf(entries, 'appearance').script}" async></script>
${styles.map((name) => html`<link rel="stylesheet" href="${assetsPath}${name}">\n`)}
${imports.map((name) => html`<link rel="modulepreload" href="${assetsPath}${name}">\n`)}
<script type="module" src="${assetsPath}${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>The console needs JavaScript. Everything that it does, the API does as well: see /docs. Your password and passkeys are at <a href="/account">/account</a>.</p></noscript>
</body>
</html>
`;
  return { html: page.text, etag: `"${contentTag(page.text)}"` };
}

function entryOf(entries: Bundle['entries'], name: string) {
  const entry = entries.get(name);
  if (entry === undefined) throw new Error(`the bundle has no entry ${name}`);
  return entry;
}
