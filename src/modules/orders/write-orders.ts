import type { Tx } from '../../kit/db/database.ts';
import { decodeId } from '../../kit/ids.ts';
import { linksOf } from '../instances/find-links.ts';
import type { Draft, Result } from './draft.ts';
import type { OrderItem } from './order-item.ts';
import { refundedOf } from './order-state.ts';
import { insertOrders, keepRefunds, type OrderRow, updateOrders } from './orders.sql.ts';

/** Writes orders and their refunds; answers what the callers are answered. Raises `LostRace` like `insertOrders`. */
export async function writeOrders(
  tx: Tx,
  drafts: readonly Draft[],
): Promise<Map<OrderItem, { status: number; body: string }>> {
  const answers = new Map<OrderItem, { status: number; body: string }>();
  const [first] = drafts;
  if (first === undefined) return answers;
  const { ctx } = first.items[0];
  const rowsOf = (some: readonly Draft[]) => some.map((draft) => rowAfter(draft, draft));
  await insertOrders(tx, ctx.workspaceId, rowsOf(drafts.filter(({ isNew }) => isNew)));
  await updateOrders(tx, ctx.workspaceId, rowsOf(drafts.filter(({ isNew }) => !isNew)));
  await keepRefunds(tx, ctx.workspaceId, drafts.flatMap(newRefundsOf));
  const links = await linksOf(
    tx,
    ctx,
    drafts.flatMap(({ items: [item], instanceId }) =>
      item.operation === 'processOrder' && instanceId !== null ? [instanceId] : [],
    ),
  );
  for (const draft of drafts) {
    const { posted, instanceId } = draft;
    const ledger = posted && {
      status: posted.status,
      state: JSON.parse(String(posted.body)),
      links: links.get(instanceId ?? '') ?? {},
    };
    for (const [item, result] of draft.results) {
      const { status, body } = item.present({
        row: rowAfter(draft, result),
        refunded: refundedOf(result.state),
        account: ledger && { ...ledger, points: result.gained },
      });
      answers.set(item, { status, body: JSON.stringify(body) });
    }
  }
  return answers;
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
