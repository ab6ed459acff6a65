import { countWallets, lockCard } from '../../cards/count-wallets.ts';
import type { PublicCtx } from '../../context.ts';
import type { CardKey } from '../../engine/card-key.ts';
import type { Tx } from '../../kit/db/database.ts';
import { LostRace } from '../../kit/db/database-errors.ts';
import { recordPushOutcomes } from '../../pushes/record-push-outcomes.ts';
import { leaveWorkspace } from './device-workspaces.sql.ts';
import { type DeviceOfWorkspace, listCardsOnDevice } from './devices.sql.ts';
import {
  type CardState,
  type DeviceName,
  deleteIdleDevice,
  deleteRegistration,
  findDevice,
  isRegistered,
  lockDevice,
} from './registrations.sql.ts';

/** Ends a device's registration for a card. One that does not exist has ended already. */
export async function unregisterDevice(
  tx: Tx,
  ctx: PublicCtx,
  card: CardState,
  device: DeviceName,
): Promise<void> {
  await lockCard(tx, card);
  const known = await findDevice(tx, card, device);
  if (known?.isRegistered) await removeRegistration(tx, ctx, card, known.deviceId, null);
}

/** Why a registration ends without the holder's doing: the platform's word, and the moment that it is about. */
export interface Gone {
  readonly reason: string;
  /** A device that has sent a push token since then is back. */
  readonly at: Date;
}

/**
 * Takes a card off a device that it is registered on, as the last step of a transaction. The caller holds the card;
 * `gone` is null when the holder did it. What was on its way to the card's last device has failed.
 */
export async function removeRegistration(
  tx: Tx,
  ctx: PublicCtx,
  card: CardKey,
  deviceId: string,
  gone: Gone | null,
): Promise<void> {
  const left = await countWallets(tx, ctx, card, { apple: -1 }, gone?.reason);
  const device = { workspaceId: card.workspaceId, deviceId };
  if (!(await lockDevice(tx, device, gone?.at ?? null))) throw new LostRace();
  await deleteRegistration(tx, card, deviceId);
  const idle = await deleteIdleDevice(tx, device);
  if (idle !== undefined) await leaveWorkspace(tx, idle, card.workspaceId);
  const failure = gone?.reason ?? 'removed';
  if (left.apple === 0) await recordPushOutcomes(tx, ctx, { wallet: 'apple', cards: [card], failure });
}

/**
 * Takes all cards of a workspace off a device whose push token is gone, each in a transaction of its own. A device that has
 * sent a token since keeps them; then the answer is false.
 */
export async function forgetDevice(ctx: PublicCtx, device: DeviceOfWorkspace, gone: Gone): Promise<boolean> {
  const { database } = ctx.app;
  const { deviceId } = device;
  const cards = await listCardsOnDevice(database.db, device, gone.at);
  for (const card of cards) {
    await database.transaction(async (tx) => {
      await lockCard(tx, card);
      if (await isRegistered(tx, card, deviceId, gone.at))
        await removeRegistration(tx, ctx, card, deviceId, gone);
    });
  }
  return cards.length > 0;
}
