import type { CallOptions } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { path } from '../core/request.ts';
import { Resource } from '../core/resource.ts';
import type { Result } from '../core/result.ts';
import type {
  CancelledOrder,
  CancelOrderBody,
  GetOrderQuery,
  ListedOrder,
  ListOrdersQuery,
  NewOrder,
  NewRefund,
  Order,
  ProcessedOrder,
  RefundedOrder,
  WithdrawCancellationQuery,
} from '../types.ts';

export class OrdersResource extends Resource {
  /**
   * Process Order: find the holder or issue a card, and award by the earn rule.
   *
   * Idempotent by orderId and store: a repeat answers the first result and awards nothing again, whatever
   * its amounts. Finds the holder by customer.id, then by e-mail address, or by the telephone number
   * where that is all that is sent; else issues a card. All of it happens, or nothing.
   *
   * Refused with `pass_not_found`, `no_loyalty_program`, `program_not_launched`, `program_inactive`,
   * `forbidden`, `store_not_found`, `partner_not_found`, `pool_exhausted`.
   */
  process(body: NewOrder, options?: CallOptions): Promise<ProcessedOrder & Result> {
    return this.sender.json<ProcessedOrder>(
      { method: 'POST', path: '/orders/process', body, key: 'header' },
      options,
    );
  }

  /**
   * List orders.
   *
   * Those that became known last come first; each without its items and single refunds. `waiting`: orders
   * without a card, of which a refund or a cancellation came early, or that are not paid. Keys that are
   * restricted to passes see the orders of these.
   *
   * Refused with `forbidden`, `pass_not_found`, `instance_not_found`, `store_not_found`.
   */
  list(query?: ListOrdersQuery, options?: CallOptions): List<ListedOrder> {
    return this.sender.list<ListedOrder>({ method: 'GET', path: '/orders', query }, options);
  }

  /**
   * An order, and what it has earned.
   *
   * With its refunds, and what it earns after them.
   *
   * Refused with `forbidden`, `order_not_found`, `store_not_found`.
   */
  get(orderId: string, query?: GetOrderQuery, options?: CallOptions): Promise<Order & Result> {
    return this.sender.json<Order>({ method: 'GET', path: path`/orders/${orderId}`, query }, options);
  }

  /**
   * Refund an order, in full or in part.
   *
   * Takes back what the order has earned for the money, by the rule that it was processed with.
   * Idempotent by refundId; refunds add up in any order. A refund of an order that is not known yet waits
   * for it. One beyond what is left of a known order is refused, with `refundable`; what a store itself
   * reports is believed.
   *
   * Refused with `forbidden`, `order_not_found`, `store_not_found`, `refund_exceeds_order`.
   */
  refund(orderId: string, body: NewRefund, options?: CallOptions): Promise<RefundedOrder & Result> {
    return this.sender.json<RefundedOrder>(
      { method: 'POST', path: path`/orders/${orderId}/refunds`, body, key: 'header' },
      options,
    );
  }

  /**
   * Cancel an order: it earns nothing.
   *
   * Takes back what the order has earned; again is the same. With `early`, a cancellation of an order
   * that is not known yet waits for it: `GET /orders?waiting=true` shows it, and `DELETE
   * /orders/{orderId}/cancel` takes it back.
   *
   * Refused with `forbidden`, `order_not_found`, `store_not_found`.
   */
  cancel(orderId: string, body?: CancelOrderBody, options?: CallOptions): Promise<CancelledOrder & Result> {
    return this.sender.json<CancelledOrder>(
      { method: 'POST', path: path`/orders/${orderId}/cancel`, body, key: 'header' },
      options,
    );
  }

  /**
   * Take back the cancellation of an order that has not come.
   *
   * Refunds that wait for the order stay. Once the order has come, its cancellation stands.
   *
   * Refused with `forbidden`, `order_not_found`, `store_not_found`, `cancel_not_reversible`.
   */
  withdrawCancellation(
    orderId: string,
    query?: WithdrawCancellationQuery,
    options?: CallOptions,
  ): Promise<Result> {
    return this.sender.json<object>(
      { method: 'DELETE', path: path`/orders/${orderId}/cancel`, query, key: 'header' },
      options,
    );
  }
}
