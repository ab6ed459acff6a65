import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { wakeObjectsOf } from './objects.sql.ts';

/** Has Google told what the cards, all of one workspace, show now. True when one is due at once. */
export async function wakeObjects(
  tx: Tx,
  ctx: PublicCtx,
  cards: readonly { workspaceId: string; instanceId: string }[],
): Promise<boolean> {
  return wakeObjectsOf(tx, cards, ctx.app.now());
}
