import type { ClockCtx } from '../../context.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { Tx } from '../../kit/db/database.ts';
import { encodeId } from '../../kit/ids.ts';
import type { SweepRow } from './sweep-row.ts';
import { closeSweep, listRunningSweeps } from './sweeps.sql.ts';

/**
 * Ends a sweep that is running, with the reason where it has failed, and tells the event log of it. Undefined where it has
 * ended before. Whoever works on it finds that out with its next page.
 */
export async function endSweep(
  tx: Tx,
  ctx: ClockCtx,
  sweep: Pick<SweepRow, 'workspaceId' | 'sweepId'>,
  status: 'completed' | 'failed' | 'cancelled',
  problem: string | null = null,
): Promise<SweepRow | undefined> {
  const at = ctx.app.now();
  const ended = await closeSweep(tx, sweep, { status, problem, at });
  if (ended === undefined) return undefined;
  const { workspaceId, passId, sweepId, storeId, dryRun, counts } = ended;
  const data = {
    sweepId: encodeId('sweep', sweepId),
    storeId: encodeId('store', storeId),
    status,
    dryRun,
    reason: problem,
    counts,
  };
  await recordEvent(tx, { workspaceId, kind: 'sweep.finished', passId, data, createdAt: at });
  return ended;
}

/** Ends all sweeps that are running, since nobody knows whom they have invited. Answers how many. */
export async function endSweeps(tx: Tx, ctx: ClockCtx): Promise<number> {
  const running = await listRunningSweeps(tx);
  for (const sweep of running) await endSweep(tx, ctx, sweep, 'failed', 'restored');
  return running.length;
}
