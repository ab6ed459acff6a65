import type { KeyCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { invalidRequest } from '../../kit/http/api-error.ts';
import { announceChange } from '../delivery/announce-change.ts';
import { countCards } from '../passes/count-cards.ts';
import { insertEvent } from './events.sql.ts';
import { holdInstance } from './find-instance.ts';
import type { CardAccount, InstanceRow, Updated } from './instance-row.ts';
import { changeInstance } from './instances.sql.ts';
import { shownNow } from './last-modified.ts';
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
  const row = await holdInstance(tx, ctx, input.instanceId);
  if (row.erasedAt !== null)
    throw invalidRequest('This instance was erased and stays voided. Issue a new one.');
  const changes = row.status === 'voided';
  const taken = changes ? await markActive(tx, ctx, row) : null;
  const detail = input.key === null ? {} : { op: 'reactivateInstance', key: input.key };
  if (changes || input.key !== null)
    await insertEvent(tx, row, { kind: 'reactivated', detail, createdAt: ctx.app.now() });
  const after = { ...row, status: 'active' as const, loyalty: taken ?? row.loyalty };
  return { row: after, push: await announceChange(tx, ctx, row, changes) };
}

async function markActive(tx: Tx, ctx: KeyCtx, row: InstanceRow): Promise<CardAccount | null> {
  await changeInstance(tx, row, { status: 'active' }, shownNow(ctx, row));
  const taken = await keepHolderAndAccount(tx, { ...row, status: 'active' });
  countCards(tx, row, { voided: -1 });
  return taken;
}
