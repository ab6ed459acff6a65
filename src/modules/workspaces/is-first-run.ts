import type { Db } from '../../kit/db/database.ts';
import { anyWorkspaceExists } from './workspaces.sql.ts';

/** Whether the installation has no workspace yet. */
export async function isFirstRun(db: Db): Promise<boolean> {
  return !(await anyWorkspaceExists(db));
}
