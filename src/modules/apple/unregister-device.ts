import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { holdCard } from '../instances/count-wallets.ts';
import type { CardState } from './cards.sql.ts';
import { type DeviceName, findRegistration } from './registrations.sql.ts';
import { removeRegistration } from './remove-registration.ts';

/** Ends a device's registration for a card. One that does not exist has ended already. */
export async function unregisterDevice(
  tx: Tx,
  ctx: PublicCtx,
  card: CardState,
  device: DeviceName,
): Promise<void> {
  await holdCard(tx, card);
  const deviceId = await findRegistration(tx, card, device);
  if (deviceId !== undefined) await removeRegistration(tx, ctx, card, deviceId, null);
}
