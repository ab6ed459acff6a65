import type { PublicCtx } from '../../context.ts';
import { holdCard } from '../instances/count-wallets.ts';
import { listCardsOnDevice } from './devices.sql.ts';
import { isRegistered } from './registrations.sql.ts';
import { type Gone, removeRegistration } from './remove-registration.ts';

/**
 * Takes all cards off a device whose push token is gone, each in a transaction of its own. A device that has told a
 * token since keeps them; then the answer is false.
 */
export async function forgetDevice(ctx: PublicCtx, deviceId: number, gone: Gone): Promise<boolean> {
  const { database } = ctx.app;
  const cards = await listCardsOnDevice(database.db, deviceId, gone.at);
  for (const card of cards) {
    await database.transaction(async (tx) => {
      await holdCard(tx, card);
      if (await isRegistered(tx, card, deviceId, gone.at))
        await removeRegistration(tx, ctx, card, deviceId, gone);
    });
  }
  return cards.length > 0;
}
