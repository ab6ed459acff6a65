import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { wakeObjectsOf } from './objects.sql.ts';

/** Has Google told what the cards show now. */
export async function wakeObjects(
  tx: Tx,
  ctx: PublicCtx,
  cards: readonly { workspaceId: string; instanceId: string }[],
): Promise<void> {
  if (cards.length > 0) await wakeObjectsOf(tx, cards, ctx.app.now());
}
