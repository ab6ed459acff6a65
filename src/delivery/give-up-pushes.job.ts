import type { PublicCtx } from '../context.ts';
import { byWorkspace } from '../engine/by-workspace.ts';
import type { DueWork } from '../engine/due.sql.ts';
import { findDueRows } from '../engine/due-workspaces.ts';
import { listStale, stalePushes, walletNames } from '../pushes/pushes.sql.ts';
import { recordPushOutcomes } from '../pushes/record-push-outcomes.ts';

const cardsPerStep = 500;

/** The pushes that have failed. */
export function pushesStale(): DueWork {
  return { queues: [stalePushes] };
}

/** Gives up what has waited for a week, workspace by workspace and wallet by wallet: its credits come back. False when nothing has. */
export async function giveUpPushes(ctx: PublicCtx): Promise<boolean> {
  const { database } = ctx.app;
  const now = ctx.app.now();
  const before = new Date(now.getTime() - stalePushes.lateMs);
  const stale = await findDueRows(ctx.app, 'giveUpPushes', { now, most: cardsPerStep }, (within, most) =>
    listStale(database.db, { now, within, most }),
  );
  for (const [, pushes] of byWorkspace(stale)) {
    for (const wallet of walletNames) {
      const cards = pushes.filter((push) => push[wallet]);
      await database.transaction((tx) =>
        recordPushOutcomes(tx, ctx, { wallet, cards, failure: 'timeout', before }),
      );
    }
  }
  return stale.length === cardsPerStep;
}
