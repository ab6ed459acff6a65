import type { PublicCtx } from '../../context.ts';
import { listCards } from './card.sql.ts';
import { cardView } from './card-view.ts';
import type { CardView } from './page.ts';

/** What a card shows, and which one it is. */
export interface ReadCard {
  readonly workspaceId: string;
  readonly instanceId: string;
  readonly view: CardView;
}

/** Cards as they are now, in no order; those that were erased are left out. */
export async function readCards(
  ctx: PublicCtx,
  cards: readonly { readonly workspaceId: string; readonly instanceId: string }[],
): Promise<ReadCard[]> {
  const rows = await listCards(ctx.app.database.db, cards);
  return rows.map((row) => ({
    workspaceId: row.workspaceId,
    instanceId: row.instanceId,
    view: cardView(ctx, row),
  }));
}
