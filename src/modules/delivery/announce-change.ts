import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { type AnnouncedCard, announcements } from './announcements.ts';
import type { PushOutcome } from './push-outcome.ts';
import { findPush, forgetRepaid } from './pushes.sql.ts';

/** Announces a single change, as the last step of the transaction that makes it. The caller holds the card. */
export async function announceChange(
  tx: Tx,
  ctx: PublicCtx,
  card: AnnouncedCard,
  shown: boolean,
): Promise<PushOutcome> {
  const changes = announcements(tx, ctx, card.workspaceId);
  const outcome = await changes.add(card, shown);
  await changes.settle();
  return outcome;
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
  const changes = announcements(tx, ctx, card.workspaceId);
  const outcome = await changes.deliver(card);
  await changes.settle();
  return outcome;
}
