import type { ActorCtx } from '../context.ts';
import { insertEvent } from '../events/timeline.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { countCards } from '../passes/count-cards.ts';
import { announceChange } from '../pushes/announce-change.ts';
import { holdInstance } from './find-instance.ts';
import type { InstanceRow, Updated } from './instance-row.ts';
import { changeInstance } from './instances.sql.ts';
import { keepHolder } from './keep-holder.ts';
import { shownNow } from './last-modified.ts';

/** Ends a card: its wallets show it as void, and its holder may get a new one. Voiding it again changes nothing. */
export async function voidInstance(
  tx: Tx,
  ctx: ActorCtx,
  input: { instanceId: string; key: string | null },
): Promise<Updated> {
  const row = await holdInstance(tx, ctx, input.instanceId);
  const changes = row.status === 'active';
  if (changes) await markVoided(tx, ctx, row);
  const detail = input.key === null ? {} : { op: 'voidInstance', key: input.key };
  if (changes || input.key !== null)
    await insertEvent(tx, row, { kind: 'instance.voided', detail, createdAt: ctx.app.now() });
  return { row: { ...row, status: 'voided' }, push: await announceChange(tx, ctx, row, changes) };
}

/** Voids an active card that the caller holds. */
export async function markVoided(tx: Tx, ctx: ActorCtx, row: InstanceRow): Promise<void> {
  await changeInstance(tx, row, { status: 'voided' }, shownNow(ctx, row));
  await keepHolder(tx, { ...row, status: 'voided' });
  countCards(tx, row, { voided: 1 });
}
