import type { Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import type { InviteRow } from './invite-row.ts';
import { inviteColumns } from './invites.sql.ts';

/** Which people: those who fit any of what is given. */
export interface InviteeNames {
  /** Invited for this store under this identifier. */
  readonly storeId?: string;
  readonly identifier?: string | null;
  readonly emailHash?: Buffer | null;
  /** Only those who were invited to this pass under that address. */
  readonly passId?: string;
  /** The holder of this card, which was made of an invitation. */
  readonly instanceId?: string;
}

/** An invitation whose person was forgotten. */
export interface ForgottenInvite extends InviteRow {
  /** Claims whose kept answers still name the person. */
  readonly claims: readonly { readonly operation: string; readonly key: string }[];
}

/** Its claims as they are stored. */
interface WipedInvite extends InviteRow {
  readonly claims: readonly { readonly op: string; readonly key: string }[];
}

/** Deletes the contact, so that waiting mails are no longer sent. A mail that is being sent now is still sent. */
const wipeIn = (workspaceId: string) => sql`
  update invites i
  set email = null, name = null, locale = null, identifier = null, claims = '[]',
    status = case when i.status = 'queued' then 'suppressed' else i.status end,
    due_at = case when i.status = 'queued' then null else i.due_at end,
    problem = case when i.status = 'queued' then null else i.problem end
  from found f
  where i.workspace_id = ${workspaceId} and i.invite_id = f.invite_id
  returning ${inviteColumns}, f.known_claims as claims`;

/** Wipes the contact of the people behind invitations, of whatever pass. */
export async function forgetContacts(
  tx: Tx,
  workspaceId: string,
  { storeId, identifier, emailHash, passId, instanceId }: InviteeNames,
): Promise<ForgottenInvite[]> {
  const matches = [
    ...(storeId === undefined || identifier == null
      ? []
      : [sql`store_id = ${storeId} and identifier = ${identifier} and email is not null`]),
    ...(emailHash == null
      ? []
      : [sql`email_hash = ${emailHash}${passId === undefined ? sql`` : sql` and pass_id = ${passId}`}`]),
    ...(instanceId === undefined ? [] : [sql`instance_id = ${instanceId}`]),
  ];
  if (matches.length === 0) return [];
  const { rows } = await sql<WipedInvite>`
    with found as materialized (
      select invite_id, claims as known_claims from invites
      where workspace_id = ${workspaceId} and (${sql.join(matches, sql` or `)})
      order by invite_id
      for no key update
    )
    ${wipeIn(workspaceId)}
  `.execute(tx);
  return rows.map(forgotten);
}

/** The same for those whom a store has invited, so many at a time; who was forgotten is passed over. */
export async function forgetContactsOfStore(
  tx: Tx,
  workspaceId: string,
  { storeId, before }: { readonly storeId: string; readonly before: Date | null },
  most: number,
): Promise<ForgottenInvite[]> {
  const { rows } = await sql<WipedInvite>`
    with found as materialized (
      select invite_id, claims as known_claims from invites
      where workspace_id = ${workspaceId} and store_id = ${storeId} and email is not null
        and (${before}::timestamptz is null or created_at < ${before})
      order by identifier
      limit ${most}
      for no key update
    )
    ${wipeIn(workspaceId)}
  `.execute(tx);
  return rows.map(forgotten);
}

/** Cancels the waiting mails to an address, and deletes the contact. */
export async function stopInvitesTo(tx: Tx, workspaceId: string, emailHash: Buffer): Promise<void> {
  await sql`
    update invites
    set status = 'suppressed', due_at = null, problem = null, email = null, name = null, locale = null, identifier = null
    where workspace_id = ${workspaceId} and email_hash = ${emailHash} and status = 'queued'
  `.execute(tx);
}

function forgotten(invite: WipedInvite): ForgottenInvite {
  return { ...invite, claims: invite.claims.map(({ op: operation, key }) => ({ operation, key })) };
}
