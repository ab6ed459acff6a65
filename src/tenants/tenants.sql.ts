import type { Db } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import type { WorkspaceRow } from '../workspaces/workspaces.sql.ts';

/** A workspace with the figures that its answers show. */
export interface TenantRow extends WorkspaceRow {
  readonly drafts: number;
}

export async function findTenant(db: Db, workspaceId: string): Promise<TenantRow | undefined> {
  const { rows } = await prepared<TenantRow>`
    select w.*, a.balance as credits, (
      select count(*)::int from passes p where p.workspace_id = ${workspaceId} and p.status = 'draft'
    ) as drafts
    from workspaces w
    join credit_accounts a on a.workspace_id = ${workspaceId}
    where w.workspace_id = ${workspaceId}
  `.execute(db);
  return rows[0];
}

/** The same, once for all who ask for it together. */
export async function findTenantForAll(
  db: Db,
  workspaceId: string,
  callers: readonly null[],
): Promise<(TenantRow | undefined)[]> {
  const row = await findTenant(db, workspaceId);
  return callers.map(() => row);
}

/** Newest first. */
export async function listTenants(db: Db, after: string | null, take: number): Promise<TenantRow[]> {
  const { rows } = await sql<{ workspaceId: string }>`
    select workspace_id from workspaces
    where ${after}::uuid is null or workspace_id < ${after}
    order by workspace_id desc
    limit ${take}
  `.execute(db);
  const found = await Promise.all(rows.map(({ workspaceId }) => findTenant(db, workspaceId)));
  return found.filter((row) => row !== undefined);
}
