import type { KeyCtx } from '../context.ts';
import { invalidField } from '../kit/http/api-error.ts';
import type { Account, Cause, NewEntry } from '../ledger/account.ts';
import { type AccountLedger, add, earnNothing, expireDue, spendable } from '../ledger/account-ledger.ts';
import type { LedgerRules } from '../passes/programs/ledger-rules.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';
import { tierOf, timesMultiplier } from '../passes/programs/tiers.ts';
import type { Role } from '../people/roles.ts';
import type { LedgerRequest, Posted } from './ledger-item.ts';
import { type AccountState, type AwardBody, presentState } from './loyalty.schema.ts';
import { refuseOverfull, textOf } from './money-on-card.ts';
import { targetOf } from './target.schema.ts';
import { tillCall } from './till-call.ts';

/** Where an account stands after an award, and the limit that has made it one of nothing. */
export type EarnState = AccountState & { readonly limitedBy?: Limit };

type Limit = 'min_seconds_between' | 'per_day';

/** Why something earns nothing: only orders are kept of an expired card, an award is refused. */
export type EarnsNothing = Limit | 'instance_expired';

/**
 * An award of points or stamps. It raises, of its own, `invalid_request` for more than one award may give, where points would
 * expire as they are earned, for a balance that would become too large, and for more than a hundred rewards at once.
 */
export function earnPoints(ctx: KeyCtx, body: AwardBody, key: string | null): LedgerRequest<EarnState> {
  const { points, occurredAt = null } = body;
  const target = targetOf(body);
  const { kind, role } = ctx.key;
  return {
    ...tillCall(ctx, 'earnPoints', body, { target, key, effect: [points] }),
    occurredAt: occurredAt === null ? null : pastMoment(occurredAt, ctx.app.now()),
    counts: 'points',
    spends: false,
    decide(ledger, rules, cause) {
      refuseAbove(rules.program, kind === 'person' ? role : null, points);
      const earned = applyTierMultiplier(ledger, rules.program, points);
      return postEarn(ledger, rules, cause, earned, () => limitOf(ledger, rules.program, cause, earned));
    },
  };
}

/** Refuses more points than one award may give, and people of a role where they may give others. */
export function refuseAbove(
  { perAward, perAwardByRole, currency }: ProgramRow,
  role: Role | null,
  points: number,
): void {
  const own = role === null ? undefined : perAwardByRole[role];
  const limit = own ?? perAward;
  if (limit === null || points <= limit) return;
  const name = own === undefined ? 'limits.perAward' : `limits.perAwardByRole.${role}`;
  const [parameter, most] = currency === null ? ['points', limit] : ['amount', textOf(limit, currency)];
  throw invalidField(
    parameter,
    'max_value',
    `one award gives ${most} at most: ${name} of the program. Award less.`,
    { limit },
  );
}

/**
 * Enters the award, or an award of nothing where `limit` names what forbids it. Raises `invalid_request` where points would expire
 * as they are earned, for a balance that would become too large, and for too many rewards at once.
 */
export function postEarn<By extends EarnsNothing>(
  ledger: AccountLedger,
  rules: LedgerRules,
  cause: Cause,
  points: number,
  limit: () => By | null,
): Posted<AccountState & { readonly limitedBy?: By }> & { readonly entry: NewEntry } {
  const { program } = rules;
  const expiresAt = expiryOf(rules, cause);
  refuseTooMany(ledger, program, cause, points);
  const limitedBy = limit();
  expireDue(ledger, cause);
  if (limitedBy !== null) {
    const entry = earnNothing(ledger, cause, limitedBy);
    return { entry, state: { ...presentState(ledger.account, program, 0), limitedBy } };
  }
  const entry = add(ledger, program, cause, 'earn', points, expiresAt);
  countEarned(ledger, rules, cause, points);
  return { entry, state: presentState(ledger.account, program, points) };
}

/** Multiplies points by the factor of the account's current tier. */
export function applyTierMultiplier({ account }: AccountLedger, program: ProgramRow, points: number): number {
  return timesMultiplier(points, multiplierOf(account, program));
}

/** How many times the tier of an account counts what it earns. */
export function multiplierOf({ lifetimePoints }: Account, { tiers }: ProgramRow): number {
  return tierOf({ tiers, lifetimePoints })?.multiplier ?? 1;
}

/** The limit that an award would break: `min_seconds_between` before `per_day`. */
export function limitOf(
  { account }: AccountLedger,
  program: ProgramRow,
  { at }: Cause,
  points: number,
): Limit | null {
  const { minSecondsBetween, perDay } = program;
  const { lastEarnedAt, dayEndsAt, earnedThatDay } = account;
  if (minSecondsBetween !== null && lastEarnedAt !== null) {
    if (at.getTime() - lastEarnedAt.getTime() < minSecondsBetween * 1_000) return 'min_seconds_between';
  }
  const today = dayEndsAt !== null && at < dayEndsAt ? earnedThatDay : 0;
  return perDay !== null && today + points > perDay ? 'per_day' : null;
}

/**
 * Refuses what would make more of a balance, or with `earned` of lifetime points, than a number can say, or unlock more
 * rewards than a merchant means.
 */
export function refuseTooMany(
  ledger: AccountLedger,
  program: ProgramRow,
  { at }: Cause,
  points: number,
  earned = points,
): void {
  const { lifetimePoints } = ledger.account;
  const balance = spendable(ledger, at) + points;
  if (balance > Number.MAX_SAFE_INTEGER || lifetimePoints + earned > Number.MAX_SAFE_INTEGER)
    throw invalidField('points', 'max_value', 'the balance would exceed 9007199254740991.');
  refuseOverfull(program, balance, 'points');
  refuseManyRewards(program, { before: balance - points, after: balance }, 'points');
}

/**
 * Refuses what would unlock an implausible number of rewards, besides those that a lowered threshold has left to unlock.
 * `name` is what the caller calls the figure.
 */
export function refuseManyRewards(
  program: ProgramRow,
  balance: { readonly before: number; readonly after: number },
  name: string,
): void {
  const rewardsIn = (points: number) =>
    Math.floor(Math.max(0, points) / (program.threshold ?? Number.POSITIVE_INFINITY));
  const rewards = rewardsIn(balance.after) - rewardsIn(balance.before);
  if (rewards > mostRewards) {
    throw invalidField(
      name,
      'max_items',
      `this would unlock ${rewards} rewards at once. At most ${mostRewards} are; award less.`,
      { limit: mostRewards },
    );
  }
}

const mostRewards = 100;

/** When points of this cause expire. Raises `invalid_request` where that is over already. */
export function expiryOf(rules: LedgerRules, { at, occurredAt }: Cause): number {
  const expiresAt = rules.expiryOf(occurredAt);
  if (expiresAt <= at.getTime())
    throw invalidField('occurredAt', 'other', 'points that were earned then would have expired already.');
  return expiresAt;
}

function countEarned(ledger: AccountLedger, { dayEndsAt }: LedgerRules, { at }: Cause, points: number): void {
  const { account } = ledger;
  const isSameDay = account.dayEndsAt !== null && at < account.dayEndsAt;
  ledger.account = {
    ...account,
    lastEarnedAt: at,
    dayEndsAt: isSameDay ? account.dayEndsAt : dayEndsAt,
    // What is undone does not come back, so that a day may see more than a balance holds; no limit is above this.
    earnedThatDay: Math.min(Number.MAX_SAFE_INTEGER, points + (isSameDay ? account.earnedThatDay : 0)),
  };
}

/** The moment; raises `invalid_request` for one well ahead, which is a mistake: clocks of tills differ a little. */
export function pastMoment(text: string, now: Date): Date {
  const moment = new Date(text);
  if (moment.getTime() > now.getTime() + toleranceMs)
    throw invalidField('occurredAt', 'past', 'lies in the future. Leave it out for now.');
  return moment;
}

const toleranceMs = 300_000;
