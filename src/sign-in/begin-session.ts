import { sentSession, sessionCookie, sessionMs, sessionPrefix } from '../access/session-cookie.ts';
import {
  type AdmittedSession,
  deleteSessionBySecret,
  findSessionsBySecret,
  insertSession,
  trimSessions,
} from '../access/sessions.sql.ts';
import type { PublicCtx } from '../context.ts';
import { hashSecret, newSecret } from '../kit/crypto/tokens.ts';
import type { Tx } from '../kit/db/database.ts';
import type { Input } from '../kit/http/endpoints/endpoint.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { auditPerson } from './audit-person.ts';

/** A session that has just begun, and the header that gives it to the browser. */
export interface Begun {
  readonly session: AdmittedSession;
  readonly cookie: string;
}

/** The account that signs in, and at which shared till. */
export interface Who {
  readonly personId: string;
  readonly deviceId: string | null;
}

/** How a person signs in, and what the request says. */
export interface Arrival {
  readonly by: 'link' | 'password' | 'pin' | 'passkey' | 'oidc';
  readonly headers: Input['headers'];
  /** Another site has led the browser here, as it should. */
  readonly isLed?: boolean;
}

/** The most sessions of a person at tills, and in browsers of their own: a new one ends the oldest. */
const mostSessions = 50;

/**
 * A new session of the person whom `identify` finds, in the transaction in which it does. The one that the browser had is
 * ended: whatever cookie it was given before opens nothing.
 */
export async function beginSession(
  ctx: PublicCtx,
  { by, headers, isLed = false }: Arrival,
  identify: (tx: Tx) => Promise<Who>,
): Promise<Begun> {
  const { app } = ctx;
  const secret = newSecret(sessionPrefix);
  const secretHash = hashSecret(secret);
  const now = app.now();
  let lastsMs: number = sessionMs.own;
  const before = sentSession(app, { method: isLed ? 'GET' : 'POST', headers, isPage: isLed });
  const session = await app.database.transaction(async (tx) => {
    const { personId, deviceId } = await identify(tx);
    lastsMs = deviceId === null ? sessionMs.own : sessionMs.till;
    const expiresAt = new Date(now.getTime() + lastsMs);
    if (before !== null) await deleteSessionBySecret(tx, hashSecret(before));
    const sessionId = newUuidV7();
    await insertSession(tx, {
      sessionId,
      secretHash,
      personId,
      deviceId,
      userAgent: agentOf(headers),
      signedInAt: now,
      lastUsedAt: now,
      expiresAt,
    });
    await trimSessions(tx, { personId, deviceId }, now, mostSessions);
    const [found] = await findSessionsBySecret(tx, 'all', [secretHash]);
    if (found === undefined) throw new Error('a session that was just begun is not there');
    const till = deviceId === null ? {} : { deviceId: encodeId('device', deviceId) };
    auditPerson(tx, ctx, found, {
      action: 'createSession',
      target: encodeId('session', sessionId),
      detail: { by, ...till },
    });
    return found;
  });
  app.sessionCache.clear();
  return { session, cookie: sessionCookie(app, secret, lastsMs) };
}

function agentOf(headers: Input['headers']): string | null {
  // What a header may hold beyond this is nothing to show.
  const text = (headers['user-agent'] ?? '').replaceAll(/[^\x20-\x7e]/g, '').slice(0, 200);
  return text === '' ? null : text;
}
