import type { Static } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { Cause } from '../ledger/account.ts';
import * as ledger from '../ledger/account-ledger.ts';
import type { LedgerRules } from '../passes/programs/ledger-rules.ts';
import { claimsOf, type Described, type Posted } from './ledger-item.ts';
import { type Redemption, targetOf } from './loyalty.schema.ts';

/** What was redeemed, and what is left. */
export interface RedeemState {
  readonly rewardTitle: string;
  readonly spent: number;
  readonly balance: number;
  readonly pendingRewards: number;
}

/**
 * Uses a reward: points that it costs, or one that stamps have unlocked. Of its own it raises `insufficient_points` and
 * `no_reward_pending`, and has changed nothing then.
 */
export function redeemReward(
  ctx: KeyCtx,
  body: Static<typeof Redemption>,
  key: string | null,
): Described<RedeemState> {
  const { passId, partnerId = null } = body;
  const target = targetOf(body);
  return {
    ctx,
    operation: 'redeemReward',
    claims: claimsOf(ctx, 'redeemReward', passId, { key, effect: [passId, target] }),
    names: [],
    externalRef: key,
    passId,
    partnerId,
    target,
    reason: null,
    occurredAt: null,
    mustBeActive: true,
    mayBeVoided: false,
    spends: true,
    undone: null,
    decide: redeem,
  };
}

function redeem(account: ledger.AccountLedger, { program }: LedgerRules, cause: Cause): Posted<RedeemState> {
  const { rewardCost, rewardTitle, threshold } = program;
  const balance = ledger.spendable(account, cause.at);
  if (rewardCost === null) {
    if (account.account.pendingRewards === 0) {
      throw refusal(
        'no_reward_pending',
        `No reward is pending: ${balance} of ${threshold}. POST /loyalty/points earns them.`,
        { balance, threshold },
      );
    }
    ledger.expireDue(account, cause);
    const { entry, reward } = ledger.redeemPending(account, cause);
    return { entry, state: { rewardTitle: reward.title, spent: 0, ...stateOf(account) } };
  }
  if (balance < rewardCost) {
    throw refusal(
      'insufficient_points',
      `The reward costs ${rewardCost} and the balance is ${balance}. Nothing was deducted.`,
      { balance, cost: rewardCost },
    );
  }
  ledger.expireDue(account, cause);
  const entry = ledger.spend(account, cause, 'redeem', rewardCost);
  return { entry, state: { rewardTitle, spent: rewardCost, ...stateOf(account) } };
}

function stateOf({ account: { balance, pendingRewards } }: ledger.AccountLedger) {
  return { balance, pendingRewards };
}
