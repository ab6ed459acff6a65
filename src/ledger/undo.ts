import type { ProgramRow } from '../passes/programs/program-row.ts';
import type { Cause, Lot, LotUse, NewEntry, UndoneEntry, UndonePoints } from './account.ts';
import { type AccountLedger, cancelRewards, close, expire, gain, post } from './account-ledger.ts';
import { giveBack, grow, take } from './lot-moves.ts';

/** Takes all points away again that an earn has brought. */
export function undoEarn(
  ledger: AccountLedger,
  program: ProgramRow,
  cause: Cause,
  undone: UndoneEntry,
): NewEntry {
  const parts = prepareUndo(ledger, program, cause, undone);
  return takeAway(ledger, cause, undone, parts, undone);
}

/**
 * Takes points away again that an order has earned, in one go or in parts; the entry has no `reversalOf`. `taken` is
 * less than was asked for where the program takes no more than is there. Null, and nothing is changed, where it is none.
 */
export function undoPoints(
  ledger: AccountLedger,
  program: ProgramRow,
  cause: Cause,
  undone: UndonePoints,
): { entry: NewEntry; taken: number } | null {
  const parts = prepareUndo(ledger, program, cause, undone);
  if (parts.taken === 0) return null;
  return { entry: takeAway(ledger, cause, undone, parts, null), taken: parts.taken };
}

/**
 * Gives back what a redeem has taken: points to their lots, a reward to be pending again. A card that owes stamps now
 * pays with it, so that it does not matter which of an earn and its redeem is undone first.
 */
export function undoRedeem(ledger: AccountLedger, cause: Cause, undone: UndoneEntry): NewEntry {
  const owed = Math.max(0, -ledger.account.balance);
  const entry = post(ledger, cause, 'reversal', -undone.points, {
    reversalOf: undone.seq,
    reversedEntryId: undone.entryId,
  });
  giveBack(ledger, entry.seq, undone.uses, -undone.points - Math.min(owed, -undone.points));
  const reward = ledger.rewards.find(({ closedSeq }) => closedSeq === undone.seq);
  if (reward !== undefined) close(ledger, reward, 'pending', null);
  cancelRewards(ledger, cause, 0);
  return entry;
}

/** What was given back of an entry before, or taken away again. */
export function undoneOf({ reversed, entries }: AccountLedger, seq: number): number {
  const now = entries.filter(({ reversalOf }) => reversalOf === seq);
  return now.reduce((sum, { points }) => sum + points, reversed.get(seq) ?? 0);
}

/**
 * Gives back some of the money that a charge has taken, to the lots that it came from. What has expired since lasts until
 * `until`: who returns goods has the money again.
 */
export function refund(
  ledger: AccountLedger,
  cause: Cause,
  { entryId, seq, uses }: UndoneEntry,
  { points, until }: { readonly points: number; readonly until: number },
): NewEntry {
  const before = undoneOf(ledger, seq);
  const entry = post(ledger, cause, 'reversal', points, { reversalOf: seq, reversedEntryId: entryId });
  giveBack(ledger, entry.seq, uses, points, { before, at: cause.at.getTime(), until });
  return entry;
}

/** Puts into an account what another has lost, in lots that expire as they did there. */
export function takeOver(ledger: AccountLedger, cause: Cause, uses: readonly LotUse[]): NewEntry {
  const points = uses.reduce((sum, { amount }) => sum + amount, 0);
  const entry = post(ledger, cause, 'correction', points);
  for (const { expiresAt, amount } of uses) grow(ledger, expiresAt, amount);
  return entry;
}

interface UndoneParts {
  /** What has expired instead of being spent. */
  readonly expired: readonly { readonly lot: Lot; readonly amount: number }[];
  /** What the lots cover, with what had expired. */
  readonly covered: number;
  /** What is not covered is owed. */
  readonly taken: number;
}

/**
 * How points are taken away again: what has expired pays first, so that it does not matter whether they expire or are
 * undone first; then the balance. Rewards that they have unlocked and that are not used are cancelled, the newest first.
 * What was spent is a debt where the program says so, and else left alone.
 */
function prepareUndo(
  ledger: AccountLedger,
  { refundPolicy }: ProgramRow,
  cause: Cause,
  undone: UndonePoints,
): UndoneParts {
  const expired = expiredInstead(ledger, undone);
  const paid = expired.reduce((sum, { amount }) => sum + amount, 0);
  cancelRewards(ledger, cause, undone.points - paid);
  const covered = paid + Math.min(undone.points - paid, Math.max(0, ledger.account.balance));
  return { expired, covered, taken: refundPolicy === 'debt' ? undone.points : covered };
}

/** Without the points, what was spent of them would have come from lots that expire later, before these expired. */
function expiredInstead(ledger: AccountLedger, { points, expiresAt }: UndonePoints): UndoneParts['expired'] {
  let left = points;
  return ledger.lots.flatMap((lot) => {
    if (expiresAt === null || lot.expiresAt < expiresAt) return [];
    const amount = Math.min(left, lot.expired);
    left -= amount;
    return amount === 0 ? [] : [{ lot, amount }];
  });
}

/** Takes points from their own lot, then from the others, after the lots got back what had expired of them. */
function takeAway(
  ledger: AccountLedger,
  cause: Cause,
  { expiresAt }: UndonePoints,
  { expired, covered, taken }: UndoneParts,
  whole: UndoneEntry | null,
): NewEntry {
  for (const { lot, amount } of expired) expire(ledger, cause, lot, -amount);
  const entry = post(ledger, cause, 'reversal', -taken, {
    reversalOf: whole?.seq ?? null,
    reversedEntryId: whole?.entryId ?? null,
  });
  take(ledger, entry.seq, covered, expiresAt);
  gain(ledger, -taken);
  return entry;
}
