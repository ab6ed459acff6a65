import type { ClockCtx, PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { releaseHeldDevices, restampDevices, wakeDevicesOf } from './devices.sql.ts';

interface Card {
  readonly workspaceId: string;
  readonly instanceId: string;
}

/**
 * Has the devices that hold the cards, all of one workspace, pushed to: each once, at its pace; or once the rollout has
 * ended. True when one is due at once.
 */
export async function wakeDevices(
  tx: Tx,
  ctx: PublicCtx,
  cards: readonly Card[],
  rolloutId: string | null,
): Promise<boolean> {
  return wakeDevicesOf(tx, cards, rolloutId, ctx.app.now());
}

/**
 * Lets up to `limit` devices go that waited for the end of a rollout, one every `spacingMs` from `from` on: all at
 * once would all come back at once for their cards. Returns how many.
 */
export async function releaseDevices(
  tx: Tx,
  rolloutId: string,
  release: { from: Date; spacingMs: number; limit: number },
): Promise<number> {
  return releaseHeldDevices(tx, rolloutId, release);
}

/**
 * Has every device get all of its cards anew when it asks next, and pushes to none. Tags are never smaller than the clock,
 * so that the new ones are ahead of those that devices know.
 */
export async function renewDevices(tx: Tx, ctx: ClockCtx): Promise<void> {
  await restampDevices(tx, ctx.app.now());
}
