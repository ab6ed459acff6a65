import type { CallOptions } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { path } from '../core/request.ts';
import { Resource } from '../core/resource.ts';
import type { Result } from '../core/result.ts';
import type {
  AdjustBatchBody,
  Adjustment,
  AdjustmentResults,
  Award,
  AwardResults,
  EarnBatchBody,
  Entry,
  GetHolderQuery,
  ListEntriesQuery,
  ListRewardsQuery,
  LoyaltyHolder,
  Posting,
  Preview,
  PreviewedPosting,
  RedeemableReward,
  Redemption,
  RedemptionPosting,
  Reversal,
  ReversalPosting,
} from '../types.ts';

export class LoyaltyResource extends Resource {
  /**
   * Award points or stamps.
   *
   * Idempotent by externalRef: a repeat answers the original result and applies nothing again. An award
   * that a limit of the program forbids is kept as an entry of 0 points, with limitedBy. What happened
   * before the card expired, by its occurredAt, counts.
   *
   * Refused with `no_loyalty_program`, `program_not_launched`, `program_inactive`, `forbidden`,
   * `pass_not_found`, `partner_not_found`, `holder_not_found`, `instance_not_found`, `ambiguous_barcode`,
   * `ambiguous_holder`, `instance_voided`, `instance_expired`.
   */
  earn(body: Award, options?: CallOptions): Promise<Posting & Result> {
    return this.sender.json<Posting>(
      { method: 'POST', path: '/loyalty/points', body, key: 'externalRef' },
      options,
    );
  }

  /**
   * Award points or stamps up to 1,000 times.
   *
   * Each item stands alone: it is applied, repeated or refused whatever becomes of the others. One
   * without an externalRef is repeated under the Idempotency-Key and its place.
   */
  earnBatch(body: EarnBatchBody, options?: CallOptions): Promise<AwardResults & Result> {
    return this.sender.json<AwardResults>(
      { method: 'POST', path: '/loyalty/points/batch', body, key: 'header' },
      options,
    );
  }

  /**
   * What an award or an order would earn.
   *
   * Writes nothing. Names a card to see where its account would stand, or none. Of an expired card an
   * award is refused, and an order earns nothing.
   *
   * Refused with `no_loyalty_program`, `program_not_launched`, `program_inactive`, `forbidden`,
   * `pass_not_found`, `holder_not_found`, `instance_not_found`, `ambiguous_barcode`, `ambiguous_holder`,
   * `instance_voided`, `instance_expired`.
   */
  preview(body?: Preview, options?: CallOptions): Promise<PreviewedPosting & Result> {
    return this.sender.json<PreviewedPosting>(
      { method: 'POST', path: '/loyalty/points/preview', body },
      options,
    );
  }

  /**
   * Redeem a reward.
   *
   * Idempotent by externalRef: a repeat answers the original result and applies nothing again. A refused
   * redeem deducts nothing.
   *
   * Refused with `no_loyalty_program`, `program_not_launched`, `program_inactive`, `forbidden`,
   * `pass_not_found`, `partner_not_found`, `holder_not_found`, `instance_not_found`, `ambiguous_barcode`,
   * `ambiguous_holder`, `instance_voided`, `instance_expired`, `insufficient_points`,
   * `no_reward_pending`.
   */
  redeem(body: Redemption, options?: CallOptions): Promise<RedemptionPosting & Result> {
    return this.sender.json<RedemptionPosting>(
      { method: 'POST', path: '/loyalty/redeem', body, key: 'externalRef' },
      options,
    );
  }

  /**
   * Correct a balance by hand.
   *
   * Idempotent by externalRef: a repeat answers the original result and applies nothing again. Works in
   * every state of the program, and ignores its limits; never below zero.
   *
   * Refused with `no_loyalty_program`, `forbidden`, `pass_not_found`, `partner_not_found`,
   * `holder_not_found`, `instance_not_found`, `ambiguous_barcode`, `ambiguous_holder`, `instance_voided`,
   * `balance_too_low`.
   */
  adjust(body: Adjustment, options?: CallOptions): Promise<Posting & Result> {
    return this.sender.json<Posting>(
      { method: 'POST', path: '/loyalty/adjust', body, key: 'externalRef' },
      options,
    );
  }

  /**
   * The rewards that a card can redeem now.
   *
   * In POINTS those of the program that the balance covers, in its order; in STAMPS those that are
   * pending, the oldest first, each with an id of its own. A redeem takes the first unless it names
   * another. Refused as the redeem would be.
   *
   * Refused with `no_loyalty_program`, `program_not_launched`, `program_inactive`, `forbidden`,
   * `pass_not_found`, `holder_not_found`, `instance_not_found`, `ambiguous_barcode`, `ambiguous_holder`,
   * `instance_voided`, `instance_expired`.
   */
  rewards(query?: ListRewardsQuery, options?: CallOptions): List<RedeemableReward> {
    return this.sender.list<RedeemableReward>({ method: 'GET', path: '/loyalty/rewards', query }, options);
  }

  /**
   * Correct up to 1,000 balances by hand.
   *
   * Each item stands alone: it is applied, repeated or refused whatever becomes of the others. One
   * without an externalRef is repeated under the Idempotency-Key and its place.
   */
  adjustBatch(body: AdjustBatchBody, options?: CallOptions): Promise<AdjustmentResults & Result> {
    return this.sender.json<AdjustmentResults>(
      { method: 'POST', path: '/loyalty/adjust/batch', body, key: 'header' },
      options,
    );
  }

  /**
   * The ledger, newest first.
   *
   * Of one card (instanceId, or identifier and passId), or of all cards of a pass (passId, or programId),
   * which staff do not see. personId and deviceId are of those that people have made, at a shared till;
   * one that is not of the workspace has made none. `include=holder` adds what to call the holder of each
   * card.
   *
   * Refused with `no_loyalty_program`, `forbidden`, `pass_not_found`, `program_not_found`,
   * `instance_not_found`, `holder_not_found`, `partner_not_found`.
   */
  entries(query?: ListEntriesQuery, options?: CallOptions): List<Entry> {
    return this.sender.list<Entry>({ method: 'GET', path: '/loyalty/entries', query }, options);
  }

  /**
   * An entry of the ledger.
   *
   * As the list of entries shows it. What it says never changes, but that its reason goes when its card
   * is erased.
   *
   * Refused with `forbidden`, `entry_not_found`.
   */
  entry(entryId: string, options?: CallOptions): Promise<Entry & Result> {
    return this.sender.json<Entry>({ method: 'GET', path: path`/loyalty/entries/${entryId}` }, options);
  }

  /**
   * Undo an earn or a redeem, once.
   *
   * Points return to where they came from. What an earn gave and the holder has spent becomes a debt, or
   * stays with the holder, as the refundPolicy of the program says. Works while the program is paused.
   *
   * Refused with `forbidden`, `entry_not_found`, `entry_not_reversible`, `already_reversed`,
   * `insufficient_value`.
   */
  reverse(entryId: string, body?: Reversal, options?: CallOptions): Promise<ReversalPosting & Result> {
    return this.sender.json<ReversalPosting>(
      { method: 'POST', path: path`/loyalty/entries/${entryId}/reverse`, body, key: 'externalRef' },
      options,
    );
  }

  /**
   * What a holder has.
   *
   * Balance, pending rewards, and what expires next.
   *
   * Refused with `no_loyalty_program`, `forbidden`, `pass_not_found`, `holder_not_found`.
   */
  holder(identifier: string, query: GetHolderQuery, options?: CallOptions): Promise<LoyaltyHolder & Result> {
    return this.sender.json<LoyaltyHolder>(
      { method: 'GET', path: path`/loyalty/holders/${identifier}`, query },
      options,
    );
  }
}
