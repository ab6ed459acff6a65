import type { Tx } from '../../kit/db/database.ts';
import { decodeId } from '../../kit/ids.ts';
import { linksOf } from '../instances/find-links.ts';
import type { Draft, Result } from './draft.ts';
import type { OrderItem, SettledOrder } from './order-item.ts';
import { refundedOf } from './order-state.ts';
import { insertOrders, keepRefunds, type OrderRow, updateOrders } from './orders.sql.ts';

/** Writes orders and their refunds; what became of each piece of news. Raises `LostRace` like `insertOrders`. */
export async function writeOrders(tx: Tx, drafts: readonly Draft[]): Promise<Map<OrderItem, SettledOrder>> {
  const settled = new Map<OrderItem, SettledOrder>();
  const [first] = drafts;
  if (first === undefined) return settled;
  const { ctx } = first.items[0];
  const rowsOf = (some: readonly Draft[]) => some.map((draft) => rowAfter(draft, draft));
  const cards = drafts.flatMap(({ instanceId }) => instanceId ?? []);
  const [links] = await Promise.all([
    linksOf(tx, ctx, cards),
    insertOrders(tx, ctx.workspaceId, rowsOf(drafts.filter(({ isNew }) => isNew))),
    updateOrders(tx, ctx.workspaceId, rowsOf(drafts.filter(({ isNew }) => !isNew))),
    keepRefunds(tx, ctx.workspaceId, drafts.flatMap(newRefundsOf)),
  ]);
  for (const draft of drafts) {
    const { posted } = draft;
    const linked = links.get(draft.instanceId ?? '');
    for (const [item, result] of draft.results) {
      settled.set(item, {
        row: rowAfter(draft, result),
        refunded: refundedOf(result.state),
        account: posted && linked ? { settled: posted, links: linked, points: result.gained } : null,
      });
    }
  }
  return settled;
}

/** The row of an order as it stands after one of its news, or all. */
function rowAfter(draft: Draft, { state, settled }: Pick<Result, 'state' | 'settled'>): OrderRow {
  const { row, instanceId, cardIsNew, partnerId } = draft;
  const [item] = draft.items;
  const { refunds: _, ...told } = state;
  return {
    ...row,
    ...told,
    ...settled,
    passId: row.passId ?? (instanceId === null ? null : decodeId('pass', item.passId ?? '')),
    instanceId,
    issued: row.issued || cardIsNew,
    items: row.items ?? item.items,
    partnerId,
    updatedAt: item.ctx.app.now(),
  };
}

function newRefundsOf({ items: [item], state, refundsBefore }: Draft) {
  return [...state.refunds].flatMap(([refundId, refund]) =>
    refundsBefore.get(refundId) === refund
      ? []
      : [{ ...item.order, refundId, ...refund, createdAt: item.ctx.app.now() }],
  );
}
