import { fittingName, fittingPhone } from '../../cards/keep-holder.ts';
import type { OrderCustomer, StoreOrder } from '../../connectors/connector.ts';
import type { ActorCtx } from '../../context.ts';
import { parseMoney } from '../../kit/http/schemas/money.ts';
import { encodeId } from '../../kit/ids.ts';
import { normalEmail } from '../../kit/mail/address.ts';
import { identifierOf } from '../../stores/store-row.ts';
import type { OrderHolder, OrderItem } from '../order-item.ts';
import { cancelledForGood, mostRefunds } from '../order-state.ts';
import { findKnownOrder } from '../orders.sql.ts';
import { submitOrder } from '../record-orders.ts';

/** What an order needs to know of its store. */
export interface OrderStore {
  readonly storeId: string;
  readonly domain: string;
  /** The pass on whose cards its orders earn; null: they earn nothing. */
  readonly passId: string | null;
  readonly followsEdits: boolean;
  /** Orders that were placed earlier are ignored. */
  readonly connectedAt: Date;
}

/**
 * Records the state of an order as a store reports it. States may arrive in any sequence and repeatedly. Ignores trials,
 * orders from before the store was connected, and orders of a store without a pass. Raises the refusals of Process Order;
 * many of them are temporary, and the caller retries.
 */
export async function recordStoreOrder(ctx: ActorCtx, store: OrderStore, sent: StoreOrder): Promise<void> {
  if (sent.state?.test === true) return;
  await submitOrder(ctx, () => describe(ctx, store, sent));
}

/** Null if the order is to be ignored. */
async function describe(ctx: ActorCtx, store: OrderStore, sent: StoreOrder): Promise<OrderItem | null> {
  const { state } = sent;
  const order = { source: store.storeId, orderId: sent.orderId };
  const row = await findKnownOrder(ctx.app.database.db, ctx.workspaceId, order);
  const passId = row?.passId ?? store.passId;
  if (passId === null) return null;
  if (state !== null && state.placedAt < store.connectedAt && row?.passId == null) return null;
  return {
    ctx,
    operation: 'recordOrder',
    order,
    claims: [],
    names: [],
    passId: encodeId('pass', passId),
    update: updateOf(sent),
    customer: state?.customer == null ? null : await holderOf(ctx, store, state.customer),
    partnerId: null,
    items: null,
    followsEdits: store.followsEdits,
    // Stores are trusted: their reports have no other source that could correct them.
    unfit: () => null,
    present: () => ({ status: 200, body: null }),
  };
}

function updateOf({ state, refunds, deleted }: StoreOrder): OrderItem['update'] {
  if (deleted) return cancelledForGood;
  return {
    state: state && { ...state, total: parseMoney('total', state.total), number: state.number ?? null },
    // Values beyond the limits would be refused, and no caller could correct them.
    refunds: refunds
      .slice(0, mostRefunds)
      .map(({ refundId, amount }) => ({ refundId, amount: parseMoney('amount', amount) })),
  };
}

/** The holder of a new card. Leaves out values that a card cannot hold, except a telephone number. */
async function holderOf(
  ctx: ActorCtx,
  store: OrderStore,
  { customerId, email, phone, name }: OrderCustomer,
): Promise<OrderHolder | null> {
  const address = normalEmail(email ?? '');
  const identifier = customerId === null ? address : identifierOf(store, customerId);
  if (identifier === null) return null;
  return {
    identifier,
    email: address,
    ...(await fittingPhone(ctx, phone)),
    number: null,
    name: fittingName(name),
  };
}
