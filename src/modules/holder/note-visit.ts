import type { PublicCtx } from '../../context.ts';
import { noteOnTimeline } from '../instances/note-on-timeline.ts';
import type { CardRow } from './card.sql.ts';

/** Notes on the card's timeline that its holder came by. A failure is logged and never spoils the visit. */
export async function noteVisit(
  ctx: PublicCtx,
  card: CardRow,
  kind: 'link opened' | 'fetched',
): Promise<void> {
  try {
    await ctx.app.database.transaction((tx) => noteOnTimeline(tx, ctx, card, kind));
  } catch (error) {
    ctx.app.log.warn({ requestId: ctx.requestId, err: error }, 'the visit was not noted');
  }
}
