import type { Db } from '../../kit/db/database.ts';
import { findWorkspace } from './workspaces.sql.ts';

/** The IANA name of the time zone in which the workspace counts days and months. */
export async function findTimezone(db: Db, workspaceId: string): Promise<string> {
  const row = await findWorkspace(db, workspaceId);
  if (row === undefined) throw new Error('the workspace of a live key is gone');
  return row.timezone;
}
