import type { PublicCtx } from '../../context.ts';
import type { Condition } from '../../engine/due.sql.ts';
import { dropEnded } from './keep-viewer.ts';
import { isAnyOver, listCardsWithEnded } from './web-cards.sql.ts';

const viewersPerTurn = 200;

/** Whether a browser counts no more. */
export function isWebCardOver({ app }: PublicCtx): Condition {
  return isAnyOver(app.now());
}

/**
 * Stops counting browsers that closed the card while their process could not note it, or have not opened an installed
 * one for long. Each card is a transaction: none waits for another. False when there is nothing more.
 */
export async function expireWebCards(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const at = now();
  const cards = await listCardsWithEnded(database.db, at, viewersPerTurn);
  for (const card of cards) await database.transaction((tx) => dropEnded(tx, ctx, card, at));
  return cards.length > 0;
}
