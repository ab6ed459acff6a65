import type { ActorCtx } from '../../context.ts';
import type { Db } from '../../kit/db/database.ts';
import { findWorkspace, type WorkspaceRow } from './workspaces.sql.ts';

/** The caller's workspace at this moment; `holdWorkspace` keeps it from changing. */
export async function ownWorkspace(
  db: Db,
  { workspaceId }: Pick<ActorCtx, 'workspaceId'>,
): Promise<WorkspaceRow> {
  const row = await findWorkspace(db, workspaceId);
  if (row === undefined) throw new Error('the workspace of a live key is gone');
  return row;
}
