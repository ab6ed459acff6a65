import { readInstance } from '../cards/find-instance.ts';
import type { KeyCtx } from '../context.ts';
import { pageOf } from '../engine/listing.ts';
import { foldNumber } from '../kit/text/fold.ts';
import { findPass } from '../passes/find-pass.ts';
import { sourceOf } from './find-order.ts';
import { type OrderQuery, presentOrder, statusOfOrder } from './order.schema.ts';
import { type ListedState, listOrderRows, type OrderFilter, type OrderPlace } from './order-lists.sql.ts';

/**
 * The orders of a workspace, or those that the filters leave; of a key that is restricted to passes, the orders of these.
 * Raises what `findPass`, `findStore` and `readInstance` raise.
 */
export async function listOrders(ctx: KeyCtx, query: OrderQuery) {
  const { db } = ctx.app.database;
  const filter = await filterOf(ctx, query);
  const page = pageOf(ctx, JSON.stringify(['listOrders', filter]), query);
  const rows = filter === null ? [] : await listOrderRows(db, filter, placeOf(page.after), page.take);
  return page.of(
    rows,
    ({ createdAt, source, orderId }) => JSON.stringify({ createdAt, source, orderId }),
    (row) => ({ ...presentOrder(row, row.refunded, row.followsEdits), holderName: row.holderName }),
  );
}

function placeOf(after: string | null): OrderPlace | null {
  return after === null ? null : JSON.parse(after);
}

/** Null where no order can fit. */
async function filterOf(ctx: KeyCtx, query: OrderQuery): Promise<OrderFilter | null> {
  const { passId, storeId, instanceId, createdAfter, createdBefore } = query;
  const { db } = ctx.app.database;
  const pass = passId === undefined ? null : await findPass(db, ctx, passId);
  const store = storeId === undefined ? null : await sourceOf(ctx, storeId);
  const card = instanceId === undefined ? null : await readInstance(ctx, instanceId);
  if (pass !== null && card !== null && card.passId !== pass.passId) return null;
  // A card is of one pass.
  const passIds =
    card !== null ? null : pass !== null ? [pass.passId] : ctx.passIds && [...ctx.passIds].sort();
  return {
    workspaceId: ctx.workspaceId,
    passIds,
    storeId: store?.source ?? null,
    instanceId: card?.instanceId ?? null,
    number: query.number === undefined ? null : foldNumber(query.number),
    states: statesOf(query),
    since: createdAfter === undefined ? null : new Date(createdAfter),
    before: createdBefore === undefined ? null : new Date(createdBefore),
  };
}

const states: readonly ListedState[] = [false, true].flatMap((cancelled) =>
  [false, true].map((waiting) => ({ cancelled, waiting })),
);

function statesOf({ status, waiting }: OrderQuery): ListedState[] {
  return states.filter(
    (state) =>
      (waiting === undefined || state.waiting === (waiting === 'true')) &&
      (status === undefined || statusOfOrder(state) === status),
  );
}
