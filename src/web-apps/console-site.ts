import { sessionOf } from '../access/session-cookie.ts';
import type { PublicCtx } from '../context.ts';
import { html } from '../kit/html.ts';
import type { Answer } from '../kit/http/endpoints/endpoint.ts';
import type { SiteRequest } from '../kit/http/server/site.ts';
import type { AppBundle } from './app-bundle.ts';
import { type AppPage, appPage, appPolicy, pageAnswer } from './app-page.ts';

type App = PublicCtx['app'];

/** The console, at all addresses below /console; null for other paths. */
export async function consoleAnswer(
  app: Pick<App, 'config' | 'now' | 'sessionCache'>,
  bundle: AppBundle,
  { path, query, method, headers }: SiteRequest,
): Promise<Answer | null> {
  if (path !== '/console' && !path.startsWith('/console/')) return null;
  const session = isOperators.test(path)
    ? undefined
    : await sessionOf(app, { method, headers, isPage: true });
  // A person who has joined no workspace yet has invitations to answer first.
  if (session?.memberships.length === 0)
    return { status: 303, headers: { location: '/account', 'cache-control': 'private, no-store' } };
  if (session === null) {
    const next = encodeURIComponent(query === '' ? path : `${path}?${query}`);
    const location = path === '/console' && query === '' ? '/sign-in' : `/sign-in?next=${next}`;
    return { status: 303, headers: { location, 'cache-control': 'private, no-store' } };
  }
  return pageAnswer(appPage(await bundle(), page), headers, pageHeaders);
}

const page: AppPage = {
  entry: 'console',
  title: 'Punchcard',
  head: html`<link rel="icon" href="data:,">`,
  noScript: html`The console needs JavaScript. Everything that it does, the API does as well: see /docs. Your password and passkeys are at <a href="/account">/account</a>.`,
};

/** The operator need not be a member of a workspace: these pages ask for the operator token. */
const isOperators = /^\/console\/operator(?:\/|$)/;

const pageHeaders = {
  // One policy makes elements of a text: that of the web card.
  'content-security-policy': appPolicy(['trusted-types web-card']),
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  vary: 'cookie',
};
