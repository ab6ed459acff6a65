import type { PublicCtx } from '../context.ts';
import { insertEvent } from '../events/timeline.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { countCards } from '../passes/count-cards.ts';
import type { CardKey } from './instance-row.ts';
import { holdInstanceRow } from './instances.sql.ts';
import { moveWalletCounts, type WalletChange, type WalletCounts } from './wallets.sql.ts';

/** Waits until nobody else changes the card, then keeps it for the rest of the transaction. */
export async function holdCard(tx: Tx, card: CardKey): Promise<void> {
  await holdInstanceRow(tx, card.workspaceId, card.instanceId);
}

/**
 * Counts wallets that take a card or give it up, and notes it on the timeline with the reason, where there is one. The
 * caller holds the card (`holdCard`) and changes what is counted in the same transaction. Returns how many are left of
 * each kind.
 */
export async function countWallets(
  tx: Tx,
  ctx: PublicCtx,
  card: CardKey,
  change: WalletChange,
  reason: string | null = null,
): Promise<WalletCounts> {
  const counts = await moveWalletCounts(tx, card, change);
  if (counts === undefined) throw new Error('the card to count wallets of is gone');
  for (const wallet of ['apple', 'google', 'web'] as const) {
    const by = change[wallet] ?? 0;
    const event = {
      kind: by > 0 ? 'instance.installed' : 'instance.removed',
      detail: { wallet, ...(reason !== null && { reason }) },
      createdAt: ctx.app.now(),
    } as const;
    if (by !== 0) await insertEvent(tx, card, event);
  }
  if (counts.installed !== counts.wasInstalled)
    countCards(tx, { ...card, passId: counts.passId }, { installed: counts.installed ? 1 : -1 });
  return counts;
}
