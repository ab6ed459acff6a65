import type { ActorCtx, ClockCtx, PublicCtx } from '../context.ts';
import type { DueWork } from '../engine/due.sql.ts';
import { changeLeased, leaseDue, lockLeased } from '../engine/queue.sql.ts';
import { ApiError } from '../kit/http/api-error.ts';
import { encodeId } from '../kit/ids.ts';
import { deletePlanned, duePlanned, type PlannedRow } from '../pushes/planned-messages.sql.ts';
import { findWorkspace } from '../workspaces/workspaces.sql.ts';
import { countRecipients } from './audience.ts';
import { letMessageGo } from './send-message.ts';

/** A worker that dies before the message has gone out leaves it to others after this time. */
const leaseMs = 5 * 60_000;
/** A suspended workspace sends nothing; it is looked at again after this time. */
const suspendedMs = 60 * 60_000;

/** Planned messages whose time has come. */
export function plannedDue(_ctx: ClockCtx): DueWork {
  return { queues: [duePlanned] };
}

/**
 * Sends the planned message that is due for longest, once: it leaves the plan in the transaction in which it goes out. One that cannot
 * be sent says why. False when there is none.
 */
export async function sendPlanned(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const until = new Date(now().getTime() + leaseMs);
  const [planned] = await leaseDue({ app: ctx.app, queue: duePlanned }, { now: now(), until, most: 1 });
  if (planned === undefined) return false;
  const change = await send(ctx, planned);
  if (change !== null) await database.transaction((tx) => changeLeased(tx, duePlanned, planned, change));
  return true;
}

/** What is to be noted of a message that has not gone out; null where it has. */
async function send(ctx: PublicCtx, planned: PlannedRow): Promise<Partial<PlannedRow> | null> {
  const { database, now } = ctx.app;
  const { workspaceId, requestId, actor, audience, sendAt, endsAt, message: text } = planned;
  const workspace = await findWorkspace(database.db, workspaceId);
  if (workspace?.suspendedAt) return { dueAt: new Date(now().getTime() + suspendedMs) };
  if (endsAt !== null && endsAt <= now()) return unsent('too_late');
  const sender: ActorCtx = { ...ctx, requestId, workspaceId, actor, passIds: null };
  const passId = encodeId('pass', planned.passId);
  try {
    const recipients = audience === null ? 0 : await countRecipients(sender, { passId, audience });
    await database.transaction(async (tx) => {
      // Changed or taken back since it was leased: it is sent as it is then, or not.
      if ((await lockLeased(tx, duePlanned, planned)) === undefined) return;
      const to = audience === null ? null : { audience, recipients };
      await letMessageGo(tx, sender, { passId, text, to, endsAt, sendAt, rolloutId: planned.messageId });
      await deletePlanned(tx, planned);
    });
    return null;
  } catch (error) {
    if (error instanceof ApiError) return unsent(error.code);
    throw error;
  }
}

function unsent(reason: string): Partial<PlannedRow> {
  return { state: 'unsent', reason, dueAt: null };
}
