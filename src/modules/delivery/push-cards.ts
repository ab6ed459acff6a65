import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { wakeDevices } from '../apple/wake-devices.ts';
import { wakeObjects } from '../google/wake-objects.ts';
import { wakeWebCards } from '../webcard/wake-web-cards.ts';
import { type PushedCard, upsertPushes } from './pushes.sql.ts';

interface Push {
  /** A top-up pays: the caller's re-send of the update will be free. */
  readonly repaid?: boolean;
  /** The rollout that reaches many cards: devices hear of all of them at once, when it has ended. */
  readonly rolloutId?: string;
}

/**
 * Puts the newest state of installed cards on its way to every wallet that holds them. The caller has reserved what
 * they cost, or will as its last step.
 */
export async function pushCards(
  tx: Tx,
  ctx: PublicCtx,
  cards: readonly PushedCard[],
  { repaid = false, rolloutId }: Push = {},
): Promise<void> {
  if (cards.length === 0) return;
  await wakeDevices(
    tx,
    ctx,
    cards.filter((card) => card.appleWallets > 0),
    rolloutId ?? null,
  );
  await wakeObjects(
    tx,
    ctx,
    cards.filter((card) => card.googleWallets > 0),
  );
  await wakeWebCards(
    tx,
    ctx,
    cards.filter((card) => card.webWallets > 0),
  );
  await upsertPushes(tx, cards, { repaid, rolledOut: rolloutId !== undefined, at: ctx.app.now() });
}
