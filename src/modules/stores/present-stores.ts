import type { ActorCtx } from '../../context.ts';
import type { Db } from '../../kit/db/database.ts';
import { nothingWaits, presentStore } from './store.schema.ts';
import type { StoreRow } from './store-row.ts';
import { countWaiting } from './stores.sql.ts';

/** Stores as the API shows them, in their order, with what waits of them now. */
export async function presentStores(db: Db, ctx: ActorCtx, rows: readonly StoreRow[]) {
  const present = await presenterOf(db, ctx, rows);
  return rows.map(present);
}

/** The same of one store. */
export async function presentNow(db: Db, ctx: ActorCtx, row: StoreRow) {
  const present = await presenterOf(db, ctx, [row]);
  return present(row);
}

async function presenterOf(db: Db, { app, workspaceId }: ActorCtx, rows: readonly StoreRow[]) {
  const ids = rows.map((row) => row.storeId);
  const waiting = await countWaiting(db, workspaceId, ids);
  return (row: StoreRow) => presentStore(app.config.publicUrl, row, waiting.get(row.storeId) ?? nothingWaits);
}
