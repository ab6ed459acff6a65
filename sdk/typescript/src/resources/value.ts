import type { CallOptions } from '../core/options.ts';
import { Resource } from '../core/resource.ts';
import type { Result } from '../core/result.ts';
import type {
  ChargedValue,
  LoadedValue,
  RefundedValue,
  TransferredValue,
  ValueCharge,
  ValueLoad,
  ValueRefund,
  ValueTransfer,
} from '../types.ts';

export class ValueResource extends Resource {
  /**
   * Put money on a card.
   *
   * Idempotent by externalRef: a repeat answers the original result and applies nothing again. In the
   * currency of the program, and never above its `maxBalance`.
   *
   * Refused with `no_loyalty_program`, `program_not_launched`, `program_inactive`, `forbidden`,
   * `pass_not_found`, `partner_not_found`, `holder_not_found`, `instance_not_found`, `ambiguous_barcode`,
   * `ambiguous_holder`, `instance_voided`, `instance_expired`.
   */
  load(body: ValueLoad, options?: CallOptions): Promise<LoadedValue & Result> {
    return this.sender.json<LoadedValue>(
      { method: 'POST', path: '/value/load', body, key: 'externalRef' },
      options,
    );
  }

  /**
   * Pay with the money of a card.
   *
   * Idempotent by externalRef: a repeat answers the original result and applies nothing again. A refused
   * charge takes nothing. With `partial` a card that holds less pays what it has, and `due` is left to
   * pay.
   *
   * Refused with `no_loyalty_program`, `program_not_launched`, `program_inactive`, `forbidden`,
   * `pass_not_found`, `partner_not_found`, `holder_not_found`, `instance_not_found`, `ambiguous_barcode`,
   * `ambiguous_holder`, `instance_voided`, `instance_expired`, `insufficient_value`.
   */
  charge(body: ValueCharge, options?: CallOptions): Promise<ChargedValue & Result> {
    return this.sender.json<ChargedValue>(
      { method: 'POST', path: '/value/charge', body, key: 'externalRef' },
      options,
    );
  }

  /**
   * Give money back to the card that has paid.
   *
   * Idempotent by refundId. What is left of a charge, or a part of it: never more than was charged. Money
   * that has expired since is good again for as long as money that is loaded now. Works while the program
   * is paused.
   *
   * Refused with `forbidden`, `entry_not_found`, `entry_not_reversible`, `already_reversed`,
   * `instance_voided`.
   */
  refund(body: ValueRefund, options?: CallOptions): Promise<RefundedValue & Result> {
    return this.sender.json<RefundedValue>(
      { method: 'POST', path: '/value/refund', body, key: 'header' },
      options,
    );
  }

  /**
   * Move money from one card to another.
   *
   * Both are cards of one pass; without an `amount` all that is there goes. It expires as it would have
   * before. The card that it comes from may be voided, since it was lost.
   *
   * Refused with `no_loyalty_program`, `program_not_launched`, `program_inactive`, `forbidden`,
   * `pass_not_found`, `holder_not_found`, `instance_not_found`, `ambiguous_barcode`, `ambiguous_holder`,
   * `instance_voided`, `instance_expired`, `insufficient_value`.
   */
  transfer(body: ValueTransfer, options?: CallOptions): Promise<TransferredValue & Result> {
    return this.sender.json<TransferredValue>(
      { method: 'POST', path: '/value/transfer', body, key: 'externalRef' },
      options,
    );
  }
}
