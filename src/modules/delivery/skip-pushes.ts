import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { noteDelivery } from '../instances/note-on-timeline.ts';
import { type HeldCard, upsertSkips } from './pushes.sql.ts';

/** Lets changes of installed cards of one workspace wait for credits: a top-up delivers them. */
export async function skipPushes(tx: Tx, ctx: PublicCtx, cards: readonly HeldCard[]): Promise<void> {
  const [first] = cards;
  if (first === undefined) return;
  const instanceIds = cards.map((card) => card.instanceId);
  await Promise.all([
    upsertSkips(tx, first.workspaceId, cards, ctx.app.now()),
    noteDelivery(tx, ctx, first.workspaceId, instanceIds, 'push skipped', { reason: 'insufficient_credits' }),
  ]);
}
