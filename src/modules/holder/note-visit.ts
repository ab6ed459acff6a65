import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { noteOnTimeline } from '../instances/note-on-timeline.ts';
import { lastModified } from '../instances/shown-now.ts';
import { type CardRow, keepServed } from './card.sql.ts';

/** Notes on the card's timeline that its holder opened the link. */
export async function noteVisit(ctx: PublicCtx, card: CardRow): Promise<void> {
  await quietly(ctx, (tx) => noteOnTimeline(tx, ctx, card, 'link opened'));
}

/**
 * Notes that this state of the card was handed out as a pass file: a device that registers later, when the card has
 * changed, is told.
 */
export async function noteFetched(ctx: PublicCtx, card: CardRow): Promise<void> {
  const served = lastModified(card);
  await quietly(ctx, async (tx) => {
    if (card.servedModifiedAt?.getTime() !== served.getTime()) await keepServed(tx, card, served);
    await noteOnTimeline(tx, ctx, card, 'fetched');
  });
}

/** A failure is logged and never spoils the visit. */
async function quietly(ctx: PublicCtx, note: (tx: Tx) => Promise<void>): Promise<void> {
  try {
    await ctx.app.database.transaction(note);
  } catch (error) {
    ctx.app.log.warn({ requestId: ctx.requestId, err: error }, 'the visit was not noted');
  }
}
