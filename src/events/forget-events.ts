import type { PublicCtx } from '../context.ts';
import type { CardKey } from '../engine/card-key.ts';
import type { Tx } from '../kit/db/database.ts';
import { emptyEvents } from './event-log.sql.ts';
import { followInTransaction } from './follow-log.ts';

/**
 * Removes a card's data from its events in the log, once they are counted and sent to webhooks. The caller has locked the
 * card, so that none comes in between.
 */
export async function forgetEvents(tx: Tx, ctx: PublicCtx, card: CardKey): Promise<void> {
  await followInTransaction(tx, ctx, card.workspaceId);
  await emptyEvents(tx, card);
}
