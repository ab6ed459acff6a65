import type { PublicCtx } from '../context.ts';
import type { CardKey } from '../engine/card-key.ts';
import { insertEvent } from '../events/timeline.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { countCards } from '../passes/count-cards.ts';
import { emitCardEvent } from './emit-card-event.ts';
import type { InstanceRow } from './instance-row.ts';
import { findInstances, lockInstanceRow } from './instances.sql.ts';
import { moveWalletCounts, type WalletChange, type WalletCounts } from './wallets.sql.ts';

/** Locks the card until the transaction ends; waits for another transaction that changes it. */
export async function lockCard(tx: Tx, card: CardKey): Promise<void> {
  await lockInstanceRow(tx, card.workspaceId, card.instanceId);
}

/**
 * Counts wallets that take a card or give it up, and notes it on the timeline with the reason, where there is one:
 * without one it is the holder's doing. Browsers that only have the card open count, and `addedWebs` leaves them out: so many
 * web wallets have added the card, or given it up. The
 * caller holds the card (`lockCard`) and changes what is counted in the same transaction. Returns how many are left of
 * each kind.
 */
export async function countWallets(
  tx: Tx,
  ctx: PublicCtx,
  card: CardKey,
  change: WalletChange,
  reason: string | null = null,
  addedWebs = change.web ?? 0,
): Promise<WalletCounts> {
  const noted = { apple: change.apple ?? 0, google: change.google ?? 0, web: addedWebs };
  const isAdded = Object.values(noted).some((by) => by > 0);
  const [counts, [row]] = await Promise.all([
    moveWalletCounts(tx, card, change, isAdded, ctx.app.now()),
    findInstances(tx, card.workspaceId, [card.instanceId]),
  ]);
  if (counts === undefined || row === undefined) throw new Error('the card to count wallets of is gone');
  const emitter = { actor: reason === null ? 'holder' : 'system', ...ctx };
  for (const wallet of ['apple', 'google', 'web'] as const) {
    const by = noted[wallet];
    const event = {
      kind: by > 0 ? 'instance.installed' : 'instance.removed',
      detail: { wallet, ...(reason !== null && { reason }) },
      actor: emitter.actor,
      createdAt: ctx.app.now(),
    } as const;
    if (by === 0) continue;
    await insertEvent(tx, card, event);
    emitCardEvent(tx, emitter, event.kind, {
      before: withWallets(row, wallet, -(change[wallet] ?? 0)),
      after: row,
    });
  }
  if (counts.installed !== counts.wasInstalled)
    countCards(tx, { ...card, passId: counts.passId }, { installed: counts.installed ? 1 : -1 });
  return counts;
}

/** A card as it was before wallets of a kind took it, or gave it up. */
function withWallets(row: InstanceRow, wallet: 'apple' | 'google' | 'web', by: number): InstanceRow {
  const name = `${wallet}Wallets` as const;
  return { ...row, [name]: row[name] + by };
}
