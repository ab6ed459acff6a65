import type { PublicCtx } from '../../context.ts';
import { forgetSecrets } from './stores.sql.ts';
import { deleteOldWebhooks } from './webhooks.sql.ts';

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
  const deleted = await database.transaction(async (tx) => {
    await forgetSecrets(tx, ago(keptDays.secrets));
    return deleteOldWebhooks(tx, ago(keptDays.webhooks), rowsPerStep);
  });
  return deleted === rowsPerStep;
}
