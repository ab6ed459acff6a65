import type { KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { encodeId } from '../kit/ids.ts';
import type { Cause, NewEntry } from '../ledger/account.ts';
import { type AccountLedger, add, expireDue, spend, spendable } from '../ledger/account-ledger.ts';
import type { LedgerRules } from '../passes/programs/ledger-rules.ts';
import { expiryOf, refuseTooMany } from './earn-points.ts';
import { auditOf, claimsOf, type LedgerRequest, type Posted } from './ledger-item.ts';
import { type AccountState, type AdjustmentBody, presentState } from './loyalty.schema.ts';
import { targetOf } from './target.schema.ts';

/**
 * Corrects a balance by hand, in every state of the program, without its limits. Of its own it raises `balance_too_low`
 * where less than zero would be left.
 */
export function adjustPoints(
  ctx: KeyCtx,
  body: AdjustmentBody,
  key: string | null,
): LedgerRequest<AccountState> {
  const { passId, points, partnerId = null, reason, countsAsEarned = false } = body;
  if (points === 0) throw invalidField('points', 'other', 'must not be 0.');
  const target = targetOf(body);
  return {
    ctx,
    operation: 'adjustPoints',
    claims: claimsOf(ctx, 'adjustPoints', passId, {
      key,
      effect: [passId, target, points, ...(countsAsEarned ? ['earned'] : [])],
    }),
    names: [],
    externalRef: key,
    passId,
    partnerId,
    target,
    reason,
    occurredAt: null,
    mustBeActive: false,
    mayBeVoided: false,
    spends: points < 0,
    undone: null,
    decide: (ledger, rules, cause) => {
      const done = movePoints(ledger, rules, cause, countsAsEarned ? 'adjust' : 'correction', points);
      const target = encodeId('inst', ledger.account.instanceId);
      return { ...done, audit: auditOf(done.entry, target, countsAsEarned ? { countsAsEarned } : {}) };
    },
  };
}

/** Adds points to an account, or takes them where its balance covers them. */
export function movePoints(
  ledger: AccountLedger,
  rules: LedgerRules,
  cause: Cause,
  kind: 'adjust' | 'correction' | 'import',
  points: number,
): Posted<AccountState> & { readonly entry: NewEntry } {
  const { program } = rules;
  const expiresAt = expiryOf(rules, cause);
  if (points > 0) refuseTooMany(ledger, program, cause, points, kind === 'correction' ? 0 : points);
  const balance = spendable(ledger, cause.at);
  if (points < 0 && balance + points < 0) {
    throw refusal(
      'balance_too_low',
      `The balance is ${balance}: at most ${Math.max(0, balance)} can be taken. Nothing was changed.`,
      { balance },
    );
  }
  expireDue(ledger, cause);
  const entry =
    points > 0 ? add(ledger, program, cause, kind, points, expiresAt) : spend(ledger, cause, kind, -points);
  return { entry, state: presentState(ledger.account, program, points) };
}
