import type { Static } from 'typebox';
import { refuseOldSignIn } from '../access/judge-person.ts';
import { listSessionRows } from '../access/sessions.sql.ts';
import type { SessionCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { encodeId } from '../kit/ids.ts';
import { changeMember, deleteLinksOf, listByAddress } from '../people/people.sql.ts';
import { findNamesakes, keepProved, lockAccount, replaceAddress } from '../people/ways-in.sql.ts';
import { lockWorkspaceRow } from '../workspaces/workspaces.sql.ts';
import { auditPerson } from './audit-person.ts';
import { newChallenge, readChallenge, takeChallenge } from './challenges.ts';
import { personExists, usableEmail } from './create-person.ts';
import { postChange, postProof } from './letters.ts';
import { limitTries } from './limit-tries.ts';
import { linkLasts } from './new-link.ts';
import { type OwnChanges, ownMembership } from './person.schema.ts';
import { refuseTill } from './refuse-till.ts';
import { mailLimits } from './send-sign-in-link.ts';
import { type Ground, groundLine, groundToAdd, type Ways, waysOf } from './ways-in.ts';

/** What the link to an address says of what was asked for. */
interface Asked {
  readonly email: string;
  /** The address that the account had then. */
  readonly before: string | null;
  readonly sessionId: string;
  readonly ground: Ground;
}

/** Only the account that has asked for it can use the link: who reads the mail of another must not be made part of it. */
const purposeOf = ({ personId }: SessionCtx['session']) => `address of ${personId}`;

/**
 * Changes what the caller, an owner, is called in the workspaces that they own, and their address. A first one counts at
 * once; the place of another is taken by one that was proved. Raises what `groundToAdd` does, `person_exists`,
 * `rate_limited`, and `invalid_request` where no mail can prove it.
 */
export async function updateOwnPerson(
  ctx: SessionCtx,
  { name, email: typed }: Static<typeof OwnChanges>,
  acceptLanguage: string | undefined,
) {
  const { app, session } = ctx;
  refuseTill(session);
  const owned = session.memberships.filter(({ role }) => role === 'owner');
  if (owned.length === 0)
    throw refusal('role_required', 'Your name and address are set by the owners of the workspace. Ask one.');
  const email = typed === undefined ? null : usableEmail(typed);
  if (email !== null && app.config.mail.smtpUrl !== null) await limitTries(ctx, 'address', email, mailLimits);
  const shown = await app.database.transaction(async (tx) => {
    const byId = owned.toSorted((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1));
    for (const { workspaceId } of byId) await lockWorkspaceRow(tx, workspaceId);
    await lockAccount(tx, session.personId);
    if (name !== undefined) {
      for (const { workspaceId, personId } of byId) await changeMember(tx, workspaceId, personId, { name });
      const line = { action: 'updateOwnPerson', target: null, detail: { after: { name } } };
      auditPerson(tx, ctx, { memberships: owned }, line);
    }
    const mailedTo = email === null ? null : await wantAddress(tx, ctx, email, acceptLanguage);
    const ways = await waysOf(tx, app, session.personId);
    const own = ownMembership(session);
    return {
      personId: encodeId('person', (own ?? session).personId),
      name: own?.role === 'owner' ? (name ?? own.name) : (own?.name ?? ''),
      email: ways.email,
      emailProved: ways.isProved,
      mailedTo,
    };
  });
  app.sessionCache.clear();
  return shown;
}

/** Sets it, or mails the link that does. Answers where that went. */
async function wantAddress(
  tx: Tx,
  ctx: SessionCtx,
  email: string,
  acceptLanguage: string | undefined,
): Promise<string | null> {
  const { app, session } = ctx;
  const ways = await waysOf(tx, app, session.personId);
  const isSame = ways.email === email;
  if (isSame && (ways.isProved || !ways.hasMailServer)) return null;
  if (ways.email !== null && !isSame && !ways.hasMailServer)
    throw invalidField(
      'email',
      'fixed',
      `has no mail server to be proved by. The operator of the service changes it: punchcard set-address ${encodeId('person', (ownMembership(session) ?? session).personId)} ${email}`,
    );
  const ground = isSame ? 'none yet' : groundToAdd(ctx, ways);
  await refuseNamesake(tx, session.personId, email);
  if (ways.email === null) {
    await replaceAddress(tx, session.personId, email);
    auditPerson(tx, ctx, session, {
      action: 'updateOwnPerson',
      target: null,
      detail: { hasAddress: true, ...groundLine(ground) },
    });
  }
  if (!ways.hasMailServer) return null;
  const before = ways.email ?? email;
  const asked: Asked = { email, before, sessionId: session.sessionId, ground };
  const token = newChallenge(app, purposeOf(session), linkLasts.asked, JSON.stringify(asked));
  const link = `${app.config.publicUrl}/console/settings/account?address=${encodeURIComponent(token)}`;
  postProof(tx, ctx, { to: email, acceptLanguage, link });
  return email;
}

/** Raises `person_exists` where another person of a workspace of the account has the address. */
export async function refuseNamesake(tx: Tx, accountId: string, email: string): Promise<void> {
  const [other] = await findNamesakes(tx, accountId, email);
  if (other !== undefined) throw personExists(other.personId);
}

/**
 * What the link to an address does: it is proved, and the address of the account from then on. The former one gets a warning. Raises
 * `invalid_link`, `person_exists`, and what `groundToAdd` does if ways in were added since it was asked for.
 */
export async function confirmOwnAddress(
  ctx: SessionCtx,
  token: string,
  acceptLanguage: string | undefined,
): Promise<void> {
  const { app, session } = ctx;
  const { personId } = session;
  refuseTill(session);
  const challenge = readChallenge(app, purposeOf(session), token);
  if (challenge === null) throw noSuchLink();
  const asked: Asked = JSON.parse(challenge.content);
  await app.database.transaction(async (tx) => {
    await lockAccount(tx, personId);
    const ways = await waysOf(tx, app, personId);
    if (!(await takeChallenge(tx, app, token, challenge)) || ways.email !== asked.before) throw noSuchLink();
    const isOther = asked.before !== asked.email;
    if (isOther) await refuseStale(tx, ctx, asked, ways);
    await refuseNamesake(tx, personId, asked.email);
    const [known] = await listByAddress(tx, asked.email);
    if (known?.workspace === null && known.personId !== personId)
      throw refusal(
        'person_exists',
        'Another account here has proved this address. Sign in with it, and have it invited to your workspace.',
      );
    await replaceAddress(tx, personId, asked.email);
    await keepProved(tx, personId);
    auditPerson(tx, ctx, session, { action: 'confirmOwnAddress', target: null, detail: { isOther } });
    if (!isOther) return;
    // What was mailed to the former address signs in no longer.
    await deleteLinksOf(tx, personId);
    postChange(tx, ctx, { to: asked.before, acceptLanguage });
  });
  app.sessionCache.clear();
}

/** Ending the session that has asked takes the change back; what it might do without a sign-in, it may no longer once there is a way to sign in. */
async function refuseStale(tx: Tx, ctx: SessionCtx, asked: Asked, ways: Ways): Promise<void> {
  const { app, session } = ctx;
  const live = await listSessionRows(tx, session.personId, app.now(), { after: null, take: 100 });
  if (!live.some(({ sessionId }) => sessionId === asked.sessionId)) throw noSuchLink();
  if (asked.ground === 'none yet' && ways.waysIn.length > 0) refuseOldSignIn(app, session);
}

function noSuchLink() {
  return refusal(
    'invalid_link',
    'This link was used, is too old, or is of another account. Sign in as who has asked for it, or have a new one mailed.',
  );
}
