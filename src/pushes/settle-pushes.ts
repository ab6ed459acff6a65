import type { ClockCtx } from '../context.ts';
import { byWorkspace } from '../engine/by-workspace.ts';
import { noteDelivery } from '../events/note-on-timeline.ts';
import type { Tx } from '../kit/db/database.ts';
import { releaseCredits, settleCredits } from '../workspaces/credits/hold-credits.ts';
import { type Settlement, settleWallet, type WalletName } from './pushes.sql.ts';

interface Delivery {
  readonly wallet: WalletName;
  readonly cards: readonly { readonly workspaceId: string; readonly instanceId: string }[];
  /** Why the wallet will never take the cards' newest state; null when it was notified. */
  readonly failure: string | null;
  /** What the timeline says beside it where it was notified. */
  readonly remark?: string | null;
  /** Passes over what a card owes since then or later. */
  readonly before?: Date;
}

/**
 * Settles what a wallet did with cards' newest states, as the last step of a transaction. The first wallet that was
 * notified spends the credits of a card; they come back, once, when all have failed for good. Cards that owe the wallet
 * nothing are passed over, so that it can be called again.
 */
export async function settlePushes(tx: Tx, ctx: ClockCtx, delivery: Delivery): Promise<void> {
  if (delivery.cards.length === 0) return;
  const { wallet, failure, remark = null, before } = delivery;
  const all: (readonly [workspaceId: string, settlement: Settlement])[] = [];
  for (const [workspaceId, cards] of byWorkspace(delivery.cards)) {
    const instanceIds = cards.map(({ instanceId }) => instanceId);
    const settlement = await settleWallet(tx, workspaceId, wallet, failure === null, instanceIds, before);
    const kind = failure === null ? 'pushed' : 'push failed';
    await noteDelivery(tx, ctx, workspaceId, settlement.instanceIds, kind, {
      wallet,
      reason: failure ?? remark,
    });
    all.push([workspaceId, settlement]);
  }
  // Last: the credits' row is the busiest.
  for (const [workspaceId, { settled, released }] of all) {
    await settleCredits(tx, ctx, workspaceId, settled);
    await releaseCredits(tx, ctx, workspaceId, released);
  }
}
