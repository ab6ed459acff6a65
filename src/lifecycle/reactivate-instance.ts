import { claimDetail } from '../cards/card-calls.ts';
import { changeInstance } from '../cards/changes.sql.ts';
import { emitCardEvent } from '../cards/emit-card-event.ts';
import { lockInstance } from '../cards/find-instance.ts';
import type { InstanceRow, Updated } from '../cards/instance-row.ts';
import { changedNow } from '../cards/last-modified.ts';
import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { insertEvent } from '../events/timeline.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidRequest } from '../kit/http/api-error.ts';
import { countCards } from '../passes/count-cards.ts';
import { announceChange } from '../pushes/announce-change.ts';
import { keepHolderAndAccount } from './take-over.ts';

/**
 * Makes a voided card valid again. The holder's account comes back from a card that they had since. Raises
 * `holder_has_active_instance` when that is still valid.
 */
export async function reactivateInstance(
  tx: Tx,
  ctx: KeyCtx,
  input: { instanceId: string; key: string | null },
): Promise<Updated> {
  const row = await lockInstance(tx, ctx, input.instanceId);
  if (row.erasedAt !== null)
    throw invalidRequest('This instance was erased and stays voided. Issue a new one.');
  const changes = row.status === 'voided';
  const after = changes ? await markActive(tx, ctx, row) : row;
  const kind = changes ? 'instance.reactivated' : 'instance.unchanged';
  const detail = claimDetail('reactivateInstance', input.key);
  if (changes || input.key !== null)
    await insertEvent(tx, row, { kind, detail, actor: ctx.actor, createdAt: ctx.app.now() });
  if (changes) {
    emitCardEvent(tx, ctx, 'instance.reactivated', { before: row, after });
    const statuses = { before: { status: 'voided' }, after: { status: 'active' } };
    audit(tx, ctx, { action: 'reactivateInstance', target: input.instanceId, detail: statuses });
  }
  return { row: after, push: await announceChange(tx, ctx, row, changes) };
}

async function markActive(tx: Tx, ctx: KeyCtx, row: InstanceRow): Promise<InstanceRow> {
  const updatedAt = changedNow(ctx, row);
  await changeInstance(tx, row, { status: 'active' }, { at: updatedAt, shown: true });
  const active: InstanceRow = { ...row, status: 'active', voidedAt: null, voidReason: null, updatedAt };
  countCards(tx, row, { voided: -1 });
  return { ...active, ...(await keepHolderAndAccount(tx, active)) };
}
