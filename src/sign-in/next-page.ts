import type { AdmittedSession } from '../access/sessions.sql.ts';
import type { PublicCtx } from '../context.ts';
import type { Input } from '../kit/http/endpoints/endpoint.ts';

const cookieName = 'punchcard-next';

/** A sign-in link works for so long. */
const lastsSeconds = 1_800;

type Where = Pick<PublicCtx['app'], 'config'>;

/**
 * Remembers the page that a person wanted before they had to sign in, also while they look into their mail; forgets an
 * older one where none is named.
 */
export function nextCookie(app: Where, next: string | undefined): string {
  const page = next === undefined ? null : ownPage(app, next);
  const secure = app.config.publicUrl.startsWith('https:') ? '; Secure' : '';
  const value = page === null ? '; Max-Age=0' : `${encodeURIComponent(page)}; Max-Age=${lastsSeconds}`;
  return `${cookieName}=${value}; Path=/sign-in; HttpOnly; SameSite=Lax${secure}`;
}

/** Where a script goes that has signed in: the page of this name; empty: the first one of the person who signs in. */
export function wantedPage(app: Where, next: string | undefined): string {
  return (next === undefined ? null : ownPage(app, next)) ?? '';
}

/** The page after signing in: the one that the person wanted, or the first one. */
export function nextPage(
  app: Where,
  headers: Input['headers'],
  session: Pick<AdmittedSession, 'memberships'>,
): string {
  const firstPage = firstPageOf(session);
  const pairs = headers.cookie?.split(';').map((pair) => pair.trim()) ?? [];
  const [kept, ...others] = pairs.filter((pair) => pair.startsWith(`${cookieName}=`));
  if (kept === undefined || others.length > 0) return firstPage;
  try {
    return ownPage(app, decodeURIComponent(kept.slice(cookieName.length + 1))) ?? firstPage;
  } catch {
    return firstPage;
  }
}

/** Staff work with the scanner; the console has nothing to begin with for them. */
function firstPageOf({ memberships }: Pick<AdmittedSession, 'memberships'>): string {
  const isStaff = memberships.length > 0 && memberships.every(({ role }) => role === 'staff');
  return isStaff ? '/scan' : '/console';
}

/** The path of a page of console or scanner; null for whatever would lead elsewhere. */
function ownPage({ config }: Where, next: string): string | null {
  const ours = new URL(config.publicUrl).origin;
  const url = next.startsWith('/') ? URL.parse(next, ours) : null;
  if (url === null || url.origin !== ours || !/^\/(?:console|scan)(?:\/|$)/.test(url.pathname)) return null;
  return `${url.pathname}${url.search}`;
}
