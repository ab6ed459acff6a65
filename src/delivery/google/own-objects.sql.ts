import type { CardKey } from '../../engine/card-key.ts';
import type { DueScan } from '../../engine/due.sql.ts';
import type { Db } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';

/** Workspaces in which an object of an issuer of their own is due. Walks from workspace to workspace. */
export function listOwnersDue(db: Db, { now, within, most }: DueScan): Promise<{ workspaceId: string }[]> {
  return sql<{ workspaceId: string }>`
    with recursive owners as (
      (
        select workspace_id from google_objects
        where ${within} and due_at is not null and is_own
        order by workspace_id limit 1
      )
      union all
      select n.workspace_id
      from owners o
      cross join lateral (
        select g.workspace_id from google_objects g
        where ${within} and g.due_at is not null and g.is_own and g.workspace_id > o.workspace_id
        order by g.workspace_id limit 1
      ) as n
    )
    select o.workspace_id
    from owners o
    cross join lateral (
      select from google_objects g
      where ${within} and g.workspace_id = o.workspace_id and g.is_own and g.due_at <= ${now}
      limit 1
    ) as due
    limit ${most}
  `.rows(db);
}

/** The objects of a workspace's own issuers that are due, the longest due first. */
export function findOwnDue(
  db: Db,
  workspaceId: string,
  { now, most }: { readonly now: Date; readonly most: number },
): Promise<CardKey[]> {
  return sql<CardKey>`
    select workspace_id, instance_id from google_objects
    where workspace_id = ${workspaceId} and is_own and due_at <= ${now}
    -- As the index of a workspace has them: that of all workspaces passes over those of the others.
    order by due_at, instance_id limit ${most}
  `.rows(db);
}

/** Accounts of workspaces that another took the place of, and that no card is of. */
export function listIdleAccounts(db: Db, before: Date, most: number) {
  return sql<{ workspaceId: string; issuerId: string }>`
    select i.workspace_id, i.issuer_id from google_identities i
    where i.retired_at <= ${before} and not exists (
      select from google_objects o where o.issuer_id = i.issuer_id and o.workspace_id = i.workspace_id
    )
    order by i.retired_at limit ${most}
  `.rows(db);
}
