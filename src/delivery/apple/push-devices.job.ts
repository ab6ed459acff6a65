import type { DueCtx, PublicCtx } from '../../context.ts';
import type { DueWork } from '../../engine/due.sql.ts';
import { isStopped, maySend } from '../../pushes/wallet-stops.ts';
import { dueDevices } from './devices.sql.ts';
import { pushDueDevices } from './push-due-devices.ts';

/** The devices with cards of the installation's pass type that may be pushed to. */
export function devicesDue(ctx: DueCtx): DueWork {
  const { apns, apple } = ctx.app;
  return {
    queues: apns.pausedUntil === null ? [dueDevices(apple.passTypeIdentifier)] : [],
    condition: maySend(ctx, 'apple', apple.passTypeIdentifier),
  };
}

/** Pushes to those that are due. False when none is left, or when Apple cannot be reached. */
export async function pushDevices(ctx: PublicCtx): Promise<boolean> {
  const { apns, apple } = ctx.app;
  const scope = apple.passTypeIdentifier;
  if (apns.pausedUntil !== null || (await isStopped(ctx, 'apple', scope))) return false;
  const pusher = { apns, scope, isOneOfMany: false };
  return pushDueDevices(ctx, dueDevices(scope), async () => () => pusher);
}
