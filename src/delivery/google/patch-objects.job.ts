import type { DueCtx, PublicCtx } from '../../context.ts';
import type { DueWork } from '../../engine/due.sql.ts';
import { leaseDue } from '../../engine/queue.sql.ts';
import { isStopped, maySend } from '../../pushes/wallet-stops.ts';
import { dueObjects } from './objects.sql.ts';
import { patchTaken } from './patch-taken.ts';

/** Few, because holders who press the button wait behind what a turn asks of Google. */
const objectsPerTurn = 10;
/** A worker that dies in the middle of a turn leaves its objects to others after this time: longer than any turn. */
const leaseMs = 180_000;

/** The objects of the installation's issuer that may be sent to Google. */
export function objectsDue(ctx: DueCtx): DueWork {
  const { google } = ctx.app;
  if (google === null) return { queues: [] };
  return { queues: [dueObjects], condition: maySend(ctx, 'google', google.issuerId) };
}

/** Sends those that are due. False when none is left, or while Google refuses us. */
export async function patchObjects(ctx: PublicCtx): Promise<boolean> {
  const { google, now } = ctx.app;
  if (google === null || (await isStopped(ctx, 'google', google.scope))) return false;
  const claim = { now: now(), until: new Date(now().getTime() + leaseMs), most: objectsPerTurn };
  const objects = await leaseDue({ app: ctx.app, queue: dueObjects }, claim);
  if (objects.length === 0) return false;
  await patchTaken(ctx, { queue: dueObjects, google, objects });
  return objects.length === objectsPerTurn;
}
