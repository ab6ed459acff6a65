import type { ActorCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { changedProperties } from '../events/changed-properties.ts';
import { recordEvent } from '../events/record-event.ts';
import type { Tx } from '../kit/db/database.ts';
import { presentOrder, presentRefund } from './order.schema.ts';
import type { OrderItem } from './order-item.ts';
import { type Refund, refundedOf } from './order-state.ts';
import type { OrderRow } from './orders.sql.ts';
import { stateOf } from './settlement.ts';

/** An order at one moment. */
export interface OrderMoment {
  readonly row: OrderRow;
  readonly refunds: ReadonlyMap<string, Refund>;
}

/**
 * Tells the event log what an update has changed of its order, each thing once, and nothing where it has changed nothing.
 * The first event says how all of it was before. What a caller refunds or cancels is audited, too; of an order that is
 * processed, its row and its entry stay.
 */
export function emitOrderUpdate(
  tx: Tx,
  { ctx, operation, followsEdits }: OrderItem,
  before: OrderMoment | null,
  after: OrderMoment,
): void {
  const was = before && shownAt(before, followsEdits);
  const data = shownAt(after, followsEdits);
  const newRefunds = [...after.refunds]
    .filter(([refundId, refund]) => before?.refunds.get(refundId) !== refund)
    .map(([refundId, refund]) => presentRefund(refundId, refund));
  const previous = was === null ? {} : changesOf(was, data);
  const told = [
    ...(!data.waiting && was?.waiting !== false ? [{ type: 'order.processed', data } as const] : []),
    ...(newRefunds.length > 0 ? [{ type: 'order.refunded', data: { ...data, newRefunds } } as const] : []),
    ...(data.cancelled && was?.cancelled !== true ? [{ type: 'order.cancelled', data } as const] : []),
  ];
  if (told.length === 0 && (was === null || Object.keys(previous).length > 0))
    recordEvent(tx, ctx, { ...placeOf(after.row), type: 'order.updated', data, previous });
  for (const [place, event] of told.entries())
    recordEvent(tx, ctx, { ...placeOf(after.row), ...event, previous: place === 0 ? previous : {} });
  if (told.length > 0 && (operation === 'refundOrder' || operation === 'cancelOrder'))
    auditChange(tx, ctx, operation, was, data, newRefunds);
}

/** Tells of the early cancellation of an order that was taken back. */
export function emitOrderWithdrawal(
  tx: Tx,
  ctx: ActorCtx,
  before: OrderMoment,
  after: OrderMoment,
  followsEdits: boolean,
): void {
  const [was, data] = [shownAt(before, followsEdits), shownAt(after, followsEdits)];
  recordEvent(tx, ctx, {
    ...placeOf(after.row),
    type: 'order.updated',
    data,
    previous: changesOf(was, data),
  });
  auditChange(tx, ctx, 'withdrawCancellation', was, data, []);
}

type Shown = ReturnType<typeof presentOrder>;

/** As lists show it: what was bought is none of an event's business. */
function shownAt({ row, refunds }: OrderMoment, followsEdits: boolean): Shown {
  return presentOrder(row, refundedOf(stateOf(row, refunds)), followsEdits);
}

/** When it was updated changes with each repetition. */
function changesOf(was: Shown, data: Shown): Partial<Shown> {
  const { updatedAt } = data;
  return changedProperties({ ...was, updatedAt }, data).previous;
}

function placeOf({ passId, instanceId }: OrderRow) {
  return { passId, instanceId };
}

function auditChange(
  tx: Tx,
  ctx: ActorCtx,
  action: 'refundOrder' | 'cancelOrder' | 'withdrawCancellation',
  was: Shown | null,
  data: Shown,
  newRefunds: readonly ReturnType<typeof presentRefund>[],
): void {
  const detail = { storeId: data.storeId, before: was && booked(was), after: booked(data) };
  audit(tx, ctx, {
    action,
    target: data.orderId,
    detail: newRefunds.length === 0 ? detail : { ...detail, newRefunds },
  });
}

function booked({ status, refunded, points }: Shown) {
  return { status, refunded, points };
}
