import type { Static } from 'typebox';
import { foldAddress } from '../commerce/invites/address.ts';
import type { PublicCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { isPassword } from '../kit/crypto/passwords.ts';
import { hashSecret, hasValidChecksum, newSecret } from '../kit/crypto/tokens.ts';
import type { Tx } from '../kit/db/database.ts';
import type { Input } from '../kit/http/endpoint.ts';
import { decodeId, firstId, newUuidV7 } from '../kit/ids.ts';
import {
  deleteLinksOf,
  findMember,
  findPasswordOf,
  proveAddress,
  takeLink,
} from '../workspaces/people.sql.ts';
import { sentSession, sessionCookie, sessionMs, sessionPrefix } from '../workspaces/session-cookie.ts';
import {
  type AdmittedSession,
  deleteSessionBySecret,
  deleteSessionsOf,
  findSessionsBySecret,
  insertSession,
  trimSessions,
} from '../workspaces/sessions.sql.ts';
import { deviceOf } from './devices.ts';
import { limitTries } from './limit-tries.ts';
import { linkPrefix } from './new-link.ts';
import type { SignIn } from './person.schema.ts';
import { refuseForeign } from './refuse-foreign.ts';

type Headers = Input['headers'];

/** A session that has just begun, and the header that gives it to the browser. */
export interface Begun {
  readonly session: AdmittedSession;
  readonly cookie: string;
}

/** The oldest end when a person signs in once more. */
const mostSessions = 50;

/**
 * Signs in with a link, which then opens nothing any more, with a password, or at a shared till with a PIN. The session is a new one in every case: the
 * one that the browser had is ended. Raises `invalid_link`, `invalid_credentials`, `rate_limited`, and `invalid_request`
 * where another site has sent the request.
 */
export async function createSession(
  ctx: PublicCtx,
  input: Static<typeof SignIn>,
  headers: Headers,
): Promise<Begun> {
  refuseForeign(ctx, headers);
  if ('link' in input) return withLink(ctx, input.link, headers);
  const who = 'pin' in input ? await whoHasPin(ctx, input, headers) : await whoHasPassword(ctx, input);
  return begin(ctx, headers, async () => who);
}

/** Who signs in, and at which shared till. */
interface Who {
  readonly personId: string;
  readonly deviceId: string | null;
}

/** So many tries at once, and then one in so many seconds: of an address, and from one. */
const tryLimits = { to: { atOnce: 10, everyS: 60 }, from: { atOnce: 50, everyS: 10 } };

/** The person whose password it is. It takes as long, and is refused alike, where there is nobody, or no password. */
async function whoHasPassword(
  ctx: PublicCtx,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Who> {
  const address = foldAddress(email);
  await limitTries(ctx, 'password', address, tryLimits);
  const found = await findPasswordOf(ctx.app.database.db, address);
  const isRight = await isPassword(found?.password ?? null, password);
  if (found === undefined || !isRight)
    throw refusal('invalid_credentials', 'This address and this password do not belong together.');
  return { personId: found.personId, deviceId: null };
}

const pinLimits = { ...tryLimits, to: { atOnce: 5, everyS: 300 } };

/** The person whose PIN it is, at the till that the browser is. As with passwords it takes as long where there is nobody. */
async function whoHasPin(
  ctx: PublicCtx,
  { personId: publicId, pin }: { readonly personId: string; readonly pin: string },
  headers: Headers,
): Promise<Who> {
  const { deviceId, workspaceId } = await deviceOf(ctx, 'POST', headers);
  await limitTries(ctx, 'pin', `${deviceId} ${publicId}`, pinLimits);
  const personId = decodeId('person', publicId) ?? firstId;
  const member = await findMember(ctx.app.database.db, workspaceId, personId);
  if (!(await isPassword(member?.pin ?? null, pin)))
    throw refusal('invalid_credentials', 'This name and this PIN do not belong together.');
  return { personId, deviceId };
}

function withLink(ctx: PublicCtx, link: string, headers: Headers): Promise<Begun> {
  const secret = linkSecretOf(link);
  return begin(ctx, headers, async (tx) => {
    const taken = await takeLink(tx, hashSecret(secret), ctx.app.now());
    if (taken === undefined) throw invalidLink();
    const { personId, proves } = taken;
    await deleteLinksOf(tx, personId);
    // Whoever had a way in before the address was proved need not be who has it.
    if (proves !== null && (await proveAddress(tx, personId))) await deleteSessionsOf(tx, personId);
    return { personId, deviceId: null };
  });
}

/** A new session of the person whom `identify` finds, in the transaction in which it does. */
async function begin(ctx: PublicCtx, headers: Headers, identify: (tx: Tx) => Promise<Who>): Promise<Begun> {
  const { app } = ctx;
  const secret = newSecret(sessionPrefix);
  const secretHash = hashSecret(secret);
  const now = app.now();
  let lastsMs: number = sessionMs.own;
  let expiresAt = now;
  const before = sentSession(app, { method: 'POST', headers, isPage: false });
  const session = await app.database.transaction(async (tx) => {
    const { personId, deviceId } = await identify(tx);
    lastsMs = deviceId === null ? sessionMs.own : sessionMs.till;
    expiresAt = new Date(now.getTime() + lastsMs);
    if (before !== null) await deleteSessionBySecret(tx, hashSecret(before));
    await insertSession(tx, {
      sessionId: newUuidV7(),
      secretHash,
      personId,
      deviceId,
      userAgent: agentOf(headers),
      signedInAt: now,
      lastUsedAt: now,
      expiresAt,
    });
    await trimSessions(tx, personId, now, mostSessions);
    const [found] = await findSessionsBySecret(tx, 'all', [secretHash]);
    if (found === undefined) throw new Error('a session that was just begun is not there');
    return found;
  });
  app.sessionCache.clear();
  return { session, cookie: sessionCookie(app, secret, lastsMs) };
}

function agentOf(headers: Headers): string | null {
  // What a header may hold beyond this is nothing to show.
  const text = (headers['user-agent'] ?? '').replaceAll(/[^\x20-\x7e]/g, '').slice(0, 200);
  return text === '' ? null : text;
}

/** The secret of a link, or of its last part. Raises `invalid_link` for what was never one. */
export function linkSecretOf(link: string): string {
  const secret = link.slice(link.lastIndexOf('/') + 1);
  if (!hasValidChecksum(linkPrefix, secret)) throw invalidLink();
  return secret;
}

function invalidLink() {
  return refusal('invalid_link', 'This link was used, is too old, or is not complete. Ask for a new one.');
}
