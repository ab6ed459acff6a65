import type { PublicCtx } from '../context.ts';
import type { Answer } from '../kit/http/endpoint.ts';
import { matchesEtag } from '../kit/http/headers.ts';
import type { SiteRequest } from '../kit/http/site.ts';
import { bestCoding } from '../kit/http/takes-gzip.ts';
import type { BundledFile } from '../kit/web-bundle/bundled.ts';
import { sessionOf } from '../workspaces/session-cookie.ts';
import type { ConsoleBundle } from './console-bundle.ts';
import { assetsPath, consolePage, consolePolicy } from './console-page.ts';

type App = PublicCtx['app'];

/** What is served below /console; null for other paths, and for files that the bundle does not have. */
export async function consoleAnswer(
  app: Pick<App, 'config' | 'now' | 'sessionCache'>,
  bundle: ConsoleBundle,
  request: SiteRequest,
): Promise<Answer | null> {
  const { path, query, method, headers } = request;
  if (path !== '/console' && !path.startsWith('/console/')) return null;
  if (path.startsWith(assetsPath)) {
    const name = path.slice(assetsPath.length);
    const file = (await bundle()).files.get(name);
    return file === undefined ? null : fileAnswer(file, name, headers);
  }
  const isOpen = isOperators.test(path) || (await sessionOf(app, { method, headers, isPage: true })) !== null;
  if (!isOpen) {
    const next = encodeURIComponent(query === '' ? path : `${path}?${query}`);
    const location = path === '/console' && query === '' ? '/sign-in' : `/sign-in?next=${next}`;
    return { status: 303, headers: { location, 'cache-control': 'private, no-store' } };
  }
  const { html, etag } = consolePage(await bundle());
  const about = { ...pageHeaders, etag };
  if (matchesEtag(headers['if-none-match'], etag)) return { status: 304, headers: about };
  return { status: 200, body: html, headers: { 'content-type': 'text/html; charset=utf-8', ...about } };
}

/** The operator may be nobody's member: these pages ask for the operator token. */
const isOperators = /^\/console\/operator(?:\/|$)/;

const pageHeaders = {
  'content-security-policy': consolePolicy,
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'x-robots-tag': 'noindex',
  'cache-control': 'private, no-cache',
  vary: 'cookie',
};

/** A name that tells its content never means another one. */
function fileAnswer(file: BundledFile, name: string, headers: SiteRequest['headers']): Answer {
  const coding = bestCoding(headers['accept-encoding']);
  const etag = `"${coding === null ? name : `${name}-${coding}`}"`;
  const about = { etag, 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' };
  if (matchesEtag(headers['if-none-match'], etag)) return { status: 304, headers: about };
  const type = { ...about, 'content-type': file.mediaType };
  if (coding === null) return { status: 200, body: file.plain, headers: type };
  const body = coding === 'br' ? file.brotli : file.gzip;
  return { status: 200, body, headers: { ...type, 'content-encoding': coding } };
}
