import { fittingPhone } from '../cards/keep-holder.ts';
import type { KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { type ApiError, invalidField } from '../kit/http/api-error.ts';
import { normalText } from '../kit/http/endpoints/parameters.ts';
import { type MinorUnits, parseMoney, presentMoney } from '../kit/http/schemas/money.ts';
import { foldAddress } from '../kit/mail/address.ts';
import { pastMoment } from '../loyalty/earn-points.ts';
import { maySeePass } from '../passes/find-pass.ts';
import { requireNumber } from '../workspaces/phone-country.ts';
import { findOrder, orderNotFound, sourceOf } from './find-order.ts';
import type { CancellationBody, NewOrderBody, NewRefundBody } from './new-order.schema.ts';
import { presentCorrection, presentProcessed } from './order.schema.ts';
import { claimsFor, nameOf, type OrderHolder, type OrderItem, type RecordedOrder } from './order-item.ts';
import { cancelledForGood, isForeign, isKnown, type OrderState, refundedOf, totalOf } from './order-state.ts';

/**
 * A paid order: it earns by the program's rule on the card of its customer, who gets one if there is none. Once by
 * orderId and store: a repeat answers the first result, whatever its amounts. Raises, of its own, `store_not_found` and
 * `forbidden` for the store, and `invalid_request`.
 */
export async function processOrder(ctx: KeyCtx, body: NewOrderBody, key: string | null) {
  const { passId, orderId, number = null, partnerId = null, items = null, occurredAt = null } = body;
  const { source, followsEdits } = await sourceOf(ctx, body.storeId);
  const order = { source, orderId: normalText('orderId', orderId) };
  const now = ctx.app.now();
  const total = parseMoney('total', body.total);
  return {
    ctx,
    operation: 'processOrder' as const,
    order,
    // A key that does not reach the pass is refused before it is shown an answer.
    claims: maySeePass(ctx, passId) ? claimsFor(ctx, 'processOrder', order, { effect: [passId], key }) : [],
    names: [nameOf(order)],
    passId,
    update: {
      state: {
        // Any state that a store reports is newer.
        version: 0,
        paid: true,
        cancelled: false,
        total,
        placedAt: occurredAt === null ? now : pastMoment(occurredAt, now),
        number,
      },
      refunds: [],
    },
    customer: await holderOf(ctx, body.customer),
    partnerId,
    items,
    followsEdits,
    unfit: (before) =>
      isForeign(before, total)
        ? invalidField('total.currency', 'other', `the store has sent this order in ${before.currency}.`)
        : null,
    present: (settled: RecordedOrder) => presentProcessed(settled, followsEdits),
  } satisfies OrderItem;
}

/** Raises `invalid_request` for a customer whom nothing names. */
async function holderOf(
  ctx: KeyCtx,
  { id, email, phone, name }: NewOrderBody['customer'],
): Promise<OrderHolder> {
  const address = email == null ? null : normalText('customer.email', foldAddress(email), 254);
  const isAlone = id == null && address === null && phone != null;
  const number = isAlone ? await requireNumber(ctx, 'customer.phone', phone) : null;
  const identifier = id == null ? (address ?? number) : normalText('customer.id', id);
  if (identifier === null)
    throw invalidField(
      'customer',
      'required',
      'send an id, an email or a phone, by which the card of the customer is found.',
    );
  return {
    identifier,
    email: address,
    ...(await fittingPhone(ctx, phone ?? null)),
    number,
    name: name ?? null,
  };
}

/**
 * A refund: what the order has earned for the money is taken away again, by the rule that it was processed with. Refunds
 * add up, in any order; one of an order that is not known yet waits for it. Once by refundId. Raises `invalid_request`
 * for another currency than the order's, `refund_exceeds_order`, and what `findOrder` raises.
 */
export async function refundOrder(ctx: KeyCtx, orderId: string, body: NewRefundBody, key: string | null) {
  const { order, passId, followsEdits } = await findOrder(ctx, orderId, body.storeId);
  const amount = parseMoney('amount', body.amount);
  const refundId = normalText('refundId', body.refundId);
  return {
    ctx,
    operation: 'refundOrder' as const,
    order,
    claims: claimsFor(ctx, 'refundOrder', order, {
      names: [refundId],
      effect: [amount.minor, amount.currency],
      key,
    }),
    names: [],
    passId,
    update: { state: null, refunds: [{ refundId, amount }] },
    customer: null,
    partnerId: null,
    items: null,
    followsEdits,
    unfit: (before, after) => excessOf(amount, before, after, followsEdits),
    present: (settled: RecordedOrder) => {
      const { status, body } = presentCorrection(settled);
      const { orderId: id, ...rest } = body;
      return { status, body: { orderId: id, refundId, ...rest } };
    },
  } satisfies OrderItem;
}

/** Why a refund through the API does not fit the order, as that is before and would be after it. */
function excessOf(
  amount: MinorUnits,
  before: OrderState,
  after: OrderState,
  followsEdits: boolean,
): ApiError | null {
  const total = totalOf(before, followsEdits);
  if (before.currency === null || total === null) return null;
  if (amount.currency !== before.currency)
    return invalidField('amount.currency', 'other', `the order was placed in ${before.currency}.`);
  const refunded = refundedOf(before);
  if (refundedOf(after) <= Math.max(refunded, total)) return null;
  const refundable = presentMoney({ ...amount, minor: Math.max(0, total - refunded) });
  return refusal(
    'refund_exceeds_order',
    `amount: ${refundable.amount} ${refundable.currency} of the order is left to be refunded.`,
    { refundable },
  );
}

/**
 * The cancellation of an order: it earns nothing, whatever else is reported of it. One of an order that is not known yet
 * waits for it, if it is said to be early. Raises `order_not_found` otherwise, and what `findOrder` raises.
 */
export async function cancelOrder(
  ctx: KeyCtx,
  orderId: string,
  { storeId, early = false }: CancellationBody,
  key: string | null,
) {
  const { order, passId, followsEdits } = await findOrder(ctx, orderId, storeId);
  return {
    ctx,
    operation: 'cancelOrder' as const,
    order,
    claims: claimsFor(ctx, 'cancelOrder', order, { effect: [], key }),
    names: [nameOf(order)],
    passId,
    update: cancelledForGood,
    customer: null,
    partnerId: null,
    items: null,
    followsEdits,
    unfit: (before) => (early || isKnown(before) ? null : orderNotFound(sendEarly)),
    present: (settled: RecordedOrder) => presentCorrection(settled),
  } satisfies OrderItem;
}

const sendEarly = 'Send {"early":true} to cancel one that is still to come.';
