import { deleteOtherSessions } from '../access/sessions.sql.ts';
import type { SessionCtx } from '../context.ts';
import { hashPassword } from '../kit/crypto/passwords.ts';
import { invalidRequest } from '../kit/http/api-error.ts';
import { deleteLinksOf, listByAddress, setPasswordHash } from '../people/people.sql.ts';
import { lockAccount } from '../people/ways-in.sql.ts';
import { auditPerson } from './audit-person.ts';
import { postChange } from './letters.ts';
import { refuseWeak } from './password-rules.ts';
import { groundLine, groundToAdd, refuseToAdd, waysOf } from './ways-in.ts';

/**
 * Gives the person who asks a password, in the place of the one that they had. All their other sessions end, unless it is a
 * first one that no sign-in has come before: who has found an open browser must not shut others out. Raises what
 * `groundToAdd` does, and `invalid_request` for one that would be guessed.
 */
export async function setPassword(ctx: SessionCtx, password: string, acceptLanguage?: string): Promise<void> {
  const { app, session } = ctx;
  const { personId, sessionId } = session;
  const { email } = await refuseToAdd(ctx);
  if (email === null)
    throw invalidRequest(
      'You have no address to sign in with. Set one first: PATCH /sessions/current/person, as an owner; an owner gives others one: PATCH /people/{personId}.',
    );
  const names = session.memberships.flatMap(({ name, workspaceName }) => [name, workspaceName]);
  await refuseWeak(password, ['punchcard', ...names, email, ...email.split('@')]);
  // Where the address is not proved, each workspace has a person of its own: one derived key shows whose password it is.
  const others = (await listByAddress(app.database.db, email)).filter((one) => one.personId !== personId);
  const sameAs = others.find((one) => one.password !== null)?.password;
  const hash = await app.heavyWork.ofWorkspaces.enter(personId, () => hashPassword(password, sameAs));
  await app.database.transaction(async (tx) => {
    await lockAccount(tx, personId);
    const ways = await waysOf(tx, app, personId);
    const ground = groundToAdd(ctx, ways);
    await setPasswordHash(tx, personId, hash);
    if (ground === 'recent sign-in') {
      await deleteLinksOf(tx, personId);
      await deleteOtherSessions(tx, personId, sessionId);
    } else postChange(tx, ctx, { to: ways.email, acceptLanguage });
    auditPerson(tx, ctx, session, { action: 'setPassword', target: null, detail: groundLine(ground) });
  });
  app.sessionCache.clear();
}
