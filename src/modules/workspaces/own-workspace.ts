import type { ActorCtx, KeyCtx } from '../../context.ts';
import type { Db } from '../../kit/db/database.ts';
import { findWorkspace, findWorkspaces, type WorkspaceRow } from './workspaces.sql.ts';

/** The caller's workspace at this moment; `holdWorkspace` keeps it from changing. */
export async function ownWorkspace(
  db: Db,
  { workspaceId }: Pick<ActorCtx, 'workspaceId'>,
): Promise<WorkspaceRow> {
  return present(await findWorkspace(db, workspaceId));
}

/** The same, in a query that callers who come together share. */
export async function readOwnWorkspace({ app, workspaceId }: KeyCtx): Promise<WorkspaceRow> {
  return present(await app.groupCommit.read(findWorkspaces, 'all', workspaceId));
}

function present(row: WorkspaceRow | undefined): WorkspaceRow {
  if (row === undefined) throw new Error('the workspace of a live key is gone');
  return row;
}
