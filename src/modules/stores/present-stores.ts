import type { ActorCtx } from '../../context.ts';
import type { Db } from '../../kit/db/database.ts';
import { nothingWaits, presentStore } from './store.schema.ts';
import type { StoreRow } from './store-row.ts';
import { countWaiting } from './stores.sql.ts';

/** Stores as the API shows them, in their order, with what waits of them now. */
export async function presentStores(db: Db, ctx: ActorCtx, rows: readonly StoreRow[]) {
  const ids = rows.map((row) => row.storeId);
  const waiting = await countWaiting(db, ctx.workspaceId, ids);
  const { publicUrl } = ctx.app.config;
  return rows.map((row) => presentStore(publicUrl, row, waiting.get(row.storeId) ?? nothingWaits));
}

/** The same of one store. */
export async function presentNow(db: Db, ctx: ActorCtx, row: StoreRow) {
  const waiting = await countWaiting(db, ctx.workspaceId, [row.storeId]);
  return presentStore(ctx.app.config.publicUrl, row, waiting.get(row.storeId) ?? nothingWaits);
}
