import type { Tx } from '../../kit/db/database.ts';
import { anyWorkspaceExists, lockInstallation } from './workspaces.sql.ts';

/** Whether the installation has no workspace yet. Of several processes that ask at once, one is told yes. */
export async function isFirstRun(tx: Tx): Promise<boolean> {
  await lockInstallation(tx);
  return !(await anyWorkspaceExists(tx));
}
