import { LostRace } from '../kit/db/database-errors.ts';
import { encodeId } from '../kit/ids.ts';
import type { Cause } from '../ledger/account.ts';
import { type AccountLedger, expireDue } from '../ledger/account-ledger.ts';
import { undoPoints } from '../ledger/undo.ts';
import { limitOf, multiplierOf, postEarn } from '../loyalty/earn-points.ts';
import type { LedgerItem, Posted } from '../loyalty/ledger-item.ts';
import { type AccountState, presentState } from '../loyalty/loyalty.schema.ts';
import type { LedgerRules } from '../passes/programs/ledger-rules.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';
import { refuseInactive } from './find-cards.ts';
import type { OrderItem } from './order-item.ts';
import { learn, type OrderRule, pointsDue } from './order-state.ts';
import { type Settled, type Settlement, stateAfter } from './settlement.ts';

/** The ledger call of an order; null where it has no card, so that there is nothing to earn or lose. */
export function ledgerItemOf(settlement: Settlement): LedgerItem<AccountState> | null {
  const { items, row, instanceId } = settlement;
  if (instanceId === null) return null;
  const [item] = items;
  const isFirst = row.rule === null;
  return {
    ctx: item.ctx,
    operation: item.operation,
    externalRef: null,
    passId: item.passId ?? encodeId('pass', row.passId ?? ''),
    partnerId: isFirst ? item.partnerId : null,
    target:
      row.accountId === null ? { instanceId: encodeId('inst', instanceId) } : { accountId: row.accountId },
    reason: null,
    occurredAt: stateAfter(settlement).placedAt,
    mustBeActive: isFirst,
    mayBeVoided: true,
    spends: !isFirst,
    undone: isFirst ? null : { points: row.points, expiresAt: row.pointsExpireAt },
    ...(isFirst && { check: refuseInactive }),
    decide(ledger, rules, cause, card, isExpired = false) {
      // It is no longer the holder's present card: the transaction starts again and finds the current one.
      if (isFirst && card.status === 'voided') throw new LostRace();
      if (isFirst) settlement.partnerId = cause.partnerId;
      settlement.cardHasExpired = isExpired;
      const ofOrder = { ...cause, partnerId: settlement.partnerId, orderId: item.order.orderId };
      const pieces = item.operation === 'refundOrder' ? items.map((one) => [one]) : [items];
      return pieces
        .map((updates) => settle(settlement, updates, ledger, rules, ofOrder))
        .reduce((before, one) => ({ ...one, entry: one.entry ?? before.entry }));
    },
  };
}

/** Posts the difference between the order's points after and before the updates. */
function settle(
  settlement: Settlement,
  updates: readonly OrderItem[],
  ledger: AccountLedger,
  rules: LedgerRules,
  cause: Cause,
): Posted<AccountState> {
  const before = settlement.settled;
  const { followsEdits } = settlement.items[0];
  const state = updates.reduce((known, item) => learn(known, item.update), settlement.state);
  const rule = before.rule ?? ruleOf(ledger, rules.program);
  const due = before.limitedBy === null ? pointsDue(state, rule, followsEdits) : 0;
  // Points that a refund could not subtract were waived, and are not waived a second time.
  const missing = due - before.credited;
  const { gained, ...posted } =
    missing > 0
      ? earn(settlement, ledger, rules, cause, missing)
      : undo(before, ledger, rules, cause, before.points - due);
  const limitedBy = posted.entry?.limitedBy ?? before.limitedBy;
  settlement.state = state;
  settlement.settled = {
    rule,
    limitedBy,
    points: limitedBy === null ? due : 0,
    credited: before.credited + gained,
    accountId: posted.entry === null ? before.accountId : ledger.account.accountId,
    pointsExpireAt: gained > 0 ? (posted.entry?.expiresAt ?? null) : before.pointsExpireAt,
  };
  for (const item of updates) settlement.results.set(item, { state, settled: settlement.settled, gained });
  return posted;
}

/** The rules of the order from now on: the program's rule, and the factor of the card's present tier. */
function ruleOf({ account }: AccountLedger, program: ProgramRow): OrderRule {
  const multiplier = multiplierOf(account, program);
  return multiplier === 1 ? program.earn : { ...program.earn, multiplier };
}

type Gain = Posted<AccountState> & { readonly gained: number };

/** A limit of the program, and an expired card, count for what an order earns first, not for what corrects it. */
function earn(
  { cardHasExpired, settled }: Settlement,
  ledger: AccountLedger,
  rules: LedgerRules,
  cause: Cause,
  points: number,
): Gain {
  const limit = () => {
    if (cardHasExpired && settled.points === 0) return 'instance_expired';
    return settled.rule === null ? limitOf(ledger, rules.program, cause, points) : null;
  };
  const posted = postEarn(ledger, rules, cause, points, limit);
  return { ...posted, gained: posted.entry?.points ?? 0 };
}

function undo(
  { pointsExpireAt }: Settled,
  ledger: AccountLedger,
  { program }: LedgerRules,
  cause: Cause,
  points: number,
): Gain {
  if (points <= 0) return { entry: null, state: presentState(ledger.account, program, 0), gained: 0 };
  const today = { ...cause, occurredAt: cause.at };
  expireDue(ledger, today);
  const undone = undoPoints(ledger, program, today, { points, expiresAt: pointsExpireAt });
  const taken = undone?.taken ?? 0;
  return {
    entry: undone?.entry ?? null,
    state: presentState(ledger.account, program, -taken),
    gained: taken === 0 ? 0 : -taken,
  };
}
