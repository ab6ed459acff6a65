import type { KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { decodeId, encodeId } from '../kit/ids.ts';
import type { Cause, NewEntry } from '../ledger/account.ts';
import * as ledger from '../ledger/account-ledger.ts';
import type { LedgerRules } from '../passes/programs/ledger-rules.ts';
import type { ProgramReward, ProgramRow } from '../passes/programs/program-row.ts';
import { rewardsOf } from '../passes/programs/rewards.ts';
import { auditOf, type LedgerRequest, type Posted } from './ledger-item.ts';
import type { RedemptionBody } from './loyalty.schema.ts';
import { targetOf } from './target.schema.ts';
import { tillCall } from './till-call.ts';

/** What was redeemed, and what is left. */
export interface RedeemState {
  readonly rewardId: string;
  readonly rewardTitle: string;
  readonly spent: number;
  readonly balance: number;
  readonly pendingRewards: number;
}

/**
 * Uses a reward, the first one unless another is named: points that it costs, or one that stamps have unlocked. Of its own
 * it raises `insufficient_points`, `no_reward_pending`, and `invalid_request` for a reward that is none, and has changed
 * nothing then.
 */
export function redeemReward(
  ctx: KeyCtx,
  body: RedemptionBody,
  key: string | null,
): LedgerRequest<RedeemState> {
  const { rewardId = null } = body;
  const target = targetOf(body);
  return {
    ...tillCall(ctx, 'redeemReward', body, { target, key, effect: rewardId === null ? [] : [rewardId] }),
    counts: 'points',
    spends: true,
    decide: (ledger, rules, cause) => redeem(ledger, rules, cause, rewardId),
  };
}

/** `rewardId` is a public id. */
function redeem(
  account: ledger.AccountLedger,
  { program }: LedgerRules,
  cause: Cause,
  rewardId: string | null,
): Posted<RedeemState> {
  return program.rewardCost === null
    ? redeemUnlocked(account, program, cause, rewardId)
    : spendPoints(account, rewardOf(program, rewardId), cause);
}

function redeemUnlocked(
  account: ledger.AccountLedger,
  { threshold }: ProgramRow,
  cause: Cause,
  rewardId: string | null,
): Posted<RedeemState> {
  const balance = ledger.spendable(account, cause.at);
  if (account.account.pendingRewards === 0) {
    throw refusal(
      'no_reward_pending',
      `No reward is pending: ${balance} of ${threshold}. POST /loyalty/points earns them.`,
      { balance, threshold },
    );
  }
  const reward = ledger.findPending(account, rewardId === null ? null : (decodeId('rew', rewardId) ?? ''));
  if (reward === undefined) {
    if (rewardId === null) throw new Error('the account counts a pending reward that no entry has unlocked');
    throw invalidField(
      'rewardId',
      'reference',
      `no pending reward of this card, or no longer one. ${listed}`,
    );
  }
  ledger.expireDue(account, cause);
  const entry = ledger.redeemPending(account, cause, reward);
  return redeemed(account, reward, entry, 0);
}

function spendPoints(
  account: ledger.AccountLedger,
  reward: ProgramReward,
  cause: Cause,
): Posted<RedeemState> {
  const { cost } = reward;
  const balance = ledger.spendable(account, cause.at);
  if (balance < cost) {
    throw refusal(
      'insufficient_points',
      `The reward costs ${cost} and the balance is ${balance}. Nothing was deducted.`,
      { balance, cost },
    );
  }
  ledger.expireDue(account, cause);
  const entry = ledger.spend(account, cause, 'redeem', cost, reward);
  return redeemed(account, reward, entry, cost);
}

/** The reward that points are to buy. */
function rewardOf(program: ProgramRow, publicId: string | null): ProgramReward {
  const rewardId = publicId === null ? null : decodeId('rew', publicId);
  const reward = rewardsOf(program).find((one) => publicId === null || one.rewardId === rewardId);
  if (reward === undefined) throw invalidField('rewardId', 'reference', `none of this program. ${listed}`);
  if (reward.status === 'hidden')
    throw invalidField(
      'rewardId',
      'reference',
      `this reward is hidden, so that it cannot be redeemed. ${listed}`,
    );
  return reward;
}

const listed = 'GET /loyalty/rewards lists those that a card can redeem.';

function redeemed(
  { account: { instanceId, balance, pendingRewards } }: ledger.AccountLedger,
  reward: Pick<ProgramReward, 'rewardId' | 'title'>,
  entry: NewEntry,
  spent: number,
): Posted<RedeemState> {
  const rewardId = encodeId('rew', reward.rewardId);
  return {
    entry,
    state: { rewardId, rewardTitle: reward.title, spent, balance, pendingRewards },
    audit: auditOf(entry, encodeId('inst', instanceId), { rewardId }),
  };
}
