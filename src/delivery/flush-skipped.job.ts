import { lockCards, readSkipped } from '../cards/wallets.sql.ts';
import type { PublicCtx } from '../context.ts';
import {
  commonCause,
  endFlush,
  freeCredits,
  keepFlush,
  noCause,
  reserveCredits,
  takeNextFlush,
} from '../credits/credits.ts';
import { pushCards } from '../pushes/announce-change.ts';
import { dropSkips, type LockedCard, listSkipped } from '../pushes/pushes.sql.ts';

const cardsPerStep = 500;

/**
 * After a top-up: pays for pushes that were skipped, the oldest first, as far as the credits reach. One step a turn.
 * False when there is nothing to pay for.
 */
export async function flushSkipped(ctx: PublicCtx): Promise<boolean> {
  const flush = await takeNextFlush(ctx);
  if (flush === undefined) return false;
  const { workspaceId } = flush;
  return ctx.app.database.transaction(async (tx) => {
    if (!(await keepFlush(tx, flush))) return false;
    const oldest = await listSkipped(tx, workspaceId, cardsPerStep);
    await lockCards(tx, workspaceId, oldest);
    // Read again: the transaction that was waited for may have pushed the card.
    const cards = await readSkipped(tx, workspaceId, oldest);
    const [installed, removed] = [cards.filter(isInstalled), cards.filter((card) => !isInstalled(card))];
    const reached = installed.slice(0, await freeCredits(tx, workspaceId));
    // A wallet that adds such a card again gets the newest state.
    await dropSkips(
      tx,
      workspaceId,
      removed.map((card) => card.instanceId),
    );
    const pushed = reached.map((card) => ({ ...card, requestId: card.requestId ?? ctx.requestId }));
    await pushCards(tx, ctx, pushed, { repaid: true });
    const isLast = oldest.length < cardsPerStep || reached.length < installed.length;
    if (isLast) await endFlush(tx, workspaceId);
    const causes = pushed.map(({ instanceId, requestId }) => ({ ...noCause, instanceId, requestId }));
    await reserveCredits(tx, ctx, workspaceId, reached.length, commonCause(causes));
    return true;
  });
}

function isInstalled(card: LockedCard): boolean {
  return card.appleWallets + card.googleWallets + card.webWallets > 0;
}
