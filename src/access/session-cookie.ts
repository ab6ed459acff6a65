import type { IncomingHttpHeaders } from 'node:http';
import type { App } from '../context.ts';
import { toApiError } from '../errors.ts';
import { hashSecret, hasValidChecksum } from '../kit/crypto/tokens.ts';
import { isOurs } from '../kit/http/endpoints/same-origin.ts';
import { isSessionLive } from './judge-person.ts';
import type { AdmittedSession } from './sessions.sql.ts';

/** Every secret of a session begins with it. */
export const sessionPrefix = 'pks_';

/** And every secret of a paired till. */
export const devicePrefix = 'pkd_';

type Where = { readonly config: Pick<App['config'], 'publicUrl'> };

/** Browsers take the name with the prefix from https alone, from no subdomain and for no other path (RFC 6265bis §4.1.3). */
function cookieName({ config }: Where): string {
  return isSecure({ config }) ? '__Host-punchcard' : 'punchcard';
}

function deviceCookieName(app: Where): string {
  return `${cookieName(app)}-till`;
}

function attemptCookieName(app: Where): string {
  return `${cookieName(app)}-oidc`;
}

function isSecure({ config }: Where): boolean {
  return config.publicUrl.startsWith('https:');
}

/** How long a session lasts: in a browser of one's own, and at a shared till. */
export const sessionMs = { own: 30 * 86_400_000, till: 12 * 3_600_000 } as const;

/** As long as browsers keep a cookie at all. */
const deviceMs = 400 * 86_400_000;

/** The header that gives a browser its session; null takes it away. */
export function sessionCookie(app: Where, secret: string | null, lastsMs: number): string {
  return cookie(app, cookieName(app), secret, lastsMs);
}

/** The header by which a browser shows that it has left for the provider itself. */
export function attemptCookie(app: Where, sealed: string, lastsMs: number): string {
  return cookie(app, attemptCookieName(app), sealed, lastsMs);
}

/** The header by which a browser is a till from now on. */
export function deviceCookie(app: Where, secret: string): string {
  return cookie(app, deviceCookieName(app), secret, deviceMs);
}

function cookie(app: Where, name: string, secret: string | null, lastsMs: number): string {
  const seconds = secret === null ? 0 : lastsMs / 1_000;
  const secure = isSecure(app) ? '; Secure' : '';
  return `${name}=${secret ?? ''}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** A request as far as its cookie concerns. */
interface CookieRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders | Readonly<Record<string, string | undefined>>;
  /** A page may be opened by a link of another site; what is read by programs may not. */
  readonly isPage: boolean;
}

/**
 * The secret of the session that a browser sends; null where there is none, where it came on the errand of another
 * site, or where two were sent, of which another origin of the same host may have set one.
 */
export function sentSession(app: Where, request: CookieRequest): string | null {
  return sentSecret(app, request, cookieName(app), sessionPrefix);
}

/** The secret of the till that a browser is; null as for a session. */
export function sentDevice(app: Where, request: CookieRequest): string | null {
  return sentSecret(app, request, deviceCookieName(app), devicePrefix);
}

/** With what a browser has left for the provider, when that leads it back; null as for a session. */
export function sentAttempt(app: Where, headers: CookieRequest['headers']): string | null {
  return sentCookie(app, { method: 'GET', headers, isPage: true }, attemptCookieName(app));
}

function sentSecret(app: Where, request: CookieRequest, cookieName: string, prefix: string): string | null {
  const secret = sentCookie(app, request, cookieName);
  return secret !== null && hasValidChecksum(prefix, secret) ? secret : null;
}

function sentCookie(
  app: Where,
  { method, headers, isPage }: CookieRequest,
  cookieName: string,
): string | null {
  const cookie = headers.cookie;
  if (typeof cookie !== 'string') return null;
  const name = `${cookieName}=`;
  const [value, ...others] = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(name))
    .map((pair) => pair.slice(name.length));
  if (value === undefined || others.length > 0) return null;
  return isOurs(headers, { method, isPage, publicUrl: app.config.publicUrl }) ? value : null;
}

/** The live session that a request brings; null where it brings none. */
export async function sessionOf(
  app: Pick<App, 'config' | 'now' | 'sessionCache'>,
  request: CookieRequest,
): Promise<AdmittedSession | null> {
  const secret = sentSession(app, request);
  if (secret === null) return null;
  const session = await app.sessionCache.find(hashSecret(secret)).catch((error) => {
    throw toApiError(error, true);
  });
  return isSessionLive(app, session) ? session : null;
}
