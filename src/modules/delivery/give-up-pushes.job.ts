import type { PublicCtx } from '../../context.ts';
import { listStale, walletNames } from './pushes.sql.ts';
import { settlePushes } from './settle-pushes.ts';

/** Pushes that no wallet has taken for so long have failed: their credits come back. */
const patienceMs = 7 * 86_400_000;
const cardsPerStep = 500;

/** Gives up what has waited for a week, wallet by wallet. False when nothing has. */
export async function giveUpPushes(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const before = new Date(now().getTime() - patienceMs);
  const stale = await listStale(database.db, before, cardsPerStep);
  for (const wallet of walletNames) {
    const cards = stale.filter((push) => push[wallet]);
    await database.transaction((tx) => settlePushes(tx, ctx, { wallet, cards, failure: 'timeout', before }));
  }
  return stale.length === cardsPerStep;
}
