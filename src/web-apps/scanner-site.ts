import { html } from '../kit/html.ts';
import type { Answer } from '../kit/http/endpoints/endpoint.ts';
import type { SiteRequest } from '../kit/http/server/site.ts';
import type { AppBundle } from './app-bundle.ts';
import { type AppPage, appPage, appPolicy, pageAnswer } from './app-page.ts';
import { type ScannerIcon, scannerIcon, scannerIcons } from './scanner-icon.ts';
import { workerAnswer, workerPath } from './scanner-worker.ts';

/** The scanner, at all addresses below /scan, for any caller: its script finds out who that is. Null for other paths. */
export async function scannerAnswer(
  bundle: AppBundle,
  { path, headers }: Pick<SiteRequest, 'path' | 'headers'>,
): Promise<Answer | null> {
  if (path !== '/scan' && !path.startsWith('/scan/')) return null;
  if (path === manifestPath)
    return {
      status: 200,
      body: manifest,
      headers: { 'content-type': 'application/manifest+json', ...forADay },
    };
  if (path.startsWith(iconsPath)) {
    const name = scannerIcons.find((one) => `${iconsPath}${one}` === path);
    return name === undefined ? null : iconAnswer(name);
  }
  const made = await bundle();
  const html = appPage(made, page);
  if (path === workerPath) return workerAnswer(made, `${html}${JSON.stringify(pageHeaders)}`, headers);
  return pageAnswer(html, headers, pageHeaders);
}

async function iconAnswer(name: ScannerIcon): Promise<Answer> {
  return { status: 200, body: await scannerIcon(name), headers: { 'content-type': 'image/png', ...forADay } };
}

const manifestPath = '/scan/manifest.webmanifest';
const iconsPath = '/scan/icons/';
const forADay = { 'cache-control': 'public, max-age=86400' };

/** `--paper` of the pages, light and dark. */
const paper = { light: '#f6f5f2', dark: '#121417' };

const manifest = JSON.stringify({
  id: '/scan',
  name: 'Punchcard scanner',
  short_name: 'Scanner',
  start_url: '/scan',
  scope: '/scan',
  display: 'standalone',
  orientation: 'any',
  background_color: paper.light,
  theme_color: paper.light,
  categories: ['business'],
  icons: [
    { src: `${iconsPath}192.png`, sizes: '192x192', type: 'image/png' },
    { src: `${iconsPath}512.png`, sizes: '512x512', type: 'image/png' },
    { src: `${iconsPath}maskable.png`, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
});

const page: AppPage = {
  entry: 'scanner',
  title: 'Scanner',
  head: html`<link rel="manifest" href="${manifestPath}">
<link rel="icon" type="image/png" href="${iconsPath}192.png">
<link rel="apple-touch-icon" href="${iconsPath}180.png">
<meta name="mobile-web-app-capable" content="yes">
<meta name="apple-mobile-web-app-title" content="Scanner">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${paper.light}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${paper.dark}">`,
  noScript: html`The scanner needs JavaScript. Everything that it does, the API does as well: see /docs.`,
};

const pageHeaders = {
  'content-security-policy': appPolicy([
    "worker-src 'self'",
    "manifest-src 'self'",
    // The one policy makes addresses of workers, of our own files alone: web/scanner/own-script.ts.
    'trusted-types own-script',
  ]),
  'permissions-policy': 'camera=(self), geolocation=(), microphone=()',
};
