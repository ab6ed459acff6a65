import type { PublicCtx } from '../../context.ts';
import { byWorkspace } from '../../engine/by-workspace.ts';
import { forgetSecrets, listForgettable } from './stores.sql.ts';
import { deleteWebhooks, findOldWebhooks } from './webhooks.sql.ts';

const keptDays = { webhooks: 30, secrets: 90 };
const rowsPerStep = 2_000;
const dayMs = 24 * 3_600_000;

/**
 * Deletes webhooks that came more than a month ago, and what signs those of stores that were disconnected three months
 * ago. False when there is no more of it.
 */
export async function trimWebhooks(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const ago = (days: number) => new Date(now().getTime() - days * dayMs);
  const forgotten = ago(keptDays.secrets);
  for (const store of await listForgettable(database.db, forgotten))
    await database.transaction((tx) => forgetSecrets(tx, store, forgotten));
  const old = await findOldWebhooks(database.db, ago(keptDays.webhooks), rowsPerStep);
  for (const [workspaceId, webhooks] of byWorkspace(old))
    await database.transaction((tx) => deleteWebhooks(tx, workspaceId, webhooks));
  return old.length === rowsPerStep;
}
