import { sql } from 'kysely';
import type { Tx } from '../../kit/db/database.ts';
import type { StoreRow } from './store-row.ts';

/** A store in whose turn we are: the end of our lease stands in `reconcileAt`, and proves that it is ours. */
export interface ClaimedStore extends StoreRow {
  readonly reconcileAt: Date;
}

/** Takes the store that is due longest. It comes back at the end of the lease, should the turn never end. */
export async function claimDueStore(
  tx: Tx,
  lease: { now: Date; until: Date },
): Promise<ClaimedStore | undefined> {
  const { rows } = await sql<ClaimedStore>`
    update stores s set reconcile_at = ${lease.until}
    from (
      select workspace_id, store_id from stores
      where reconcile_at <= ${lease.now}
      order by reconcile_at
      limit 1
      for no key update skip locked
    ) as due
    where s.workspace_id = due.workspace_id and s.store_id = due.store_id
    returning s.*
  `.execute(tx);
  return rows[0];
}

/** Keeps the store for longer; false when it is not ours any more. */
export async function renewLease(tx: Tx, store: ClaimedStore, until: Date): Promise<boolean> {
  return changeClaimed(tx, store, { reconcileAt: until });
}

/** Makes all stores that are read due; how many. */
export async function makeStoresDue(tx: Tx, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update stores set reconcile_at = ${now} where reconcile_at is not null
  `.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** What a turn leaves behind. */
export type TurnOutcome = Partial<
  Pick<StoreRow, 'watermark' | 'reconciledAt' | 'reconcileAt' | 'failures' | 'problem'>
>;

/** Ends the turn, unless the store is not ours any more. */
export async function endTurn(tx: Tx, store: ClaimedStore, outcome: TurnOutcome): Promise<boolean> {
  return changeClaimed(tx, store, outcome);
}

async function changeClaimed(
  tx: Tx,
  { workspaceId, storeId, reconcileAt }: ClaimedStore,
  columns: TurnOutcome,
): Promise<boolean> {
  const changed = await tx
    .updateTable('stores')
    .set(columns)
    .where('workspaceId', '=', workspaceId)
    .where('storeId', '=', storeId)
    .where('reconcileAt', '=', reconcileAt)
    .returning('storeId')
    .execute();
  return changed.length > 0;
}
