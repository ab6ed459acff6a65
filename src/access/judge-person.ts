import type { Access, App, KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { invalidAs } from '../kit/http/api-error.ts';
import { decodeId, encodeId } from '../kit/ids.ts';
import { permits, wantsRecentSignIn } from './permits.ts';
import type { AdmittedMembership, AdmittedSession } from './sessions.sql.ts';

type Caller = Pick<KeyCtx, 'workspaceId' | 'actor' | 'passIds' | 'key'>;

/** How long after signing in a person may do what opens doors. */
const recentMs = 600_000;

/** Whether the sign-in was a short while ago, as what opens doors wants it. */
export function isSignInRecent({ now }: Pick<App, 'now'>, { signedInAt }: AdmittedSession): boolean {
  return now().getTime() - signedInAt.getTime() <= recentMs;
}

/** Raises `recent_sign_in_required` where it is too long ago for what opens doors. */
export function refuseOldSignIn(app: Pick<App, 'now'>, session: AdmittedSession): void {
  if (isSignInRecent(app, session)) return;
  throw refusal('recent_sign_in_required', 'You signed in more than 10 minutes ago. Sign in again first.');
}

/** Whether a session and the cookie that was sent still count. */
export function isSessionLive(
  { now }: Pick<App, 'now'>,
  session: AdmittedSession | undefined,
): session is AdmittedSession {
  return session !== undefined && session.expiresAt > now();
}

/** `invalid_session`, for one that is not live, or none. */
export function unknownSession() {
  return refusal('invalid_session', 'This session has ended, or there is none. Sign in again.');
}

/**
 * The workspace that a call means: the one that X-Workspace names, or the only one that the person belongs to. Raises
 * `invalid_request` where they have several, and `role_required` where they have no role in it.
 */
export function workspaceMeant(session: AdmittedSession, named: string | undefined): string {
  const [only, ...others] = session.memberships;
  if (named !== undefined) return decodeId('ws', named) ?? '';
  if (only !== undefined && others.length > 0)
    throw invalidAs('required', 'Name the workspace in the header X-Workspace: you belong to several.', {
      path: 'X-Workspace',
      part: 'header',
    });
  return only?.workspaceId ?? '';
}

/**
 * What a live session makes of its caller on a route, in a workspace. Raises `role_required`, `workspace_suspended` and
 * `recent_sign_in_required`.
 */
export function personCallerOf(
  { now }: Pick<App, 'now'>,
  session: AdmittedSession,
  workspaceId: string,
  access: Access,
): Caller {
  const membership = session.memberships.find((one) => one.workspaceId === workspaceId);
  if (membership === undefined) throw refusal('role_required', 'You have no role in this workspace.');
  if (membership.isSuspended)
    throw refusal('workspace_suspended', 'This workspace is suspended. Ask the operator.');
  if (!permits(membership.role, access))
    throw refusal('role_required', `Your role here is ${membership.role}. Ask an owner of the workspace.`);
  if (wantsRecentSignIn(access)) refuseOldSignIn({ now }, session);
  return describe(session, membership);
}

function describe(
  { secretHash, deviceId }: AdmittedSession,
  { personId, workspaceId, name, role, partnerId }: AdmittedMembership,
): Caller {
  return {
    workspaceId,
    actor: encodeId('person', personId),
    passIds: null,
    key: {
      kind: 'person',
      secretHash,
      name,
      role,
      access: role === 'viewer' ? 'read' : 'full',
      partnerId,
      deviceId,
      rateLimit: null,
    },
  };
}
