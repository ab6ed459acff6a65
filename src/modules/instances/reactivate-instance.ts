import type { KeyCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { invalidRequest } from '../../kit/http/api-error.ts';
import { announceChange } from '../delivery/announce-change.ts';
import { countCards } from '../passes/hold-for-issue.ts';
import { insertEvent } from './events.sql.ts';
import { holdInstance } from './find-instance.ts';
import type { InstanceRow, Updated } from './instance-row.ts';
import { changeInstance } from './instances.sql.ts';
import { keepHolder } from './keep-holder.ts';
import { shownNow } from './shown-now.ts';

/** Makes a voided card valid again. Raises `holder_has_active_instance` when its holder got a new one since. */
export async function reactivateInstance(
  tx: Tx,
  ctx: KeyCtx,
  input: { instanceId: string; key: string | null },
): Promise<Updated> {
  const row = await holdInstance(tx, ctx, input.instanceId);
  if (row.erasedAt !== null)
    throw invalidRequest('This instance was erased and stays voided. Issue a new one.');
  const changes = row.status === 'voided';
  if (changes) await markActive(tx, ctx, row);
  const detail = input.key === null ? {} : { op: 'reactivateInstance', key: input.key };
  if (changes || input.key !== null)
    await insertEvent(tx, row, { kind: 'reactivated', detail, createdAt: ctx.app.now() });
  return { row: { ...row, status: 'active' }, push: await announceChange(tx, ctx, row, changes) };
}

async function markActive(tx: Tx, ctx: KeyCtx, row: InstanceRow): Promise<void> {
  await changeInstance(tx, row, { status: 'active' }, shownNow(ctx, row));
  await keepHolder(tx, { ...row, status: 'active' });
  await countCards(tx, row, { voided: -1 });
}
