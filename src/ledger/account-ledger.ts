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
  /** What was given back or taken away again of entries that were undone before, by their numbers. */
  readonly reversed: ReadonlyMap<number, number>;
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

/** When the next points of the account expire. */
export function nextExpiryOf({ account, hasLots, lots }: AccountLedger): number {
  const open = lots.filter((lot) => lot.remaining > 0).map((lot) => lot.expiresAt);
  return Math.min(...open, hasLots ? Number.POSITIVE_INFINITY : account.nextExpiryAt);
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
export function cancelRewards(ledger: AccountLedger, cause: Cause, points: number): void {
  const pending = ledger.rewards.filter(({ status }) => status === 'pending');
  for (let reward = pending.pop(); reward !== undefined; reward = pending.pop()) {
    if (ledger.account.balance >= points) return;
    const owed = Math.max(0, -ledger.account.balance);
    const { seq } = post(ledger, systemCause(cause), 'cancel', reward.threshold, { reward });
    giveBack(ledger, seq, reward.uses, reward.threshold - Math.min(owed, reward.threshold));
    close(ledger, reward, 'cancelled', seq);
  }
}

export function close(
  ledger: AccountLedger,
  reward: Reward,
  status: Reward['status'],
  closedSeq: number | null,
): void {
  const pendingRewards = ledger.account.pendingRewards + (status === 'pending' ? 1 : -1);
  ledger.account = { ...ledger.account, pendingRewards };
  Object.assign(reward, { status, closedSeq, changed: true });
}

export function gain(ledger: AccountLedger, points: number): void {
  ledger.account = { ...ledger.account, lifetimePoints: ledger.account.lifetimePoints + points };
}

export function post(
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
export function expire(ledger: AccountLedger, cause: Cause, lot: Lot, points: number): void {
  const { seq } = post(ledger, systemCause(cause), 'expire', -points);
  use(ledger, seq, lot, points);
  lot.expired += points;
  lot.lapsed += points;
}
