import { deleteSessionsOf } from '../access/sessions.sql.ts';
import type { PublicCtx, SessionCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { refusal } from '../errors.ts';
import type { Tx } from '../kit/db/database.ts';
import { decodeId, encodeId } from '../kit/ids.ts';
import { type InvitationRow, joinAs, listInvitations } from '../people/invitations.sql.ts';
import { deletePasskeysOf } from '../people/passkeys.sql.ts';
import {
  findMember,
  listByAddress,
  listMembershipsOf,
  proveAddress,
  type SignInLink,
} from '../people/people.sql.ts';
import { lockWorkspaceRow } from '../workspaces/workspaces.sql.ts';
import { refuseIfLastOwner, takeOut } from './people.ts';
import { refuseTill } from './refuse-till.ts';

/**
 * The account that a link or the provider signs in; a proved address has one account. A link that a workspace
 * has sent joins that workspace. What the person has asked for joins a first workspace if only one has invited them; of
 * several they choose.
 */
export async function arrive(
  tx: Tx,
  ctx: PublicCtx,
  { personId, proves, asked }: Pick<SignInLink, 'personId' | 'proves' | 'asked'>,
): Promise<string> {
  const account = proves === null ? personId : await noteProof(tx, personId, proves);
  const invitations = await listInvitations(tx, account);
  const isNew = (await listMembershipsOf(tx, [account])).every(({ pending }) => pending);
  const joined = asked
    ? invitations.filter(() => isNew && invitations.length === 1)
    : invitations.filter(({ madeId }) => madeId === personId);
  for (const invitation of joined) await join(tx, ctx, account, invitation);
  return account;
}

/** Proves the address. Earlier credentials may belong to someone else, so they are revoked. */
async function noteProof(tx: Tx, personId: string, email: string): Promise<string> {
  if (!(await proveAddress(tx, personId))) return (await listByAddress(tx, email))[0]?.personId ?? personId;
  await deleteSessionsOf(tx, personId);
  await deletePasskeysOf(tx, personId);
  return personId;
}

/** False where the account has joined the workspace already. */
async function join(tx: Tx, ctx: PublicCtx, account: string, invitation: InvitationRow): Promise<boolean> {
  if (!(await joinAs(tx, invitation, account))) return false;
  const { workspaceId, personId } = invitation;
  const actor = encodeId('person', personId);
  audit(tx, ctx, { workspaceId, actor, action: 'acceptInvitation', target: actor });
  return true;
}

/** Makes the caller a member of a workspace that has invited them. Raises `invitation_not_found`, and `role_required` at a till. */
export async function acceptInvitation(ctx: SessionCtx, publicId: string): Promise<void> {
  const { app, session } = ctx;
  refuseTill(session);
  await app.database.transaction(async (tx) => {
    const invitation = await findInvitation(tx, session.personId, publicId);
    if (invitation === undefined || !(await join(tx, ctx, session.personId, invitation)))
      throw refusal('invitation_not_found', 'No workspace with this id has invited you.');
  });
  app.sessionCache.clear();
}

/**
 * Takes the caller out of a workspace, or declines its invitation. Raises `invitation_not_found`, `last_owner`, and
 * `role_required` at a till.
 */
export async function leaveWorkspace(ctx: SessionCtx, publicId: string): Promise<void> {
  const { app, session } = ctx;
  refuseTill(session);
  await app.database.transaction(async (tx) => {
    const workspaceId = decodeId('ws', publicId) ?? '';
    const known =
      session.memberships.find((one) => one.workspaceId === workspaceId) ??
      (await findInvitation(tx, session.personId, publicId));
    if (known !== undefined) await lockWorkspaceRow(tx, workspaceId);
    const member = known && (await findMember(tx, workspaceId, known.personId));
    if (member === undefined)
      throw refusal(
        'invitation_not_found',
        'You belong to no workspace with this id, and none has invited you.',
      );
    await refuseIfLastOwner(tx, member);
    await takeOut(tx, member);
    const actor = encodeId('person', member.personId);
    const { name, role } = member;
    audit(tx, ctx, {
      workspaceId,
      actor,
      action: 'leaveWorkspace',
      target: actor,
      detail: { before: { name, role } },
    });
  });
  app.sessionCache.clear();
}

async function findInvitation(tx: Tx, account: string, publicId: string): Promise<InvitationRow | undefined> {
  const workspaceId = decodeId('ws', publicId);
  return (await listInvitations(tx, account)).find((one) => one.workspaceId === workspaceId);
}
