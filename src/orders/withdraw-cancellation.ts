import type { KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { releaseAnswers } from '../kit/db/claims.ts';
import type { Tx } from '../kit/db/database.ts';
import { emitOrderWithdrawal } from './emit-order-events.ts';
import { findOrder, orderNotFound } from './find-order.ts';
import { nameOf } from './order-item.ts';
import { isKnown, unknownOrder } from './order-state.ts';
import { deleteOrder, lockOrders, readRefunds, updateOrders } from './orders.sql.ts';

/**
 * Takes back a cancellation that waits for its order. Raises `order_not_found` where none waits, `cancel_not_reversible`
 * once the order has come, and what `findOrder` raises.
 */
export async function withdrawCancellation(
  tx: Tx,
  ctx: KeyCtx,
  input: { readonly orderId: string; readonly storeId: string | undefined },
): Promise<void> {
  const { workspaceId } = ctx;
  const { order, followsEdits } = await findOrder(ctx, input.orderId, input.storeId);
  const [row] = await lockOrders(tx, workspaceId, [order]);
  if (row === undefined) throw orderNotFound();
  if (isKnown(row)) {
    throw refusal(
      'cancel_not_reversible',
      row.cancelled
        ? 'The order has come, so that its cancellation stands.'
        : 'The order has come and was not cancelled.',
    );
  }
  if (!row.cancelled) throw orderNotFound('Only refunds of this one wait.');
  const { cancelled, latestVersion } = unknownOrder;
  const refunds = new Map(
    (await readRefunds(tx, workspaceId, [order])).map((refund) => [refund.refundId, refund]),
  );
  const after = { ...row, cancelled, latestVersion, updatedAt: ctx.app.now() };
  if (refunds.size === 0) await deleteOrder(tx, workspaceId, order);
  else await updateOrders(tx, workspaceId, [after]);
  // It may be cancelled anew, and that is then no repeat.
  await releaseAnswers(tx, workspaceId, 'cancelOrder', [nameOf(order)]);
  emitOrderWithdrawal(tx, ctx, { row, refunds }, { row: after, refunds }, followsEdits);
}
