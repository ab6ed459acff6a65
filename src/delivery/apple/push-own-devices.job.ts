import type { PublicCtx } from '../../context.ts';
import type { DueWork } from '../../engine/due.sql.ts';
import { findStopped } from '../../pushes/wallet-stops.ts';
import { type DueDevice, dueOwnDevices } from './devices.sql.ts';
import { type Pusher, pushDueDevices } from './push-due-devices.ts';

/** The devices with cards of pass types that are workspaces' own. */
export function ownDevicesDue(): DueWork {
  return { queues: [dueOwnDevices] };
}

/** Pushes to those that are due, each with the certificate of its workspace. False when none is left. */
export async function pushOwnDevices(ctx: PublicCtx): Promise<boolean> {
  return pushDueDevices(ctx, dueOwnDevices, async (devices) => {
    const pushers = new Map<string, Pusher | Date>();
    for (const device of devices) {
      const name = nameOf(device);
      if (!pushers.has(name)) pushers.set(name, await pusherOf(ctx, device));
    }
    return (device) => pushers.get(nameOf(device)) ?? later(ctx);
  });
}

function nameOf({ workspaceId, passTypeIdentifier }: DueDevice): string {
  return `${workspaceId} ${passTypeIdentifier}`;
}

async function pusherOf(ctx: PublicCtx, device: DueDevice): Promise<Pusher | Date> {
  const issuer = await ctx.app.appleIssuers.find(device.workspaceId, device.passTypeIdentifier);
  if (issuer === undefined) return later(ctx);
  const stop = await findStopped(ctx, 'apple', issuer.scope);
  return stop?.retryAt ?? { apns: issuer.apns(), scope: issuer.scope, isOneOfMany: true };
}

/** Where the certificate was taken away just now. */
function later(ctx: PublicCtx): Date {
  return new Date(ctx.app.now().getTime() + 900_000);
}
