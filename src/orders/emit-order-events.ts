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
 * Emits what an update has changed of its order: an event for each kind of change, and none if nothing has changed. The
 * first event has all previous values. Refunds and cancellations by a caller are audited, too; a processed order is
 * documented by its row and its ledger entry.
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
  const events = [
    ...(!data.waiting && was?.waiting !== false ? [{ type: 'order.processed', data } as const] : []),
    ...(newRefunds.length > 0 ? [{ type: 'order.refunded', data: { ...data, newRefunds } } as const] : []),
    ...(data.cancelled && was?.cancelled !== true ? [{ type: 'order.cancelled', data } as const] : []),
  ];
  if (events.length === 0 && (was === null || Object.keys(previous).length > 0))
    recordEvent(tx, ctx, { ...placeOf(after.row), type: 'order.updated', data, previous });
  for (const [index, event] of events.entries())
    recordEvent(tx, ctx, { ...placeOf(after.row), ...event, previous: index === 0 ? previous : {} });
  if (events.length > 0 && (operation === 'refundOrder' || operation === 'cancelOrder'))
    auditChange(tx, ctx, operation, was, data, newRefunds);
}

/** Emits the withdrawal of an order's early cancellation. */
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

/** The order as lists show it. Events do not contain what was bought. */
function shownAt({ row, refunds }: OrderMoment, followsEdits: boolean): Shown {
  return presentOrder(row, refundedOf(stateOf(row, refunds)), followsEdits);
}

/** Leaves out `updatedAt`, which changes with each repetition. */
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
