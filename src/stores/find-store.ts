import type { ActorCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { decodeId } from '../kit/ids.ts';
import { nothingWaits, presentStore } from './store.schema.ts';
import type { StoreRow } from './store-row.ts';
import {
  countWaiting,
  findStoreAnywhere,
  findStoreOf,
  findTwoConnected,
  lockStoreRow,
} from './stores.sql.ts';

/** A store of the caller by its public id. Raises `store_not_found`; `forbidden` when another account owns it. */
export async function findStore(db: Db, ctx: ActorCtx, publicId: string): Promise<StoreRow> {
  const storeId = decodeId('store', publicId);
  const row =
    storeId === null
      ? undefined
      : ((await findStoreOf(db, ctx.workspaceId, storeId)) ?? (await findStoreAnywhere(db, storeId)));
  if (row === undefined) throw storeNotFound();
  if (row.workspaceId !== ctx.workspaceId)
    throw refusal('forbidden', 'This store belongs to another account.');
  return row;
}

/** The same, connected, and kept from changing until the transaction ends; `store_not_found` once disconnected. */
export async function lockStore(tx: Tx, ctx: ActorCtx, publicId: string): Promise<StoreRow> {
  const storeId = decodeId('store', publicId);
  // Two statements: one that waits for the lock would show the store as it was before the wait.
  if (storeId !== null) await lockStoreRow(tx, ctx.workspaceId, storeId);
  return findConnectedStore(tx, ctx, publicId);
}

/** A store of the caller that is connected; `store_not_found` once it is not. */
export async function findConnectedStore(db: Db, ctx: ActorCtx, publicId: string): Promise<StoreRow> {
  const row = await findStore(db, ctx, publicId);
  if (row.disconnectedAt !== null) throw storeNotFound();
  return row;
}

/**
 * The store whose customers a pass invites: the one that is named, else the one connected with the pass, else the only
 * one of the workspace. Undefined when that one is not connected, or when there are several to choose from. Raises
 * `store_not_found` and `forbidden` for one that is named.
 */
export async function findStoreForPass(
  db: Db,
  ctx: ActorCtx,
  passId: string,
  storeId: string | undefined,
): Promise<StoreRow | undefined> {
  if (storeId !== undefined) {
    const named = await findStore(db, ctx, storeId);
    return named.disconnectedAt === null ? named : undefined;
  }
  for (const pass of [passId, null]) {
    const [first, second] = await findTwoConnected(db, ctx.workspaceId, pass);
    if (first !== undefined) return second === undefined ? first : undefined;
  }
  return undefined;
}

function storeNotFound() {
  return refusal(
    'store_not_found',
    'No connected store of this workspace has this id. GET /stores lists yours.',
  );
}

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
