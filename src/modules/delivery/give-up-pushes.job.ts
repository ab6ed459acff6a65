import type { PublicCtx } from '../../context.ts';
import { listStale, type WalletName } from './pushes.sql.ts';
import { settlePushes } from './settle-pushes.ts';

/** Pushes that no wallet has taken for so long have failed: their credits come back. */
const patienceMs = 7 * 86_400_000;
const cardsPerStep = 500;
const wallets: readonly WalletName[] = ['apple', 'google', 'web'];

/** Gives up what has waited for a week. False when nothing has. */
export async function giveUpPushes(ctx: PublicCtx): Promise<boolean> {
  return ctx.app.database.transaction(async (tx) => {
    const since = new Date(ctx.app.now().getTime() - patienceMs);
    const stale = await listStale(tx, since, cardsPerStep);
    for (const wallet of wallets) {
      const cards = stale.filter((push) => push[wallet]);
      await settlePushes(tx, ctx, { wallet, cards, failure: 'timeout' });
    }
    return stale.length === cardsPerStep;
  });
}
