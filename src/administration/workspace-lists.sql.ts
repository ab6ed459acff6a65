import type { Page } from '../engine/page.ts';
import type { Db } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import type { WorkspaceRow } from '../workspaces/workspaces.sql.ts';

/** A workspace with the figures that its answers show. */
export interface WorkspaceWithFigures extends WorkspaceRow {
  readonly drafts: number;
}

export function findWithFigures(db: Db, workspaceId: string): Promise<WorkspaceWithFigures | undefined> {
  return prepared<WorkspaceWithFigures>`
    select w.*, a.balance as credits, (
      select count(*)::int from passes p where p.workspace_id = ${workspaceId} and p.status = 'draft'
    ) as drafts
    from workspaces w
    join credit_accounts a on a.workspace_id = ${workspaceId}
    where w.workspace_id = ${workspaceId}
  `.first(db);
}

/** The same, once for all who ask for it together. */
export async function findWithFiguresForAll(
  db: Db,
  workspaceId: string,
  callers: readonly null[],
): Promise<(WorkspaceWithFigures | undefined)[]> {
  const row = await findWithFigures(db, workspaceId);
  return callers.map(() => row);
}

/** Newest first. */
export async function listWithFigures(db: Db, { after, take }: Page): Promise<WorkspaceWithFigures[]> {
  const { rows } = await sql<{ workspaceId: string }>`
    select workspace_id from workspaces
    where ${after}::uuid is null or workspace_id < ${after}
    order by workspace_id desc
    limit ${take}
  `.execute(db);
  const found = await Promise.all(rows.map(({ workspaceId }) => findWithFigures(db, workspaceId)));
  return found.filter((row) => row !== undefined);
}
