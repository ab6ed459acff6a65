import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { forgetAllDue } from './due-web-cards.sql.ts';
import { wakeWebCardsOf } from './web-cards.sql.ts';

/**
 * Has the open and installed web cards, all of one workspace, told that they show something new. True when one is due at
 * once.
 */
export async function wakeWebCards(
  tx: Tx,
  ctx: PublicCtx,
  cards: readonly { workspaceId: string; instanceId: string }[],
): Promise<boolean> {
  return wakeWebCardsOf(tx, cards, ctx.app.now());
}

/** Takes back every push that is due. Who has a card open, or opens it, sees the newest anyway. */
export async function restWebCards(tx: Tx): Promise<void> {
  await forgetAllDue(tx);
}
