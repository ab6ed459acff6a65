import type { ActorCtx } from '../../context.ts';
import type { Db } from '../../kit/db/database.ts';
import { readLinkSecrets } from './find-links.sql.ts';
import { linksTo } from './instance.schema.ts';

/** The links of cards, by instance. */
export async function linksOf(
  db: Db,
  { app, workspaceId }: ActorCtx,
  instanceIds: readonly string[],
): Promise<Map<string, ReturnType<typeof linksTo>>> {
  const rows = await readLinkSecrets(db, workspaceId, instanceIds);
  return new Map(rows.map((row) => [row.instanceId, linksTo(app.config.publicUrl, row)]));
}
