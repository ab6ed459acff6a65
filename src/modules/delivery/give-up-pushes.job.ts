import type { PublicCtx } from '../../context.ts';
import { byWorkspace } from '../../engine/by-workspace.ts';
import type { Condition } from '../../engine/due.sql.ts';
import { isAnyStale, listStale, walletNames } from './pushes.sql.ts';
import { settlePushes } from './settle-pushes.ts';

/** Pushes that no wallet has taken for so long have failed: their credits come back. */
const patienceMs = 7 * 86_400_000;
const cardsPerStep = 500;

/** Whether anything has waited for a week. */
export function isPushStale(ctx: PublicCtx): Condition {
  return isAnyStale(weekAgo(ctx));
}

/** Gives up what has waited for a week, workspace by workspace and wallet by wallet. False when nothing has. */
export async function giveUpPushes(ctx: PublicCtx): Promise<boolean> {
  const { database } = ctx.app;
  const before = weekAgo(ctx);
  const stale = await listStale(database.db, before, cardsPerStep);
  for (const [, pushes] of byWorkspace(stale)) {
    for (const wallet of walletNames) {
      const cards = pushes.filter((push) => push[wallet]);
      await database.transaction((tx) =>
        settlePushes(tx, ctx, { wallet, cards, failure: 'timeout', before }),
      );
    }
  }
  return stale.length === cardsPerStep;
}

function weekAgo({ app }: PublicCtx): Date {
  return new Date(app.now().getTime() - patienceMs);
}
