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
 * An account while a transaction holds its card: how it stands now, and what is to be written of it. Whoever may take
 * points away has read its lots, the earliest expiry first; who may undo, all lots and rewards.
 */
export interface Book {
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
export function spendable(book: Book, at: Date): number {
  const over = book.lots.filter((lot) => lot.expiresAt <= at.getTime());
  return book.account.balance - over.reduce((sum, lot) => sum + lot.remaining, 0);
}

/** Takes away the points whose time is over: an entry a lot. */
export function expireDue(book: Book, cause: Cause): void {
  for (const lot of book.lots) {
    if (lot.remaining === 0 || lot.expiresAt > cause.at.getTime()) continue;
    expire(book, cause, lot, lot.remaining);
  }
}

/** Adds points, which pay what the account owes first; the others last until `expiresAt`. Stamps unlock rewards. */
export function add(
  book: Book,
  program: ProgramRow,
  cause: Cause,
  kind: 'earn' | 'adjust' | 'import',
  points: number,
  expiresAt: number,
): NewEntry {
  const entry = post(book, cause, kind, points, { expiresAt });
  const lasting = Math.max(0, Math.min(points, book.account.balance));
  if (lasting > 0) grow(book, expiresAt, lasting);
  gain(book, points);
  unlockRewards(book, program, cause);
  return entry;
}

/** Takes points that the balance covers, the earliest expiry first. */
export function spend(
  book: Book,
  cause: Cause,
  kind: 'redeem' | 'adjust' | 'import',
  points: number,
): NewEntry {
  const entry = post(book, cause, kind, -points);
  take(book, entry.seq, points);
  if (kind !== 'redeem') gain(book, -points);
  return entry;
}

/** Uses the reward that was unlocked first. */
export function redeemReward(book: Book, cause: Cause): { entry: NewEntry; reward: Reward } {
  const reward = book.rewards.find(({ status }) => status === 'pending');
  if (reward === undefined) throw new Error('the account counts a pending reward that nobody has unlocked');
  const entry = post(book, cause, 'redeem', 0);
  close(book, reward, 'redeemed', entry.seq);
  return { entry, reward };
}

/** An earn that a limit has made one of nothing. */
export function earnNothing(book: Book, cause: Cause, limitedBy: string): NewEntry {
  return post(book, cause, 'earn', 0, { limitedBy });
}

/** Takes all points away again that an earn has brought. */
export function undoEarn(book: Book, program: ProgramRow, cause: Cause, undone: UndoneEntry): NewEntry {
  return takeAway(book, cause, undone, prepareUndo(book, program, cause, undone), undone.seq);
}

/**
 * Takes points away again that an order has earned, in one go or in parts; the entry has no `reversalOf`. `taken` is
 * less than was asked for where the program takes no more than is there. Null, and nothing is changed, where it is none.
 */
export function undoPoints(
  book: Book,
  program: ProgramRow,
  cause: Cause,
  undone: UndonePoints,
): { entry: NewEntry; taken: number } | null {
  const parts = prepareUndo(book, program, cause, undone);
  if (parts.taken === 0) return null;
  return { entry: takeAway(book, cause, undone, parts, null), taken: parts.taken };
}

/**
 * Gives back what a redeem has taken: points to their lots, a reward to be pending again. A card that owes stamps by now
 * pays with it, so that it does not matter which of an earn and its redeem is undone first.
 */
export function undoRedeem(book: Book, cause: Cause, undone: UndoneEntry): NewEntry {
  const owed = Math.max(0, -book.account.balance);
  const entry = post(book, cause, 'reversal', -undone.points, { reversalOf: undone.seq });
  giveBack(book, entry.seq, undone.uses, -undone.points - Math.min(owed, -undone.points));
  const reward = book.rewards.find(({ closedSeq }) => closedSeq === undone.seq);
  if (reward !== undefined) close(book, reward, 'pending', null);
  cancelRewards(book, cause, 0);
  return entry;
}

/** When the next points of the account expire. */
export function nextExpiryOf({ account, hasLots, lots }: Book): number {
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
 * undone first; then the balance. Rewards that they have unlocked and nobody has used are cancelled, the newest first.
 * What was spent is a debt where the program says so, and else left alone.
 */
function prepareUndo(
  book: Book,
  { refundPolicy }: ProgramRow,
  cause: Cause,
  undone: UndonePoints,
): UndoneParts {
  const expired = expiredInstead(book, undone);
  const paid = expired.reduce((sum, { amount }) => sum + amount, 0);
  cancelRewards(book, cause, undone.points - paid);
  const covered = paid + Math.min(undone.points - paid, Math.max(0, book.account.balance));
  return { expired, covered, taken: refundPolicy === 'debt' ? undone.points : covered };
}

/** Without the points, what was spent of them would have come from lots that expire later, before these expired. */
function expiredInstead(book: Book, { points, expiresAt }: UndonePoints): UndoneParts['expired'] {
  let left = points;
  return book.lots.flatMap((lot) => {
    if (expiresAt === null || lot.expiresAt < expiresAt) return [];
    const amount = Math.min(left, lot.expired);
    left -= amount;
    return amount === 0 ? [] : [{ lot, amount }];
  });
}

/** From the lot that the points went into, then from the others; after they got back what had expired of them. */
function takeAway(
  book: Book,
  cause: Cause,
  { expiresAt }: UndonePoints,
  { expired, covered, taken }: UndoneParts,
  reversalOf: number | null,
): NewEntry {
  for (const { lot, amount } of expired) expire(book, cause, lot, -amount);
  const entry = post(book, cause, 'reversal', -taken, { reversalOf });
  take(book, entry.seq, covered, expiresAt);
  gain(book, -taken);
  return entry;
}

/** A threshold that was lowered very far leaves the rest to the next posting. */
const mostUnlocked = 1_000;

/** Turns stamps into rewards as often as the threshold is reached. */
function unlockRewards(book: Book, program: ProgramRow, cause: Cause): void {
  const { threshold, rewardTitle } = program;
  if (threshold === null) return;
  for (let turn = 0; turn < mostUnlocked && book.account.balance >= threshold; turn++) {
    const { seq } = post(book, byItself(cause), 'unlock', -threshold);
    const uses = take(book, seq, threshold);
    book.account = { ...book.account, pendingRewards: book.account.pendingRewards + 1 };
    book.rewards.push({
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
function cancelRewards(book: Book, cause: Cause, points: number): void {
  const pending = book.rewards.filter(({ status }) => status === 'pending');
  for (let reward = pending.pop(); reward !== undefined; reward = pending.pop()) {
    if (book.account.balance >= points) return;
    const owed = Math.max(0, -book.account.balance);
    const { seq } = post(book, byItself(cause), 'cancel', reward.threshold);
    giveBack(book, seq, reward.uses, reward.threshold - Math.min(owed, reward.threshold));
    close(book, reward, 'cancelled', seq);
  }
}

function close(book: Book, reward: Reward, status: Reward['status'], closedSeq: number | null): void {
  const pendingRewards = book.account.pendingRewards + (status === 'pending' ? 1 : -1);
  book.account = { ...book.account, pendingRewards };
  Object.assign(reward, { status, closedSeq, changed: true });
}

function gain(book: Book, points: number): void {
  book.account = { ...book.account, lifetimePoints: book.account.lifetimePoints + points };
}

function post(
  book: Book,
  cause: Cause,
  kind: EntryKind,
  points: number,
  more: Partial<Pick<NewEntry, 'expiresAt' | 'limitedBy' | 'reversalOf'>> = {},
): NewEntry {
  const seq = book.account.seq + 1;
  const balance = book.account.balance + points;
  book.account = { ...book.account, seq, balance };
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
    ...more,
  };
  book.entries.push(entry);
  return entry;
}

/** What happens because of the cause, but was not asked for. */
function byItself(cause: Cause): Cause {
  return plainCause(cause.actor, cause.at);
}

/** Points of a lot whose time is over; below zero: that are given back. */
function expire(book: Book, cause: Cause, lot: Lot, points: number): void {
  const { seq } = post(book, byItself(cause), 'expire', -points);
  use(book, seq, lot, points);
  lot.expired += points;
  lot.lapsed += points;
}
