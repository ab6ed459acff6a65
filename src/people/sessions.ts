import type { App, SessionCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { decodeId } from '../kit/ids.ts';
import { sessionCookie } from '../workspaces/session-cookie.ts';
import { type AdmittedSession, deleteSession } from '../workspaces/sessions.sql.ts';

/** Ends the session that asks; the header takes it from the browser. */
export async function endCurrentSession(ctx: SessionCtx): Promise<string> {
  await end(ctx.app, ctx.session, ctx.session.sessionId);
  return sessionCookie(ctx.app, null, 0);
}

/** Ends a session of the person who asks, wherever it is. Raises `session_not_found`. */
export async function endSession(ctx: SessionCtx, publicId: string): Promise<void> {
  const sessionId = decodeId('session', publicId);
  if (sessionId === null || !(await end(ctx.app, ctx.session, sessionId)))
    throw refusal('session_not_found', 'You have no session with this id. GET /sessions lists them.');
}

async function end(app: App, { personId }: AdmittedSession, sessionId: string): Promise<boolean> {
  const isEnded = await app.database.transaction((tx) => deleteSession(tx, personId, sessionId));
  app.sessionCache.clear();
  return isEnded;
}
