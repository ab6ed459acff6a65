import { refuseOldSignIn } from '../access/judge-person.ts';
import { deleteOtherSessions } from '../access/sessions.sql.ts';
import type { SessionCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { hashPassword } from '../kit/crypto/passwords.ts';
import { invalidRequest } from '../kit/http/api-error.ts';
import { deleteLinksOf, listByAddress, setPasswordHash } from '../people/people.sql.ts';
import { auditPerson } from './audit-person.ts';
import { refuseWeak } from './password-rules.ts';

/** Raises `role_required` at a shared till, where a PIN is enough to be signed in. */
export function refuseTill({ deviceId }: SessionCtx['session']): void {
  if (deviceId !== null)
    throw refusal('role_required', 'Not at a shared till. Sign in in a browser of your own.');
}

/**
 * Gives the person who asks a password, in the place of the one that they had. All their other sessions end. Raises
 * `recent_sign_in_required`, and `invalid_request` for one that would be guessed.
 */
export async function setPassword(ctx: SessionCtx, password: string): Promise<void> {
  const { app, session } = ctx;
  const { email, personId, sessionId } = session;
  refuseTill(session);
  refuseOldSignIn(app, session);
  if (email === null)
    throw invalidRequest(
      'You have no address to sign in with. An owner gives you one: PATCH /people/{personId}.',
    );
  const names = session.memberships.flatMap(({ name, workspaceName }) => [name, workspaceName]);
  await refuseWeak(password, ['punchcard', ...names, email, ...email.split('@')]);
  // Where the address is not proved, each workspace has a person of its own: one derived key shows whose password it is.
  const others = (await listByAddress(app.database.db, email)).filter((one) => one.personId !== personId);
  const sameAs = others.find((one) => one.password !== null)?.password;
  const hash = await app.heavyWork.ofWorkspaces.enter(personId, () => hashPassword(password, sameAs));
  await app.database.transaction(async (tx) => {
    await setPasswordHash(tx, personId, hash);
    await deleteLinksOf(tx, personId);
    await deleteOtherSessions(tx, personId, sessionId);
    auditPerson(tx, ctx, session, { action: 'setPassword', target: null });
  });
  app.sessionCache.clear();
}
