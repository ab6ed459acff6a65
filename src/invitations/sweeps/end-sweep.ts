import type { KeyCtx } from '../../context.ts';
import { audit } from '../../engine/audit.ts';
import { changedProperties } from '../../events/changed-properties.ts';
import { actorOf, type EventCtx, recordEvent } from '../../events/record-event.ts';
import type { Tx } from '../../kit/db/database.ts';
import { encodeId } from '../../kit/ids.ts';
import { findPass } from '../../passes/find-pass.ts';
import { findSweep, showSweep } from './find-sweep.ts';
import { presentSweep } from './sweep.schema.ts';
import { cancelQueued, countInvites } from './sweep-items.sql.ts';
import type { SweepRow } from './sweep-row.ts';
import { closeSweep, listRunningSweeps } from './sweeps.sql.ts';

/**
 * Ends a running sweep, with the reason if it has failed, and emits an event. Undefined if it has ended before. A worker
 * that runs the sweep notices with its next page.
 */
export async function endSweep(
  tx: Tx,
  ctx: EventCtx,
  sweep: Pick<SweepRow, 'workspaceId' | 'sweepId' | 'problem'>,
  status: 'completed' | 'failed' | 'cancelled',
  problem: string | null = null,
): Promise<SweepRow | undefined> {
  const ended = await closeSweep(tx, sweep, { status, problem, at: ctx.app.now() });
  if (ended === undefined) return undefined;
  const { workspaceId, passId } = ended;
  const invites = await countInvites(tx, ended);
  const before = { ...ended, status: 'running', problem: sweep.problem, finishedAt: null } as const;
  const data = presentSweep(ended, invites);
  const { previous } = changedProperties(presentSweep(before, invites), data);
  const event = { type: 'sweep.finished', passId, instanceId: null, data, previous } as const;
  recordEvent(tx, ctx, { ...event, workspaceId, actor: actorOf(ctx) });
  return ended;
}

/** Ends all sweeps that are running, since it is unknown whom they have invited. Answers how many. */
export async function endSweeps(tx: Tx, ctx: EventCtx): Promise<number> {
  const running = await listRunningSweeps(tx);
  for (const sweep of running) await endSweep(tx, ctx, sweep, 'failed', 'restored');
  return running.length;
}

/** So many mails are taken back at once; the others when their turn to be sent comes. */
const mostAtOnce = 10_000;

/** Ends the last sweep of a pass, if it is running, and takes back the mails that it has yet to send. */
export async function cancelSweep(tx: Tx, ctx: KeyCtx, input: { readonly passId: string }) {
  const sweep = await findSweep(tx, await findPass(tx, ctx, input.passId));
  const ended = await endSweep(tx, ctx, sweep, 'cancelled');
  if (ended === undefined) return showSweep(tx, await findSweep(tx, sweep));
  await cancelQueued(tx, ended, mostAtOnce);
  audit(tx, ctx, {
    action: 'cancelSweep',
    target: encodeId('sweep', ended.sweepId),
    detail: { passId: input.passId, before: { status: sweep.status }, after: { status: ended.status } },
  });
  return showSweep(tx, ended);
}
