import { newUuidV7 } from '../kit/ids.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';
import {
  type Account,
  type Cause,
  type EntryKind,
  type Lot,
  type LotUse,
  type NewEntry,
  plainCause,
  type Reward,
  type UndoneEntry,
  type UndonePoints,
} from './account.ts';
import { giveBack, grow, take, use } from './lot-moves.ts';

/**
 * An account while a transaction locks its card: its present state, and what is to be written. To take points away,
 * its lots must have been read, the earliest expiry first; to undo, all lots and rewards.
 */
export interface AccountLedger {
  account: Account;
  /** As it was read; number 0 where there is none yet. */
  readonly read: Account;
  /** Whether the lots were read. */
  readonly hasLots: boolean;
  readonly lots: Lot[];
  readonly rewards: Reward[];
  /** Numbers of entries that were undone already. */
  readonly reversed: ReadonlySet<number>;
  readonly entries: NewEntry[];
  readonly uses: LotUse[];
}

/** The balance without points whose time is over. */
export function spendable(ledger: AccountLedger, at: Date): number {
  const over = ledger.lots.filter((lot) => lot.expiresAt <= at.getTime());
  return ledger.account.balance - over.reduce((sum, lot) => sum + lot.remaining, 0);
}

/** Takes away the points whose time is over: an entry a lot. */
export function expireDue(ledger: AccountLedger, cause: Cause): void {
  for (const lot of ledger.lots) {
    if (lot.remaining === 0 || lot.expiresAt > cause.at.getTime()) continue;
    expire(ledger, cause, lot, lot.remaining);
  }
}

/** Adds points, which pay what the account owes first; the others last until `expiresAt`. Stamps unlock rewards. */
export function add(
  ledger: AccountLedger,
  program: ProgramRow,
  cause: Cause,
  kind: 'earn' | 'adjust' | 'correction' | 'import',
  points: number,
  expiresAt: number,
): NewEntry {
  const entry = post(ledger, cause, kind, points, { expiresAt });
  const lasting = Math.max(0, Math.min(points, ledger.account.balance));
  if (lasting > 0) grow(ledger, expiresAt, lasting);
  if (kind !== 'correction') gain(ledger, points);
  unlockRewards(ledger, program, cause);
  return entry;
}

/** Takes points that the balance covers, the earliest expiry first. */
export function spend(
  ledger: AccountLedger,
  cause: Cause,
  kind: 'redeem' | 'adjust' | 'correction' | 'import',
  points: number,
  reward: NewEntry['reward'] = null,
): NewEntry {
  const entry = post(ledger, cause, kind, -points, { reward });
  take(ledger, entry.seq, points);
  if (kind === 'adjust' || kind === 'import') gain(ledger, -points);
  return entry;
}

/** The pending reward of that id, or the one that was unlocked first. */
export function findPending(ledger: AccountLedger, rewardId: string | null): Reward | undefined {
  return ledger.rewards.find(
    (reward) => reward.status === 'pending' && (rewardId === null || reward.rewardId === rewardId),
  );
}

/** Uses a pending reward. */
export function redeemPending(ledger: AccountLedger, cause: Cause, reward: Reward): NewEntry {
  const entry = post(ledger, cause, 'redeem', 0, { reward });
  close(ledger, reward, 'redeemed', entry.seq);
  return entry;
}

/** An earn that a limit has made one of nothing. */
export function earnNothing(ledger: AccountLedger, cause: Cause, limitedBy: string): NewEntry {
  return post(ledger, cause, 'earn', 0, { limitedBy });
}

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

/** When the next points of the account expire. */
export function nextExpiryOf({ account, hasLots, lots }: AccountLedger): number {
  const open = lots.filter((lot) => lot.remaining > 0).map((lot) => lot.expiresAt);
  return Math.min(...open, hasLots ? Number.POSITIVE_INFINITY : account.nextExpiryAt);
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

/** A threshold that was lowered very far leaves the rest to the walk that this has begun. */
const mostUnlocked = 1_000;

/** Turns stamps into rewards as often as the threshold is reached, up to `most` times. */
export function unlockRewards(ledger: AccountLedger, program: ProgramRow, cause: Cause, most = mostUnlocked) {
  const { threshold, rewardTitle } = program;
  if (threshold === null) return;
  for (let turn = 0; turn < most && ledger.account.balance >= threshold; turn++) {
    const entryId = newUuidV7(cause.at.getTime());
    const { seq } = post(ledger, systemCause(cause), 'unlock', -threshold, {
      entryId,
      reward: { rewardId: entryId, title: rewardTitle },
    });
    const uses = take(ledger, seq, threshold);
    ledger.account = { ...ledger.account, pendingRewards: ledger.account.pendingRewards + 1 };
    ledger.rewards.push({
      rewardId: entryId,
      seq,
      title: rewardTitle,
      threshold,
      uses,
      status: 'pending',
      closedSeq: null,
      changed: true,
    });
  }
}

/** Turns pending rewards back into stamps until the balance covers `points`. */
function cancelRewards(ledger: AccountLedger, cause: Cause, points: number): void {
  const pending = ledger.rewards.filter(({ status }) => status === 'pending');
  for (let reward = pending.pop(); reward !== undefined; reward = pending.pop()) {
    if (ledger.account.balance >= points) return;
    const owed = Math.max(0, -ledger.account.balance);
    const { seq } = post(ledger, systemCause(cause), 'cancel', reward.threshold, { reward });
    giveBack(ledger, seq, reward.uses, reward.threshold - Math.min(owed, reward.threshold));
    close(ledger, reward, 'cancelled', seq);
  }
}

function close(
  ledger: AccountLedger,
  reward: Reward,
  status: Reward['status'],
  closedSeq: number | null,
): void {
  const pendingRewards = ledger.account.pendingRewards + (status === 'pending' ? 1 : -1);
  ledger.account = { ...ledger.account, pendingRewards };
  Object.assign(reward, { status, closedSeq, changed: true });
}

function gain(ledger: AccountLedger, points: number): void {
  ledger.account = { ...ledger.account, lifetimePoints: ledger.account.lifetimePoints + points };
}

function post(
  ledger: AccountLedger,
  cause: Cause,
  kind: EntryKind,
  points: number,
  more: Partial<
    Pick<NewEntry, 'expiresAt' | 'entryId' | 'limitedBy' | 'reversalOf' | 'reversedEntryId' | 'reward'>
  > = {},
): NewEntry {
  const seq = ledger.account.seq + 1;
  const balance = ledger.account.balance + points;
  ledger.account = { ...ledger.account, seq, balance };
  const entry: NewEntry = {
    ...cause,
    entryId: newUuidV7(cause.at.getTime()),
    seq,
    kind,
    points,
    balance,
    expiresAt: null,
    limitedBy: null,
    reversalOf: null,
    reversedEntryId: null,
    reward: null,
    ...more,
  };
  ledger.entries.push(entry);
  return entry;
}

/** What happens because of the cause, but was not asked for. */
function systemCause(cause: Cause): Cause {
  return { ...plainCause(cause.actor, cause.requestId, cause.at), deviceId: cause.deviceId };
}

/** Points of a lot whose time is over; below zero: that are given back. */
function expire(ledger: AccountLedger, cause: Cause, lot: Lot, points: number): void {
  const { seq } = post(ledger, systemCause(cause), 'expire', -points);
  use(ledger, seq, lot, points);
  lot.expired += points;
  lot.lapsed += points;
}
