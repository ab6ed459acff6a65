import type { PublicCtx } from '../../context.ts';
import { LostRace, type Tx } from '../../kit/db/database.ts';
import { settlePushes } from '../delivery/settle-pushes.ts';
import { countWallets } from '../instances/count-wallets.ts';
import { deleteIdleDevice, deleteRegistration, holdDevice } from './registrations.sql.ts';

/** Why a registration ends without the holder's doing: the platform's word, and the moment that it is about. */
export interface Gone {
  readonly reason: string;
  /** Whoever has told a push token since then is back. */
  readonly at: Date;
}

/**
 * Takes a card off a device that it is registered on, as the last step of a transaction. The caller holds the card;
 * `gone` is null when the holder did it. What was on its way to the card's last device has failed.
 */
export async function removeRegistration(
  tx: Tx,
  ctx: PublicCtx,
  card: { readonly workspaceId: string; readonly instanceId: string },
  deviceId: number,
  gone: Gone | null,
): Promise<void> {
  const left = await countWallets(tx, ctx, card, { apple: -1 }, gone?.reason);
  if (!(await holdDevice(tx, deviceId, gone?.at ?? null))) throw new LostRace();
  await deleteRegistration(tx, card, deviceId);
  await deleteIdleDevice(tx, deviceId);
  const failure = gone?.reason ?? 'removed';
  if (left.apple === 0) await settlePushes(tx, ctx, { wallet: 'apple', cards: [card], failure });
}
