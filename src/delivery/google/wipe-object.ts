import type { PublicCtx } from '../../context.ts';
import type { CardKey } from '../../engine/card-key.ts';
import { wakeAfter } from '../../engine/wake-after.ts';
import type { Tx } from '../../kit/db/database.ts';
import { wakeObjectOf } from './objects.sql.ts';

/**
 * Has Google forget the person behind an erased card: whether a holder keeps it or not, and whether there are credits or
 * not. The caller holds the card.
 */
export async function wipeObject(tx: Tx, ctx: PublicCtx, card: CardKey): Promise<void> {
  wakeAfter(tx, ctx, card.workspaceId, ...(await wakeObjectOf(tx, card, ctx.app.now())));
}
