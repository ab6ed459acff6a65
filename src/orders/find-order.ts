import type { KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { ApiError } from '../kit/http/api-error.ts';
import { normalText } from '../kit/http/endpoints/parameters.ts';
import { encodeId } from '../kit/ids.ts';
import { refuseOtherPass } from '../passes/find-pass.ts';
import { findStore } from '../stores/find-store.ts';
import { presentWhole } from './order.schema.ts';
import { apiSource } from './order-item.ts';
import { findHolderName } from './order-lists.sql.ts';
import { findKnownOrder, type OrderKey, type OrderRow, readRefunds } from './orders.sql.ts';

/** An order that a caller names, whether or not it is known. */
interface NamedOrder {
  readonly order: OrderKey;
  readonly row: OrderRow | undefined;
  /** Public id of the pass on whose card it earns; null where that is not known. */
  readonly passId: string | null;
  readonly followsEdits: boolean;
}

/**
 * The order that a caller names. Raises `store_not_found` and `forbidden` for the store; `insufficient_scope` when the
 * key is restricted to other passes than the order's, and `order_not_found` when it cannot be known whether it is.
 */
export async function findOrder(
  ctx: KeyCtx,
  orderId: string,
  storeId: string | null | undefined,
): Promise<NamedOrder> {
  const { source, followsEdits } = await sourceOf(ctx, storeId);
  const order = { source, orderId: normalText('orderId', orderId) };
  const row = await findKnownOrder(ctx.app.database.db, ctx.workspaceId, order);
  if (row?.passId != null) refuseOtherPass(ctx, row.passId);
  else if (ctx.passIds !== null) throw orderNotFound();
  const passId = row?.passId == null ? null : encodeId('pass', row.passId);
  return { order, row, passId, followsEdits };
}

/** The order as the API shows it. Raises `order_not_found`, and what `findOrder` raises. */
export async function showOrder(ctx: KeyCtx, orderId: string, storeId: string | undefined) {
  const { order, row, followsEdits } = await findOrder(ctx, orderId, storeId);
  if (row === undefined) throw orderNotFound();
  const { db } = ctx.app.database;
  const [refunds, holderName] = await Promise.all([
    readRefunds(db, ctx.workspaceId, [order]),
    findHolderName(db, ctx.workspaceId, row.instanceId),
  ]);
  return presentWhole(row, refunds, holderName, followsEdits);
}

/** The refusal, with what else the caller may want to know. */
export function orderNotFound(more = ''): ApiError {
  return refusal(
    'order_not_found',
    `No order of this workspace has this id. An order of a store is found with its storeId. ${more}`.trim(),
  );
}

/**
 * Where an order belongs that a caller names: a store of the workspace, or to the caller. Raises `store_not_found` and
 * `forbidden`.
 */
export async function sourceOf(
  ctx: KeyCtx,
  storeId: string | null | undefined,
): Promise<{ source: string; followsEdits: boolean }> {
  if (storeId == null) return { source: apiSource, followsEdits: false };
  const store = await findStore(ctx.app.database.db, ctx, storeId);
  return { source: store.storeId, followsEdits: store.followsEdits };
}
