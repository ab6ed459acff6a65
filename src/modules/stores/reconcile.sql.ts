import type { Queue } from '../../engine/due.sql.ts';
import type { Tx } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';
import type { StoreRow } from './store-row.ts';

/** A store in whose turn we are: the end of our lease stands in `reconcileAt`, and proves that it is ours. */
export interface ClaimedStore extends StoreRow {
  readonly reconcileAt: Date;
}

/** Stores whose orders are to be read. One comes back at the end of the lease, should the turn never end. */
export const dueStores: Queue<ClaimedStore> = {
  table: 'stores',
  part: 'workspaceId',
  key: { storeId: 'uuid' },
  due: 'reconcileAt',
  columns: sql`*`,
};

/** Makes all stores that are read due; how many. */
export async function makeStoresDue(tx: Tx, now: Date): Promise<number> {
  const { rowCount } = await sql`
    update stores set reconcile_at = ${now} where reconcile_at is not null
  `.execute(tx);
  return rowCount;
}
