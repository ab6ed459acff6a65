import { sessionCookie } from '../access/session-cookie.ts';
import { deleteSession } from '../access/sessions.sql.ts';
import type { SessionCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { decodeId, encodeId } from '../kit/ids.ts';
import { auditPerson } from './audit-person.ts';

/** Ends the session that asks; the header takes it from the browser. */
export async function endCurrentSession(ctx: SessionCtx): Promise<string> {
  await end(ctx, ctx.session.sessionId, 'endCurrentSession');
  return sessionCookie(ctx.app, null, 0);
}

/** Ends a session of the person who asks, wherever it is. Raises `session_not_found`. */
export async function endSession(ctx: SessionCtx, publicId: string): Promise<void> {
  const sessionId = decodeId('session', publicId);
  if (sessionId === null || !(await end(ctx, sessionId, 'endSession')))
    throw refusal('session_not_found', 'You have no session with this id. GET /sessions lists them.');
}

async function end(ctx: SessionCtx, sessionId: string, action: string): Promise<boolean> {
  const { app, session } = ctx;
  const isEnded = await app.database.transaction(async (tx) => {
    const wasThere = await deleteSession(tx, session.personId, sessionId);
    if (wasThere) auditPerson(tx, ctx, session, { action, target: encodeId('session', sessionId) });
    return wasThere;
  });
  app.sessionCache.clear();
  return isEnded;
}
