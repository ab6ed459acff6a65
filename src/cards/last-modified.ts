import type { PublicCtx } from '../context.ts';
import { laterMoment, wholeSecond } from '../kit/time.ts';
import type { InstanceRow } from './instance-row.ts';

/** What says since when a card shows what it shows. */
export type Shown = Pick<InstanceRow, 'modifiedAt' | 'seenPassRevision' | 'passRevision' | 'passModifiedAt'>;

/** The same, with what wallets were sent. */
export interface Served extends Shown {
  /** The latest Last-Modified that any wallet was given; null: none was. */
  readonly servedModifiedAt: Date | null;
  /** `changedAt` of the state that it was given for; null where that was not kept. */
  readonly servedChangeAt: Date | null;
}

/**
 * Since when a card shows what it shows, to the millisecond: a state that differs has another moment, and a later one,
 * also where clocks step back. Each revision of the pass since the card's own change counts as a millisecond at least.
 */
export function changedAt(row: Shown): Date {
  const own = row.modifiedAt.getTime() + (row.passRevision - row.seenPassRevision);
  return new Date(Math.max(own, row.passModifiedAt.getTime()));
}

/** The moment of a change that happens now of what a card shows. */
export function shownNow(ctx: PublicCtx, row: Shown): Date {
  return laterMoment(changedAt(row), ctx.app.now());
}

/** The moment of any change of a card that happens now: no two of them share one. */
export function changedNow(ctx: PublicCtx, row: Shown & Pick<InstanceRow, 'updatedAt'>): Date {
  const shown = changedAt(row);
  return laterMoment(shown > row.updatedAt ? shown : row.updatedAt, ctx.app.now());
}

/** Whether a wallet was given the state that the card shows. */
export function isServed(row: Served): boolean {
  return row.servedChangeAt?.getTime() === changedAt(row).getTime();
}

/**
 * The Last-Modified of what the card shows, in whole seconds: no wallet was given this second, or a later one, with another
 * state. Changes between which no wallet has fetched share a second.
 */
export function lastModified(row: Served): Date {
  const { servedModifiedAt } = row;
  if (servedModifiedAt === null) return wholeSecond(changedAt(row));
  if (isServed(row)) return servedModifiedAt;
  return new Date(Math.max(wholeSecond(changedAt(row)).getTime(), servedModifiedAt.getTime() + 1_000));
}

/**
 * The Last-Modified that a wallet is sent: at most a second ahead of the clock. One that is sent an earlier second than `lastModified`
 * gets the file again when it asks the next time, and never a 304 that would hide a change.
 */
export function sentModified(modified: Date, now: Date): Date {
  return new Date(Math.min(modified.getTime(), wholeSecond(now).getTime() + 1_000));
}
