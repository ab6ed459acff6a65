import type { Db } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';
import type { InviteRow, InviteStatus } from './invite-row.ts';

/** The columns of InviteRow, of `i`. */
export const inviteColumns = sql`
  i.workspace_id, i.invite_id, i.pass_id, i.sweep_id, i.status, i.email, i.name, i.locale, i.identifier, i.email_hash,
  i.link_secret, i.problem, i.instance_id, i.created_at, i.sent_at, i.accepted_at`;

/** The invitation that an address has had to a pass. */
export async function findInviteOf(
  db: Db,
  { workspaceId, passId }: { readonly workspaceId: string; readonly passId: string },
  emailHash: Buffer,
): Promise<InviteRow | undefined> {
  const { rows } = await sql<InviteRow>`
    select ${inviteColumns}
    from (select * from invites where email_hash = ${emailHash} and workspace_id = ${workspaceId} offset 0) as i
    where i.pass_id = ${passId}
  `.execute(db);
  return rows[0];
}

/** What a link needs of its invitation. */
export interface LinkedInvite extends InviteRow {
  readonly organization: string;
  readonly suspendedAt: Date | null;
  readonly workspaceLocale: string;
  readonly isSuppressed: boolean;
}

/** The invitation that a link names; its secret is still to be compared. */
export async function findLinkedInvite(
  db: Db,
  { workspaceId, inviteId }: { readonly workspaceId: string; readonly inviteId: string },
): Promise<LinkedInvite | undefined> {
  const { rows } = await sql<LinkedInvite>`
    select ${inviteColumns}, w.name as organization, w.suspended_at, w.locale as workspace_locale,
      exists (
        select from suppressions s where s.workspace_id = ${workspaceId} and s.email_hash = i.email_hash
      ) as is_suppressed
    from invites i
    join workspaces w on w.workspace_id = ${workspaceId}
    where i.workspace_id = ${workspaceId} and i.invite_id = ${inviteId}
  `.execute(db);
  return rows[0];
}

/** Newest first. */
export async function listInvites(
  db: Db,
  filter: {
    readonly workspaceId: string;
    readonly passId: string;
    readonly status?: InviteStatus | undefined;
    readonly emailHash?: Buffer | undefined;
  },
  after: string | null,
  take: number,
): Promise<InviteRow[]> {
  // An address is looked up first, whatever the planner knows: it has few invitations, a pass may have very many.
  const { emailHash } = filter;
  const among =
    emailHash === undefined
      ? sql`invites`
      : sql`(select * from invites where workspace_id = ${filter.workspaceId} and email_hash = ${emailHash} offset 0)`;
  const conditions = [
    sql`i.workspace_id = ${filter.workspaceId} and i.pass_id = ${filter.passId}`,
    ...(filter.status === undefined ? [] : [sql`i.status = ${filter.status}`]),
    ...(after === null ? [] : [sql`i.invite_id < ${after}`]),
  ];
  const { rows } = await sql<InviteRow>`
    select ${inviteColumns} from ${among} i
    where ${sql.join(conditions, sql` and `)}
    order by i.invite_id desc
    limit ${take}
  `.execute(db);
  return rows;
}
