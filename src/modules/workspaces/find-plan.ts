import type { Db } from '../../kit/db/database.ts';
import { findWorkspace } from './workspaces.sql.ts';

/** The plan of a workspace at this moment; `holdWorkspace` keeps it from changing. */
export async function findPlan(db: Db, workspaceId: string): Promise<string> {
  const row = await findWorkspace(db, workspaceId);
  if (row === undefined) throw new Error('the workspace of a live key is gone');
  return row.plan;
}
