import type { PublicCtx } from '../context.ts';
import { readByWorkspace } from '../engine/by-workspace.ts';
import type { CardKey } from '../engine/card-key.ts';
import type { PassKey } from '../passes/pass-row.ts';
import { type CardRow, findNewCard, listCards } from './card.sql.ts';
import { cardView } from './card-view.ts';
import type { CardView } from './page.ts';

export type { CardRow };

/** What a card shows, and which one it is. */
export interface ReadCard {
  readonly workspaceId: string;
  readonly instanceId: string;
  readonly view: CardView;
}

/** Cards as they are now, in no order; those that were erased are left out. */
export async function readCards(ctx: PublicCtx, cards: readonly CardKey[]): Promise<ReadCard[]> {
  const rows = await readCardRows(ctx, cards);
  return rows
    .filter(({ erasedAt }) => erasedAt === null)
    .map((row) => ({
      workspaceId: row.workspaceId,
      instanceId: row.instanceId,
      view: cardView(ctx, row),
    }));
}

/** Cards as they are now, in no order, erased ones too: wallets that hold those are to show that they are void. */
export async function readCardRows(ctx: PublicCtx, cards: readonly CardKey[]): Promise<CardRow[]> {
  return readByWorkspace(ctx.app.database.db, cards, (db, workspaceId, its) => {
    const instanceIds = its.map(({ instanceId }) => instanceId);
    return listCards(db, workspaceId, instanceIds);
  });
}

/** What a card of a pass would show that was issued now: the values that all begin with, and no barcode of its own. */
export async function readNewCard(ctx: PublicCtx, pass: PassKey): Promise<CardRow | undefined> {
  return findNewCard(ctx.app.database.db, pass, ctx.app.now());
}
