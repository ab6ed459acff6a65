import type { KeyCtx } from '../../context.ts';
import { invalidRequest } from '../../kit/http/api-error.ts';
import { parseMoney } from '../../kit/http/money.ts';
import { normalText } from '../../kit/http/parameters.ts';
import { pastMoment } from '../../ledger/earn-points.ts';
import { reachesPass } from '../../passes/find-pass.ts';
import { foldAddress } from '../invites/address.ts';
import { sourceOf } from './find-order.ts';
import { type NewOrderBody, presentProcessed } from './order.schema.ts';
import { claimsFor, nameOf, type OrderHolder, type OrderItem } from './order-item.ts';

/**
 * A paid order: it earns by the program's rule on the card of its customer, who gets one if there is none. Once by
 * orderId and store: a repeat answers the first result, whatever its amounts. Raises, of its own, `store_not_found` and
 * `forbidden` for the store, and `invalid_request`.
 */
export async function processOrder(ctx: KeyCtx, body: NewOrderBody, key: string | null) {
  const { passId, orderId, partnerId = null, items = null, occurredAt = null } = body;
  const { source, followsEdits } = await sourceOf(ctx, body.storeId);
  const order = { source, orderId: normalText('orderId', orderId) };
  const now = ctx.app.now();
  return {
    ctx,
    operation: 'processOrder' as const,
    order,
    // A key that does not reach the pass is refused before it is shown an answer.
    claims: reachesPass(ctx, passId) ? claimsFor(ctx, 'processOrder', order, { effect: [passId], key }) : [],
    names: [nameOf(order)],
    passId,
    news: {
      state: {
        // Whatever a store tells of it is newer.
        version: 0,
        paid: true,
        cancelled: false,
        total: parseMoney('total', body.total),
        placedAt: occurredAt === null ? now : pastMoment(occurredAt, now),
      },
      refunds: [],
    },
    customer: holderOf(body.customer),
    partnerId,
    items,
    followsEdits,
    present: presentProcessed,
  } satisfies OrderItem;
}

/** Raises `invalid_request` for a customer without id and e-mail address. */
function holderOf({ id, email, phone, name }: NewOrderBody['customer']): OrderHolder {
  const address = email == null ? null : normalText('customer.email', foldAddress(email), 254);
  const identifier = id == null ? address : normalText('customer.id', id);
  if (identifier === null)
    throw invalidRequest('customer: send an id or an email, by which the card of the customer is found.');
  return { identifier, email: address, phone: phone ?? null, name: name ?? null };
}
