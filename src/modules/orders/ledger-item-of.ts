import { encodeId } from '../../kit/ids.ts';
import type { Act } from '../loyalty/account.ts';
import { type Book, expireDue, undoPoints } from '../loyalty/account-book.ts';
import { enterEarn } from '../loyalty/earn-points.ts';
import type { LedgerItem, Posted } from '../loyalty/ledger-item.ts';
import { presentState } from '../loyalty/loyalty.schema.ts';
import type { LedgerRules } from '../programs/ledger-rules.ts';
import type { Draft } from './draft.ts';
import { learn, pointsDue } from './order-state.ts';

/** What the ledger is asked for an order; null where it has no card, so that there is nothing to earn or lose. */
export function ledgerItemOf(draft: Draft): LedgerItem | null {
  const { item, row, instanceId, state } = draft;
  if (instanceId === null) return null;
  const isFirst = row.rule === null;
  return {
    ctx: item.ctx,
    operation: item.operation,
    // The order keeps its own claim.
    key: null,
    effect: null,
    passId: item.passId ?? encodeId('pass', row.passId ?? ''),
    partnerId: null,
    target:
      row.accountId === null ? { instanceId: encodeId('inst', instanceId) } : { accountId: row.accountId },
    reason: null,
    occurredAt: learn(state, item.news).placedAt,
    mustBeActive: isFirst,
    mayBeVoided: !isFirst,
    spends: !isFirst,
    undone: isFirst ? null : { points: row.points, expiresAt: row.pointsExpireAt },
    decide: (book, rules, act) =>
      settle(draft, book, rules, {
        ...act,
        partnerId: draft.partnerId,
        orderId: item.order.orderId,
      }),
  };
}

/** Enters the difference between what the order has earned by now and what it had earned before the news. */
function settle(draft: Draft, book: Book, rules: LedgerRules, act: Act): Posted {
  const { item, row } = draft;
  const state = learn(draft.state, item.news);
  const rule = row.rule ?? rules.program.earn;
  const due = row.limitedBy === null ? pointsDue(state, rule, item.followsEdits) : 0;
  // What a refund could not take was given up, and is not given a second time.
  const missing = due - row.credited;
  const posted =
    missing > 0 ? earn(row, book, rules, act, missing) : undo(row, book, rules, act, row.points - due);
  const { taken, ...done } = posted;
  const limitedBy = posted.entry?.limitedBy ?? row.limitedBy;
  draft.state = state;
  draft.gained = taken;
  draft.settled = {
    rule,
    limitedBy,
    points: limitedBy === null ? due : 0,
    credited: row.credited + taken,
    accountId: posted.entry === null ? row.accountId : book.account.accountId,
    pointsExpireAt: taken > 0 ? (posted.entry?.expiresAt ?? null) : row.pointsExpireAt,
  };
  return done;
}

type Settled = Posted & { readonly taken: number };

/** A limit of the program holds for what an order earns first, not for what corrects it. */
function earn(row: Draft['row'], book: Book, rules: LedgerRules, act: Act, points: number): Settled {
  const posted = enterEarn(book, rules, act, points, { isLimited: row.rule === null });
  return { ...posted, taken: posted.entry?.points ?? 0 };
}

function undo(row: Draft['row'], book: Book, { program }: LedgerRules, act: Act, points: number): Settled {
  if (points <= 0) return { entry: null, answer: presentState(book.account, program, 0), taken: 0 };
  const today = { ...act, occurredAt: act.at };
  expireDue(book, today);
  const undone = undoPoints(book, program, today, { points, expiresAt: row.pointsExpireAt });
  const taken = -(undone?.taken ?? 0);
  return { entry: undone?.entry ?? null, answer: presentState(book.account, program, taken), taken };
}
