import type { PublicCtx } from '../../context.ts';
import type { DueWork } from '../../engine/due.sql.ts';
import { findDueRows } from '../../engine/due-workspaces.ts';
import { dropEnded } from './keep-viewer.ts';
import { endedViewers, listCardsWithEnded } from './web-cards.sql.ts';

const viewersPerTurn = 200;

/** The browsers that count no more. */
export function viewersOver(): DueWork {
  return { queues: [endedViewers] };
}

/**
 * Stops counting browsers that closed the card while their process could not note it, or have not opened an installed
 * one for long. Each card is a transaction: none waits for another. False when there is nothing more.
 */
export async function expireWebCards(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const at = now();
  const asked = { now: at, most: viewersPerTurn };
  const cards = await findDueRows(ctx.app, 'expireWebCards', asked, (within, most) =>
    listCardsWithEnded(database.db, { now: at, within, most }),
  );
  for (const card of cards) await database.transaction((tx) => dropEnded(tx, ctx, card, at));
  return cards.length > 0;
}
