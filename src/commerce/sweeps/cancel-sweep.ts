import type { KeyCtx } from '../../context.ts';
import { audit } from '../../engine/audit.ts';
import type { Tx } from '../../kit/db/database.ts';
import { encodeId } from '../../kit/ids.ts';
import { findPass } from '../../passes/find-pass.ts';
import { endSweep } from './end-sweep.ts';
import { findSweep, showSweep } from './find-sweep.ts';
import { cancelQueued } from './sweep-items.sql.ts';

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
    detail: { passId: input.passId },
  });
  return showSweep(tx, ended);
}
