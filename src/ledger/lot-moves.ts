import type { Lot, LotUse } from './account.ts';

/** The lots of an account, the earliest expiry first, and what entries take from them. */
interface Lots {
  readonly lots: Lot[];
  readonly uses: LotUse[];
}

/** Points that last until then. */
export function grow(ledger: Lots, expiresAt: number, points: number): void {
  const lot = lotOf(ledger, expiresAt);
  lot.grown += points;
  lot.remaining += points;
  lot.moved += points;
}

/** The earliest expiry first, after the lot that expires at `first`. */
export function take(ledger: Lots, seq: number, points: number, first: number | null = null): LotUse[] {
  const preferred = first === null ? [] : ledger.lots.filter((lot) => lot.expiresAt === first);
  const before = ledger.uses.length;
  let left = points;
  for (const lot of [...preferred, ...ledger.lots]) {
    const part = Math.min(left, lot.remaining);
    if (part > 0) use(ledger, seq, lot, part);
    left -= part;
  }
  if (left > 0) throw new Error('the lots of an account hold less than its balance');
  return ledger.uses.slice(before);
}

/** How points are given back of which others were given back before, and what has expired since. */
interface Refunded {
  /** What was given back before, in the same order. */
  readonly before: number;
  /** Lots whose time was over by `at` do not come back: their points last until `until`. Moments in ms. */
  readonly at: number;
  readonly until: number;
}

/** Gives points back to the lots that they were taken from, the latest expiry first: a debt has kept the others. */
export function giveBack(
  ledger: Lots,
  seq: number,
  uses: readonly LotUse[],
  points: number,
  { before, at, until }: Refunded = { before: 0, at: Number.NEGATIVE_INFINITY, until: 0 },
): void {
  let [passed, left] = [before, points];
  for (const { expiresAt, amount } of uses.toSorted((a, b) => (a.expiresAt < b.expiresAt ? 1 : -1))) {
    const skipped = Math.min(passed, amount);
    passed -= skipped;
    const part = Math.min(left, amount - skipped);
    if (part > 0 && expiresAt <= at) grow(ledger, until, part);
    else if (part > 0) use(ledger, seq, lotOf(ledger, expiresAt), -part);
    left -= part;
  }
  if (left > 0) throw new Error('an entry has taken less from the lots than it is to give back');
}

/** From one lot; below zero: back to it. */
export function use(ledger: Lots, seq: number, lot: Lot, amount: number): void {
  lot.remaining -= amount;
  lot.moved -= amount;
  ledger.uses.push({ seq, expiresAt: lot.expiresAt, amount });
}

/** The lot that expires then, made where there was none yet. */
function lotOf(ledger: Lots, expiresAt: number): Lot {
  const known = ledger.lots.find((lot) => lot.expiresAt === expiresAt);
  if (known !== undefined) return known;
  const lot: Lot = { expiresAt, remaining: 0, expired: 0, stored: false, grown: 0, moved: 0, lapsed: 0 };
  ledger.lots.push(lot);
  ledger.lots.sort((a, b) => (a.expiresAt < b.expiresAt ? -1 : 1));
  return lot;
}
