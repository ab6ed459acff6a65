import { type AdmittedSession, listSessionRows } from '../access/sessions.sql.ts';
import type { PublicCtx, SessionCtx } from '../context.ts';
import { answer, emptyAnswer, endpoint } from '../engine/endpoints.ts';
import { pageMade } from '../engine/listing.ts';
import { closed, Id, listOf, listQuery, madeBetween } from '../kit/http/schemas/shapes.ts';
import { listInvitations } from '../people/invitations.sql.ts';
import { createSession as createSessionVerb } from '../sign-in/create-session.ts';
import { acceptInvitation as acceptVerb, leaveWorkspace as leaveVerb } from '../sign-in/join-workspace.ts';
import { confirmOwnAddress as confirmVerb, updateOwnPerson as updateVerb } from '../sign-in/own-person.ts';
import * as shapes from '../sign-in/person.schema.ts';
import { refuseTill } from '../sign-in/refuse-till.ts';
import * as verbs from '../sign-in/sessions.ts';
import { setPassword as setPasswordVerb } from '../sign-in/set-password.ts';
import { waysOf } from '../sign-in/ways-in.ts';

const tag = 'People';

export const createSession = endpoint({
  op: 'createSession',
  tag,
  summary: 'Sign in',
  description:
    'The answer sets a cookie, which counts for requests of our own pages alone, and ends the session that the browser had. Send `X-Workspace` with what is called with it, where you belong to several workspaces.',
  body: shapes.SignIn,
  example: { link: 'https://cards.example.com/sign-in/link_…' },
  answers: { 201: shapes.SignedIn },
  errors: ['invalid_link', 'invalid_credentials', 'invalid_session'],
  async handle(ctx: PublicCtx, { body, headers }) {
    const { session, cookie } = await createSessionVerb(ctx, body, headers);
    return answer(201, await shown(ctx, session), { 'set-cookie': cookie });
  },
});

export const getCurrentSession = endpoint({
  op: 'getCurrentSession',
  tag,
  summary: 'Who is signed in',
  description: 'The person, the workspaces that they belong to, and those that they may join.',
  answers: { 200: shapes.SignedIn },
  handle: async (ctx: SessionCtx) => answer(200, await shown(ctx, ctx.session)),
});

export const endCurrentSession = endpoint({
  op: 'endCurrentSession',
  tag,
  summary: 'Sign out',
  description: 'Ends the session that asks, and takes its cookie away.',
  answers: { 204: null },
  handle: async (ctx: SessionCtx) => answer(204, null, { 'set-cookie': await verbs.endCurrentSession(ctx) }),
});

export const updateOwnPerson = endpoint({
  op: 'updateOwnPerson',
  tag,
  summary: 'Change your own name and address',
  description:
    'Of an owner. `name` counts in the workspaces that you own. A first `email` counts at once, and a link to it proves it where a mail server is set. Another one counts once the link that is mailed to it was followed; without a mail server the operator sets it: `punchcard set-address`. A change asks for a sign-in of the last ten minutes, unless you have no way to sign in yet.',
  body: shapes.OwnChanges,
  example: { name: 'Ada', email: 'ada@example.com' },
  answers: { 200: shapes.OwnPerson },
  errors: ['recent_sign_in_required', 'role_required', 'person_exists'],
  handle: async (ctx: SessionCtx, { body, headers }) =>
    answer(200, await updateVerb(ctx, body, headers['accept-language'])),
});

export const confirmOwnAddress = endpoint({
  op: 'confirmOwnAddress',
  tag,
  summary: 'Prove your address',
  description:
    'With the last part of the link that was mailed to it, once, within 30 minutes, while you are signed in where you have asked for it, or elsewhere.',
  body: shapes.AddressProof,
  example: { token: 'v1.mEYkWBxKkT…' },
  answers: { 204: null },
  errors: ['invalid_link', 'recent_sign_in_required', 'role_required', 'person_exists'],
  handle: async (ctx: SessionCtx, { body, headers }) =>
    emptyAnswer(204, confirmVerb(ctx, body.token, headers['accept-language'])),
});

export const listSessions = endpoint({
  op: 'listSessions',
  tag,
  summary: 'List your sessions',
  description: 'Where you are signed in, newest first.',
  query: listQuery(madeBetween),
  answers: { 200: listOf(shapes.Session) },
  errors: ['role_required'],
  async handle(ctx: SessionCtx, { query }) {
    refuseTill(ctx.session);
    const { personId } = ctx.session;
    const page = pageMade(ctx, `listSessions/${personId}`, query);
    const rows = await listSessionRows(ctx.app.database.db, personId, ctx.app.now(), page);
    const body = page.of(rows, 'sessionId', (row) => shapes.presentSession(row, ctx.session));
    return answer(200, body);
  },
});

export const endSession = endpoint({
  op: 'endSession',
  tag,
  summary: 'End one of your sessions',
  description: 'Every process answers 401 to it within a second.',
  params: closed({ sessionId: Id }),
  answers: { 204: null },
  errors: ['session_not_found', 'role_required'],
  async handle(ctx: SessionCtx, { params }) {
    refuseTill(ctx.session);
    await verbs.endSession(ctx, params.sessionId);
    return answer(204, null);
  },
});

export const acceptInvitation = endpoint({
  op: 'acceptInvitation',
  tag,
  summary: 'Join a workspace that has invited you',
  description: 'GET /sessions/current lists those that have, once you have proved your address.',
  body: shapes.JoinedWorkspace,
  example: { workspaceId: 'ws_6nbjkhmjdk9r7v10' },
  answers: { 204: null },
  errors: ['invitation_not_found', 'role_required'],
  handle: async (ctx: SessionCtx, { body }) => emptyAnswer(204, acceptVerb(ctx, body.workspaceId)),
});

export const leaveWorkspace = endpoint({
  op: 'leaveWorkspace',
  tag,
  summary: 'Leave a workspace, or decline its invitation',
  description: 'Within a second you reach nothing of it. The last owner stays.',
  params: closed({ workspaceId: Id }),
  answers: { 204: null },
  errors: ['invitation_not_found', 'last_owner', 'role_required'],
  handle: async (ctx: SessionCtx, { params }) => emptyAnswer(204, leaveVerb(ctx, params.workspaceId)),
});

export const setPassword = endpoint({
  op: 'setPassword',
  tag,
  summary: 'Set your password',
  description:
    'In the place of the one that you had, within ten minutes of signing in. Your other sessions end. Who has no way to sign in yet may set a first one at any time, and no session ends. At least ten characters; one that is chosen often is refused.',
  body: shapes.NewPassword,
  example: { password: 'correct horse battery' },
  answers: { 204: null },
  errors: ['recent_sign_in_required', 'role_required'],
  handle: async (ctx: SessionCtx, { body, headers }) =>
    emptyAnswer(204, setPasswordVerb(ctx, body.password, headers['accept-language'])),
});

async function shown({ app }: PublicCtx, session: AdmittedSession) {
  // A till is of one workspace.
  const invitations =
    session.deviceId === null ? await listInvitations(app.database.db, session.personId) : [];
  return shapes.presentSignedIn(session, invitations, await waysOf(app.database.db, app, session.personId));
}
