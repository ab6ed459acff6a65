import { isSignInRecent, refuseOldSignIn } from '../access/judge-person.ts';
import type { App, SessionCtx } from '../context.ts';
import type { Db } from '../kit/db/database.ts';
import { findWaysIn, type WaysRow } from '../people/ways-in.sql.ts';
import type { waysIn } from './person.schema.ts';
import { refuseTill } from './refuse-till.ts';

type WayIn = (typeof waysIn)[number];

/** How the person of an account gets back in, and what is known of the address. */
export interface Ways {
  readonly email: string | null;
  readonly isProved: boolean;
  readonly waysIn: readonly WayIn[];
  /** Links and notices reach addresses. */
  readonly hasMailServer: boolean;
}

/**
 * The ways in of an account. A link by mail is one where the address is proved and a mail server is set: it is unknown who
 * reads an address that was never proved.
 */
export async function waysOf(db: Db, app: App, personId: string): Promise<Ways> {
  const row: WaysRow = (await findWaysIn(db, personId)) ?? {
    email: null,
    isProved: false,
    hasPassword: false,
    hasPasskey: false,
    isKnownToProvider: false,
  };
  const { email, isProved } = row;
  const hasMailServer = app.config.mail.smtpUrl !== null;
  const has: Readonly<Record<WayIn, boolean>> = {
    passkey: row.hasPasskey,
    // Who signs in with it names the address, too.
    password: row.hasPassword && email !== null,
    mail: isProved && hasMailServer,
    provider: row.isKnownToProvider && app.identityProvider !== null,
  };
  const waysIn = (Object.keys(has) as WayIn[]).filter((way) => has[way]);
  return { email, isProved, waysIn, hasMailServer };
}

/** What lets a person add a way in: a sign-in of a short while ago, or that they have none that they could sign in by. */
export type Ground = 'recent sign-in' | 'none yet';

/**
 * What lets a person add a way in. Who has none could pass no sign-in, and would be locked out for good: they may set the
 * first one however old the session is. Call it in the transaction, with the account held. Raises `recent_sign_in_required` for others,
 * so that a session alone replaces nothing, and `role_required` at a till.
 */
export function groundToAdd({ app, session }: SessionCtx, { waysIn }: Ways): Ground {
  refuseTill(session);
  if (isSignInRecent(app, session)) return 'recent sign-in';
  if (waysIn.length > 0) refuseOldSignIn(app, session);
  return 'none yet';
}

/** The same as `groundToAdd`, before the work that precedes the transaction. */
export async function refuseToAdd(ctx: SessionCtx): Promise<Ways> {
  refuseTill(ctx.session);
  const ways = await waysOf(ctx.app.database.db, ctx.app, ctx.session.personId);
  groundToAdd(ctx, ways);
  return ways;
}

/** What the audit log says of a change without a recent sign-in. */
export function groundLine(ground: Ground): Readonly<Record<string, unknown>> {
  return ground === 'none yet' ? { ground } : {};
}
