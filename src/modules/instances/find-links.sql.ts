import type { Db } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';
import type { LinkTarget } from './link-token.ts';

/** What the links of cards are made of. */
export async function readLinkSecrets(
  db: Db,
  workspaceId: string,
  instanceIds: readonly string[],
): Promise<LinkTarget[]> {
  if (instanceIds.length === 0) return [];
  const { rows } = await sql<LinkTarget>`
    select workspace_id, instance_id, link_secret from instances
    where workspace_id = ${workspaceId} and instance_id = any(${instanceIds}::uuid[])
  `.execute(db);
  return rows;
}
