import { lockInstance, refuseVoided } from '../cards/find-instance.ts';
import type { Updated } from '../cards/instance-row.ts';
import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { refusal } from '../errors.ts';
import { noteRepeatedPush } from '../events/note-on-timeline.ts';
import type { Tx } from '../kit/db/database.ts';
import { announceAgain } from '../pushes/announce-change.ts';

/**
 * Pushes the current state of a card again, and changes nothing. Raises `insufficient_credits`, and
 * `instance_voided`.
 */
export async function pushInstance(
  tx: Tx,
  ctx: KeyCtx,
  input: { instanceId: string; key: string | null },
): Promise<Updated> {
  const row = await lockInstance(tx, ctx, input.instanceId);
  refuseVoided(row);
  const push = await announceAgain(tx, ctx, row);
  if (!push.pushed && push.pushSkipReason === 'insufficient_credits') {
    throw refusal(
      'insufficient_credits',
      'No credit is left to push this card. Nothing was lost: a top-up delivers what was skipped.',
    );
  }
  audit(tx, ctx, { action: 'pushInstance', target: input.instanceId, detail: { pushed: push.pushed } });
  if (input.key !== null) await noteRepeatedPush(tx, ctx, row, input.key);
  return { row, push };
}
