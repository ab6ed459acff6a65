import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import type { Role } from './roles.ts';

/** A workspace that has invited a person who has not joined it yet. */
export interface InvitationRow {
  readonly workspaceId: string;
  readonly workspaceName: string;
  /** What the workspace knows the person by. */
  readonly personId: string;
  /** Who it is until the account joins: the person whom the workspace has made. */
  readonly madeId: string;
  readonly role: Role;
  readonly createdAt: Date;
}

/**
 * The workspaces that an account may join, newest first: the one that has made it, and once its address is proved all that
 * have invited that address.
 */
export function listInvitations(db: Db, accountId: string): Promise<InvitationRow[]> {
  return prepared<InvitationRow>`
    select m.workspace_id, w.name as workspace_name, m.person_id, one.person_id as made_id, m.role, m.created_at
    from (
      select person_id, true as is_own from people where person_id = ${accountId}
      union all
      select p.person_id, false from people a join people p on p.email = a.email and p.home_id is not null
      where a.person_id = ${accountId} and a.home_id is null
    ) one
    join memberships m on coalesce(m.account_id, m.person_id) = one.person_id and (m.pending or not one.is_own)
    join workspaces w on w.workspace_id = m.workspace_id
    order by m.created_at desc, m.workspace_id
    limit 100
  `.rows(db);
}

/**
 * The account joins the workspace that knows it by this id, in the place of the person whom the workspace has made, with
 * their sessions, links and passkeys. False where another call was quicker, or the account has joined already.
 */
export async function joinAs(
  tx: Tx,
  { workspaceId, personId }: Pick<InvitationRow, 'workspaceId' | 'personId'>,
  accountId: string,
): Promise<boolean> {
  const { rows } = await sql<{ made: string }>`
    update memberships m set account_id = ${accountId}, pending = false
    from memberships old
    where m.workspace_id = ${workspaceId} and m.person_id = ${personId}
      and old.workspace_id = m.workspace_id and old.person_id = m.person_id
      and (m.pending or coalesce(m.account_id, m.person_id) <> ${accountId})
      and not exists (
        select from memberships o where o.workspace_id = ${workspaceId} and not o.pending
          and coalesce(o.account_id, o.person_id) = ${accountId}
      )
    returning coalesce(old.account_id, old.person_id) as made
  `.execute(tx);
  const made = rows[0]?.made;
  if (made === undefined) return false;
  await sql`
    delete from people where person_id = ${made} and person_id <> ${accountId} and home_id is not null
  `.execute(tx);
  return true;
}
