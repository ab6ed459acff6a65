import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { freeCredits, reserveCredits } from '../credits/hold-credits.ts';
import { pushCards } from './push-cards.ts';
import type { PushOutcome, PushSkipReason } from './push-outcome.ts';
import { findPush, forgetRepaid, type HeldCard } from './pushes.sql.ts';
import { skipPushes } from './skip-pushes.ts';

/** How many wallets hold the card, before the change. */
export interface AnnouncedCard extends HeldCard {
  readonly installed: boolean;
}

/**
 * Decides what becomes of a change, in the transaction that makes it and as its last step: one credit, reserved here,
 * puts the card's newest state on its way. `shown` says whether anything that the card shows has changed. A caller
 * that re-sends an update whose push was skipped gets it delivered now, or for nothing where a top-up has paid for it.
 * The caller holds the card.
 */
export async function announceChange(
  tx: Tx,
  ctx: PublicCtx,
  card: AnnouncedCard,
  shown: boolean,
): Promise<PushOutcome> {
  if (!shown) {
    const earlier = await findPush(tx, card);
    if (earlier?.repaid === true) {
      await forgetRepaid(tx, card);
      return { pushed: true };
    }
    if (earlier === undefined || earlier.skippedAt === null) return skipped('unchanged');
  }
  return deliver(tx, ctx, card);
}

/**
 * Delivers the newest state of a card that has not changed. It costs a credit, unless the newest state is on its way
 * already or a top-up has paid for it.
 */
export async function announceAgain(tx: Tx, ctx: PublicCtx, card: AnnouncedCard): Promise<PushOutcome> {
  const earlier = await findPush(tx, card);
  if (earlier?.repaid === true) await forgetRepaid(tx, card);
  if (earlier?.repaid === true || (earlier?.underWay === true && earlier.skippedAt === null))
    return { pushed: true };
  return deliver(tx, ctx, card);
}

async function deliver(tx: Tx, ctx: PublicCtx, card: AnnouncedCard): Promise<PushOutcome> {
  const hasCredits = (await freeCredits(tx, card.workspaceId)) > 0;
  if (!hasCredits) {
    // Without a wallet there is nothing to make up for later: whoever adds the card gets the newest.
    if (card.installed) await skipPushes(tx, ctx, [card]);
    return skipped('insufficient_credits');
  }
  if (!card.installed) return skipped('not_installed');
  await pushCards(tx, ctx, [card], { credits: 1 });
  await reserveCredits(tx, ctx, card.workspaceId, 1);
  return { pushed: true };
}

function skipped(pushSkipReason: PushSkipReason): PushOutcome {
  return { pushed: false, pushSkipReason };
}
